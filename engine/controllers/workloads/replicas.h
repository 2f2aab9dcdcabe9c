#pragma once

// Which pods a ReplicaSet gives up when it has too many. Source: pkg/controller,
// ActivePodsWithRanks and ActivePods.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/time.h"

namespace berth::controllers {

// An active pod: neither finished nor terminating.
struct ReplicaPod {
  std::string name;
  std::string node;                   // empty: it waits for one
  std::optional<Time> ready_since{};  // nothing: not ready
  Time created{};
  int32_t deletion_cost = 0;
  bool is_own = true;  // false: another ReplicaSet's of the same Deployment, which stays
};

// The way in which the age of pods counts.
enum class AgeOrder : uint8_t {
  kNewestFirst,
  // As ReplicaSets take it: ages of one power of two, in nanoseconds, are equal.
  kLogarithmic
};

// Indices of the `count` pods that go, first those that are not assigned, then those that are not
// ready, then those that cost the least, then those with the most of the pods on their node, then
// the youngest; at last by name, where a cluster compares UIDs. By kNewestFirst neither costs nor
// nodes count. A pod with a node runs. Restarts of containers are not known here. Times count in
// whole seconds. Precondition: there are as many own ones.
std::vector<size_t> pods_to_delete(std::span<const ReplicaPod> pods, size_t count, Time now,
                                   AgeOrder order);

}  // namespace berth::controllers
