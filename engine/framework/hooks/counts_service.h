#pragma once

// The counts service of plugins (berth/abi/counts.h) over the model.

#include "berth/abi/counts.h"

namespace berth::framework {

// Of hosts whose model is a ModelBridge.
const berth_counts_service& counts_service();

}  // namespace berth::framework
