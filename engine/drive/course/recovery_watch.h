#pragma once

// When a run has come through its evictions: after the last one, as soon as no more pods wait for a
// node than before the first one, and none that terminates may still be replaced. Pods that arrive
// later do not count against it.

#include <chrono>
#include <cstdint>
#include <optional>

#include "engine/base/time.h"
#include "engine/output/summary.h"

namespace berth::drive {

// Times do not go backwards. `waiting`: pods that wait for a node.
class RecoveryWatch {
 public:
  // A controller evicts a pod.
  void evicted(Time now, uint64_t waiting);
  // True if what follows may change the answer.
  bool open() const { return first_ && !over_; }
  // Pods arrive. Precondition: open().
  void arrived() { settled_.reset(); }
  // A pod was bound, or time passed. `leaving`: pods terminate. Precondition: open().
  void look(Time now, uint64_t waiting, bool leaving);

  // Nothing: there were no evictions.
  std::optional<output::Recovery> result() const;

 private:
  std::optional<Time> first_, settled_;
  Time last_{};
  uint64_t before_ = 0;  // pods that waited at the first eviction
  bool over_ = false;
};

}  // namespace berth::drive
