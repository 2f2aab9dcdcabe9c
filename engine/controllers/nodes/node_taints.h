#pragma once

// The taints that stand for conditions of a node. Source: k8s.io/kubernetes
// pkg/controller/nodelifecycle, pkg/util/taints.

#include <string_view>
#include <vector>

#include "engine/controllers/conditions.h"
#include "engine/model/objects/objects.h"

namespace berth::controllers {

inline constexpr std::string_view kNotReady = "node.kubernetes.io/not-ready";
inline constexpr std::string_view kUnreachable = "node.kubernetes.io/unreachable";
inline constexpr std::string_view kNoSchedule = "NoSchedule";
inline constexpr std::string_view kNoExecute = "NoExecute";

// One taint is another if key and effect are the same.
bool has_taint(const std::vector<model::Taint>& taints, std::string_view key,
               std::string_view effect);
// Each returns whether it changed anything. The taint that is put has no value.
bool put_taint(std::vector<model::Taint>& taints, std::string_view key, std::string_view effect);
bool remove_taint(std::vector<model::Taint>& taints, std::string_view key, std::string_view effect);

// Gives the node the NoSchedule taints that its conditions and spec.unschedulable ask for, and
// removes others of the same keys. Returns whether anything changed.
//
//   Ready False      not-ready            MemoryPressure True      memory-pressure
//   Ready Unknown    unreachable          DiskPressure True        disk-pressure
//   unschedulable    unschedulable        PIDPressure True         pid-pressure
//                                         NetworkUnavailable True  network-unavailable
bool put_condition_taints(std::vector<model::Taint>& taints,
                          const std::vector<Condition>& conditions, bool unschedulable);

}  // namespace berth::controllers
