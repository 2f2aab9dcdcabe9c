#pragma once

#include "berth/abi/rules.h"

namespace berth::host {

const berth_rules_service& rules_service();

}  // namespace berth::host
