#pragma once

// The services of counts, of waiting pods and of volumes in a plugin's own process (services.h).

#include <cstdint>

#include "berth/abi/bind.h"
#include "berth/abi/counts.h"
#include "berth/abi/volumes.h"

namespace berth::isolation {

const berth_counts_service& counts_table();
const berth_waiting_service& waiting_table();
const berth_volumes_service& volumes_table();

// An entry of the answer of Ask::kWaitingEach.
struct WaitingPod {
  uint64_t pod;
  uint64_t node;
};

}  // namespace berth::isolation
