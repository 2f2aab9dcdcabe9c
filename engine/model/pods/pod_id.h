#pragma once

// The identity of a pod: a row of the pod table and the generation of that row.

#include <compare>
#include <cstdint>

namespace berth::model {

// A value. Everything outside the pod table refers to a pod by its id. A row is used again after
// its pod is removed, with the next generation, so an id never names another pod. Ids depend only
// on the order of additions and removals: one input gives the same ids in every run.
struct PodId {
  uint32_t index = 0;
  uint32_t generation = 0;  // 0: no pod

  // As plugins see it in the column pod.handle; 0 for no pod.
  uint64_t handle() const { return uint64_t{generation} << 32 | index; }
  static PodId from_handle(uint64_t handle) {
    return {static_cast<uint32_t>(handle), static_cast<uint32_t>(handle >> 32)};
  }
  explicit operator bool() const { return generation != 0; }
  auto operator<=>(const PodId&) const = default;
};

}  // namespace berth::model
