#pragma once

// PodDisruptionBudgets as the cluster holds them, and as the disruption controller does.

#include "engine/controllers/disruption/budget.h"
#include "engine/model/objects/objects.h"

namespace berth::played {

// Pods whose eviction the object says to be granted were granted at `now`.
controllers::Budget budget_of(const model::DisruptionBudget& object, Time now);
model::DisruptionBudget object_of(const controllers::Budget& budget);

}  // namespace berth::played
