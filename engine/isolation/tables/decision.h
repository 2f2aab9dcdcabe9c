#pragma once

// Functions that answer with a struct whose arrays stay here, or get one with arrays.

#include "berth/abi/filter.h"
#include "berth/abi/score.h"

namespace berth::isolation {

berth_code pass_pre_filter(berth_plugin* plugin, const berth_call* call,
                           berth_pre_filter_result* result);
berth_code pass_post_filter(berth_plugin* plugin, const berth_call* call, const uint8_t* codes,
                            uint64_t draw, berth_nomination* nomination);
berth_code pass_pre_score(berth_plugin* plugin, const berth_call* call,
                          const berth_feasible* feasible, berth_pre_score_result* result);

}  // namespace berth::isolation
