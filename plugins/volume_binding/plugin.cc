#include "plugins/volume_binding/volume_binding.h"

BERTH_SDK_PLUGIN(berth::plugins::VolumeBinding, "io.berth.volume-binding", "VolumeBinding",
                 BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_RESERVE);
