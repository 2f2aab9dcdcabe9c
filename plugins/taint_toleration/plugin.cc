#include "plugins/taint_toleration/taint_toleration.h"

BERTH_SDK_PLUGIN(berth::plugins::TaintToleration, "io.berth.taint-toleration", "TaintToleration",
                 BERTH_FILTER " " BERTH_PRE_SCORE " " BERTH_SCORE " " BERTH_HINTS,
                 BERTH_RULES_SERVICE);
