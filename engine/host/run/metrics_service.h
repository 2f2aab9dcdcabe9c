#pragma once

#include "berth/abi/metrics.h"

namespace berth::host {

const berth_metrics_service& metrics_service();

}  // namespace berth::host
