#include "plugins/default_preemption/default_preemption.h"

BERTH_SDK_PLUGIN(berth::plugins::DefaultPreemption, "io.berth.default-preemption",
                 "DefaultPreemption", BERTH_POST_FILTER);
