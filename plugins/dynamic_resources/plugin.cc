#include "plugins/dynamic_resources/dynamic_resources.h"

BERTH_SDK_PLUGIN(berth::plugins::DynamicResources, "io.berth.dynamic-resources", "DynamicResources",
                 BERTH_PRE_FILTER " " BERTH_POST_FILTER " " BERTH_SCORE);
