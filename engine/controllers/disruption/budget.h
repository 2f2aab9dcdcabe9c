#pragma once

// PodDisruptionBudgets of policy/v1 as values: what they ask for, and what their status says.
// Sources: k8s.io/api policy/v1, k8s.io/component-helpers apps/poddisruptionbudget, apimachinery
// util/intstr.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "engine/base/time.h"
#include "engine/model/objects/objects.h"

namespace berth::controllers {

using model::PodAmount;
using model::UnhealthyPods;

// A number of pods; a percentage of `total`, at most 100, is rounded up.
int32_t scaled(PodAmount amount, int32_t total);

struct BudgetSpec {
  std::optional<PodAmount> min_available, max_unavailable;  // the latter counts if both are there
  std::optional<model::LabelSelector>
      selector;  // absent: selects no pod; empty: all of a namespace
  UnhealthyPods unhealthy_pods = UnhealthyPods::kIfHealthyBudget;
  bool operator==(const BudgetSpec&) const = default;
};

// The condition DisruptionAllowed.
struct DisruptionAllowed {
  bool allowed = false;
  std::string reason, message;
  int64_t observed_generation = 0;
  Time transition{};  // since when `allowed` is this, in whole seconds
  bool operator==(const DisruptionAllowed&) const = default;
};

struct BudgetStatus {
  int64_t observed_generation = 0;
  int32_t current_healthy = 0, desired_healthy = 0, expected_pods = 0, disruptions_allowed = 0;
  // Pods whose eviction was granted, and when, in whole seconds.
  std::map<std::string, Time, std::less<>> disrupted_pods;
  std::optional<DisruptionAllowed> condition;
  bool operator==(const BudgetStatus&) const = default;
};

struct Budget {
  std::string namespace_name, name;
  int64_t generation = 1;  // of the spec
  BudgetSpec spec;
  BudgetStatus status;
  bool operator==(const Budget&) const = default;
};

inline constexpr const char* kSyncFailed = "SyncFailed";

// Puts the condition, which observes the generation that the status does. The transition stays
// while `allowed` does.
void put_condition(BudgetStatus& status, bool allowed, std::string reason, std::string message,
                   Time now);
// The condition that the number of allowed disruptions asks for.
void put_condition(BudgetStatus& status, Time now);
// False if put_condition(status, now) would change the status of the condition, or its reason.
bool has_condition(const BudgetStatus& status);

// The API keeps times in whole seconds, rounded down.
Time whole_seconds(Time time);

}  // namespace berth::controllers
