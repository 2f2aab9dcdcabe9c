#include "plugins/volume_zone/volume_zone.h"

BERTH_SDK_PLUGIN(berth::plugins::VolumeZone, "io.berth.volume-zone", "VolumeZone",
                 BERTH_PRE_FILTER " " BERTH_FILTER);
