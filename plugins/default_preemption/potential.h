#pragma once

// The nodes on which evictions may help the pod.

#include <cstddef>
#include <cstdint>
#include <span>

namespace berth::plugins {

struct PotentialNodes {
  size_t count = 0;            // nodes whose refusal evictions may end
  size_t without_victims = 0;  // of them: no pod has a lower priority

  bool can_help() const { return without_victims < count; }
};

// `codes`: berth_code of each node's refusal. `lowest`: by node, the lowest priority of its pods.
// `priority`: the pod's.
PotentialNodes potential_nodes(std::span<const uint8_t> codes, std::span<const int64_t> lowest,
                               int64_t priority);

}  // namespace berth::plugins
