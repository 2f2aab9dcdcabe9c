#include "berth/sdk/services/signing.hpp"
#include "plugins/volume_restrictions/hints.h"

namespace berth::plugins {

using VolumeRestrictions = sdk::HooksBy<BERTH_PART_VOLUMES, RestrictionsPreFilter,
                                        RestrictionsFilter, RestrictionsOverlay, RestrictionsHints>;

}  // namespace berth::plugins

BERTH_SDK_PLUGIN(berth::plugins::VolumeRestrictions, "io.berth.volume-restrictions",
                 "VolumeRestrictions",
                 BERTH_PRE_FILTER " " BERTH_FILTER " " BERTH_OVERLAY_STATE " " BERTH_HINTS);
