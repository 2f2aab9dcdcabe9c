#include "plugins/volume_binding/binding_plugin.h"

BERTH_SDK_PLUGIN(berth::plugins::VolumeBinding, "io.berth.volume-binding", "VolumeBinding",
                 BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_PRE_SCORE " " BERTH_SCORE
                                  " " BERTH_RESERVE " " BERTH_PRE_BIND " " BERTH_HINTS);
