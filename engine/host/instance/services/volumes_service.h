#pragma once

// The volumes service of plugins (berth/abi/volumes.h), over the cluster of the host's
// ModelServices.

#include "berth/abi/volumes.h"

namespace berth::host {

// Its functions take the berth_host of a HostServices.
const berth_volumes_service& volumes_service();

}  // namespace berth::host
