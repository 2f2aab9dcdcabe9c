#pragma once

// The objects of the cases of evictions as values. A fault in one is an Error.

#include <optional>
#include <string>

#include "engine/controllers/conditions.h"
#include "engine/controllers/disruption/budget.h"
#include "engine/controllers/disruption/eviction.h"
#include "engine/controllers/disruption/scales.h"
#include "engine/document/document.h"
#include "engine/model/objects/objects.h"

namespace berth::conformance {

// A pod as an API server keeps it.
struct StoredPod {
  model::Pod object;
  bool ready = false;                                         // condition Ready is True
  std::optional<controllers::Condition> disruption_target{};  // the condition of this type
};

StoredPod read_pod(document::Value object);
// Without a status, and of generation 1.
controllers::Budget read_budget(document::Value object);
// The spec of a budget, the member `spec` of the value.
controllers::BudgetSpec read_budget_spec(document::Value holder);
// An object with a scale.
controllers::Workload read_workload(document::Value object);
// The operation `evict` on a pod of this version. Its preconditions name versions as "current" and
// "stale".
controllers::EvictionRequest read_eviction(document::Value event, const std::string& pod,
                                           uint64_t version);

}  // namespace berth::conformance
