#pragma once

// Structs with arrays that cross with a call of a table's function (passed.h).

#include "berth/abi/enqueue.h"
#include "berth/abi/filter.h"
#include "berth/abi/score.h"
#include "engine/isolation/parent/instance.h"

namespace berth::isolation {

// Lays out an argument of the function that gets `call`. Returns it in the lane.
berth_feasible* put_struct(InstanceCall& made, const berth_call& call, const berth_feasible& from);
berth_event* put_struct(InstanceCall& made, const berth_call& call, const berth_event& from);

// Takes what the function filled. Its arrays are copies: names of nodes live as long as the state
// of the call, or else as the instance; victims until the next call.
void take_struct(InstanceCall& made, const berth_call& call, Reader& result,
                 berth_pre_filter_result& to);
void take_struct(InstanceCall& made, const berth_call& call, Reader& result, berth_nomination& to);
void take_struct(InstanceCall& made, const berth_call& call, Reader& result,
                 berth_pre_score_result& to);

}  // namespace berth::isolation
