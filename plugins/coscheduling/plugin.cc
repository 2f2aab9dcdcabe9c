#include "plugins/coscheduling/coscheduling.h"

BERTH_SDK_PLUGIN(berth::plugins::Coscheduling, "io.berth.coscheduling", "Coscheduling",
                 BERTH_RESERVE " " BERTH_PERMIT " " BERTH_HINTS);
