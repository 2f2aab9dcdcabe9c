#include "plugins/disk_limits/disk_limits.h"

namespace berth::plugins {

using AzureDiskLimits = DiskLimits<kAzureDisk>;

}  // namespace berth::plugins

BERTH_SDK_PLUGIN(berth::plugins::AzureDiskLimits, "io.berth.azure-disk-limits", "AzureDiskLimits",
                 BERTH_FILTER " " BERTH_HINTS);
