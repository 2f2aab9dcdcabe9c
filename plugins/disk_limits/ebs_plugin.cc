#include "plugins/disk_limits/disk_limits.h"

namespace berth::plugins {

using EBSLimits = DiskLimits<kEbs>;

}  // namespace berth::plugins

BERTH_SDK_PLUGIN(berth::plugins::EBSLimits, "io.berth.ebs-limits", "EBSLimits",
                 BERTH_FILTER " " BERTH_HINTS);
