#pragma once

// Finds evictions that break a budget. It counts by the rule of PodDisruptionBudgets, from the pods
// and the numbers that the workloads ask for. It does not read the statuses of the budgets.
//
// A server's status lags within one moment: it is counted before the first request of the moment,
// and each eviction granted since is taken from it. So an eviction is right if the budget is kept
// by the pods of now, or by those at the beginning of the moment less the evictions since. A change
// of a scale counts from the next change of a pod on.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/runtime/core.h"
#include "tests/simulation/outages/outage_world.h"
#include "tests/simulation/outages/pod_count.h"

namespace berth::simulation {

class BudgetCheck {
 public:
  explicit BudgetCheck(const OutageWorld& world);
  void attach(const runtime::Core& core) { core_ = &core; }

  // The workload asks for so many pods from now on.
  void scaled(const std::string& workload, uint64_t replicas);
  // The core told of a pod of the workload.
  void pod_changed(const std::string& workload);
  // The core is at rest, and time may pass.
  void rests();

  // Somebody asked for the eviction of the pod, which is granted and not carried out. Returns
  // which budget it breaks; empty: none.
  std::string evicted(const model::PodRecord& pod);
  // The budget's status, which the disruption controller wrote last.
  void told(const model::DisruptionBudget& budget);
  // At the end, when all nodes are well: the first status that is not what the rule says.
  std::string wrong_status() const;

 private:
  struct Budget {
    model::DisruptionBudget object;  // with the status that was told
    std::string workload;
    // Of the present moment.
    int64_t most_healthy = 0, least_desired = 0, evictions = 0;
  };
  struct Scale {
    uint64_t replicas = 0;
    std::optional<uint64_t> former;  // until a pod changes
  };

  int64_t desired(const Budget& budget, uint64_t replicas) const;
  int64_t least_desired(const Budget& budget) const;
  std::string judge(Budget& budget, const model::PodRecord& pod);

  std::map<std::string, Budget> budgets_;  // by name
  std::map<std::string, Scale> scales_;    // by workload
  std::set<model::PodId> unhealthy_;       // at the beginning of the moment
  const runtime::Core* core_ = nullptr;
};

}  // namespace berth::simulation
