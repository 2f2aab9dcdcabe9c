#pragma once

#include "berth/abi/worker.h"

namespace berth::host {

const berth_worker_service& worker_service();

}  // namespace berth::host
