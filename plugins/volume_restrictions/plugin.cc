#include "plugins/volume_restrictions/volume_restrictions.h"

BERTH_SDK_PLUGIN(berth::plugins::VolumeRestrictions, "io.berth.volume-restrictions",
                 "VolumeRestrictions", BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_OVERLAY_STATE);
