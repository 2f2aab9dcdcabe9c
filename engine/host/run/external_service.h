#pragma once

#include "berth/abi/external.h"

namespace berth::host {

const berth_external_service& external_service();

}  // namespace berth::host
