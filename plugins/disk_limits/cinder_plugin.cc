#include "plugins/disk_limits/disk_limits.h"

namespace berth::plugins {

using CinderLimits = DiskLimits<kCinder>;

}  // namespace berth::plugins

BERTH_SDK_PLUGIN(berth::plugins::CinderLimits, "io.berth.cinder-limits", "CinderLimits",
                 BERTH_FILTER " " BERTH_HINTS);
