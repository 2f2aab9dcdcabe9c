#include "plugins/selector_spread/selector_spread.h"

BERTH_SDK_PLUGIN(berth::plugins::SelectorSpread, "io.berth.selector-spread", "SelectorSpread",
                 BERTH_PRE_SCORE " " BERTH_SCORE);
