#pragma once

// Reference counts of dense ids, with delayed retirement.
//
// Counts rather than epochs: the references to an interned value are known exactly (rows of the pod
// table, shapes, templates of streams), and a mark phase over a million pods would stop the thread
// that decides. Retirement is delayed until a sweep, which the owner calls between decisions: most
// ids whose count drops to zero are used again by the next pod of their kind, texts that were
// returned stay valid until then, and no table rehashes inside a decision. A sweep looks only at
// ids whose count dropped to zero since the last one.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/assert.h"

namespace berth::model {

// One thread. Memory is proportional to the largest id.
class ReferenceCounts {
 public:
  // Begins to count an id, new or used again after its retirement, with 0 references. Unless it is
  // retained, the next sweep retires it.
  void add(uint32_t id) {
    if (id >= entries_.size()) entries_.resize(std::max(size_t{id} + 1, 2 * entries_.size()));
    BERTH_ASSERT(of(id) == 0);
    list(id);
  }
  void retain(uint32_t id) {
    BERTH_ASSERT(id < entries_.size());
    entries_[id] += kOne;
  }
  // Precondition: retained more often than released.
  void release(uint32_t id) {
    BERTH_ASSERT(of(id) != 0);
    entries_[id] -= kOne;
    if (of(id) == 0) list(id);
  }
  // Requires: add() was called for the id.
  uint32_t of(uint32_t id) const { return entries_[id] / kOne; }

  // Number of ids that the next sweep looks at; those that were retained again are included.
  size_t candidates() const { return candidates_.size(); }
  // Calls retire(id) for each id without references. `retire` may release other ids of this or
  // another object; ids of this object that lose their last reference are retired in the same
  // sweep.
  template <typename Retire>
  void sweep(Retire&& retire) {
    while (!candidates_.empty()) {
      const uint32_t id = candidates_.back();
      candidates_.pop_back();
      entries_[id] &= ~kListed;
      if (of(id) == 0) retire(id);
    }
  }

 private:
  // An entry is the count times kOne, plus kListed if the id is in candidates_. Counts stay below
  // 2^31: a pod refers to an id once or twice, and 2^30 pods do not fit a machine's memory.
  static constexpr uint32_t kListed = 1;
  static constexpr uint32_t kOne = 2;

  void list(uint32_t id) {
    if ((entries_[id] & kListed) != 0) return;
    entries_[id] |= kListed;
    candidates_.push_back(id);
  }

  std::vector<uint32_t> entries_;
  std::vector<uint32_t> candidates_;
};

}  // namespace berth::model
