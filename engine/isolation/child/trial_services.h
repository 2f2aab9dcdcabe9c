#pragma once

// The services of a PostFilter in a plugin's own process (services.h). Work that would run on
// several threads of the engine runs on the thread that asks for it.

#include "berth/abi/overlay.h"

namespace berth::isolation {

const berth_what_if_service& what_if_table();
const berth_parallel_service& parallel_table();
const berth_preempt_extenders_service& preempt_extenders_table();

}  // namespace berth::isolation
