#include "berth/sdk/services/signing.hpp"
#include "plugins/volume_zone/hints.h"

namespace berth::plugins {

using VolumeZone = sdk::HooksBy<BERTH_PART_VOLUMES, ZonePreFilter, ZoneFilter, ZoneHints>;

}  // namespace berth::plugins

BERTH_SDK_PLUGIN(berth::plugins::VolumeZone, "io.berth.volume-zone", "VolumeZone",
                 BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_HINTS);
