#pragma once

// Reference counts of dense ids, with delayed retirement.
//
// Counts rather than epochs: the references to an interned value are known exactly (rows of the pod
// table, shapes, templates of streams), and a mark phase over a million pods would stop the thread
// that decides. Retirement is delayed until a sweep, which the owner calls between decisions: most
// ids whose count drops to zero are used again by the next pod of their kind, texts that were
// returned stay valid until then, and no table rehashes inside a decision. A sweep looks only at
// ids whose count dropped to zero since the last one.

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
    if (id >= counts_.size()) {
      counts_.resize(id + 1);
      listed_.resize(id + 1);
    }
    BERTH_ASSERT(counts_[id] == 0);
    list(id);
  }
  void retain(uint32_t id) { ++counts_[id]; }
  // Precondition: retained more often than released.
  void release(uint32_t id) {
    BERTH_ASSERT(counts_[id] != 0);
    if (--counts_[id] == 0) list(id);
  }
  uint32_t of(uint32_t id) const { return counts_[id]; }  // requires: add() was called for the id

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
      listed_[id] = false;
      if (counts_[id] == 0) retire(id);
    }
  }

 private:
  void list(uint32_t id) {
    if (listed_[id]) return;
    listed_[id] = true;
    candidates_.push_back(id);
  }

  std::vector<uint32_t> counts_;
  std::vector<bool> listed_;  // in candidates_
  std::vector<uint32_t> candidates_;
};

}  // namespace berth::model
