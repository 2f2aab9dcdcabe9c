#pragma once

// The counts service of plugins (berth/abi/counts.h), over the cluster of the host's ModelServices.

#include "berth/abi/counts.h"

namespace berth::host {

// Its functions take the berth_host of a HostServices. Errors go to that host's log, under the
// plugin's name, and the plugin gets 0.
const berth_counts_service& counts_service();

}  // namespace berth::host
