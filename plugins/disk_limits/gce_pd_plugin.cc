#include "plugins/disk_limits/disk_limits.h"

namespace berth::plugins {

using GCEPDLimits = DiskLimits<kGcePd>;

}  // namespace berth::plugins

BERTH_SDK_PLUGIN(berth::plugins::GCEPDLimits, "io.berth.gce-pd-limits", "GCEPDLimits",
                 BERTH_FILTER " " BERTH_HINTS);
