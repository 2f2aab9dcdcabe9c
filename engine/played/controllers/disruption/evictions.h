#pragma once

// The subresource `eviction` of the pods of a run. See controllers/disruption/eviction.h.
//
// Objects have no versions here, so a precondition on one always holds.

#include <string_view>

#include "engine/controllers/disruption/eviction.h"
#include "engine/played/controllers/disruption/budget_keeper.h"
#include "engine/played/controllers/evictor.h"

namespace berth::played {

// `cause`: who asks, for people. All of it outlives the call. Precondition: not within a call in
// which the core tells of a change.
controllers::ApiStatus answer_eviction(const model::EvictionRequest& request, runtime::Core& core,
                                       BudgetKeeper& budgets, Evictor& evictor,
                                       std::string_view cause);

}  // namespace berth::played
