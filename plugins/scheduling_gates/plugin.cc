#include "plugins/scheduling_gates/scheduling_gates.h"

BERTH_SDK_PLUGIN(berth::plugins::SchedulingGates, "io.berth.scheduling-gates", "SchedulingGates",
                 BERTH_PRE_ENQUEUE " " BERTH_HINTS);
