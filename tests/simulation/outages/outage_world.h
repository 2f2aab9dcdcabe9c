#pragma once

// The cluster of a simulation of outages: nodes in zones, workloads, and budgets of their pods.
// All nodes together have room for all pods.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/objects/change.h"
#include "engine/model/objects/controller_objects.h"
#include "tests/properties/dice.h"

namespace berth::simulation {

using tests::Dice;

inline constexpr char kOutageNamespace[] = "default";
inline constexpr int64_t kMebi = int64_t{1} << 20;  // bytes

// A workload, and what it may become.
struct DrawnWorkload {
  model::Workload object;
  uint64_t most_replicas = 0;
  int64_t milli = 0;  // CPU that a pod requests

  // True of a Job that ends when enough of its pods have succeeded.
  bool ends() const {
    return object.kind == model::WorkloadKind::kJob && object.job.completions.has_value();
  }
};

// The label `app` of its pods, and the selector of its budgets, is the name of the workload.
struct OutageWorld {
  std::vector<model::Node> nodes;
  std::vector<DrawnWorkload> workloads;
  std::vector<model::DisruptionBudget> budgets;
  model::KubeletConfiguration kubelets;  // of all nodes
};

OutageWorld draw_outage_world(Dice& dice);
std::string zone_of(const model::Node& node);
// In the box in which an object of this kind travels. `name`: empty: it has none.
model::ControllerObject boxed(std::string kind, std::string name,
                              const model::ControllerObjectData& data);
model::ControllerObject boxed(const model::Workload& workload);

}  // namespace berth::simulation
