#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/queue/places/refused_pods.h"

namespace berth::queue {

// The way in which a pod goes back to the queues. Ordered: the greater of two answers counts.
enum class Strategy : uint8_t { kStay, kAfterBackoff, kImmediately };

// The classes of waiting pods that one event helps. Keeps its memory. One thread.
class HelpedClasses {
 public:
  // Makes room for class ids below `classes`. Call before of() and help().
  void cover(size_t classes) { strategies_.resize(classes, Strategy::kStay); }
  Strategy of(ClassId id) const { return strategies_[id]; }
  // Precondition: greater than of(id).
  void help(ClassId id, Strategy strategy) {
    BERTH_ASSERT(strategy > strategies_[id]);
    if (strategies_[id] == Strategy::kStay) helped_.push_back(id);
    strategies_[id] = strategy;
  }
  bool empty() const { return helped_.empty(); }
  // Calls visit(id, strategy) for the helped classes, in the order in which they were helped first.
  // Afterwards all stay.
  template <typename Visit>
  void take(Visit&& visit) {
    for (const ClassId id : helped_) visit(id, std::exchange(strategies_[id], Strategy::kStay));
    helped_.clear();
  }

 private:
  std::vector<Strategy> strategies_;  // by class; kStay unless it is among helped_
  std::vector<ClassId> helped_;
};

}  // namespace berth::queue
