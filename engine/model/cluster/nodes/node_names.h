#pragma once

// The names of nodes and their slots. A name has one slot from `add` to `retire`; a retired slot is
// used again. Slots are dense: 0..slots() - 1. Each name with a slot is retained.
//
// Belongs to the node table and has its threads.

#include <boost/unordered/unordered_flat_map.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/model/columns/strings.h"
#include "engine/model/pods/pod_table.h"

namespace berth::model {

class NodeNames {
 public:
  explicit NodeNames(Strings& strings) : strings_(strings) {}

  // The slot of a name, and true if it is new: a retired slot, or else slots() before the call.
  std::pair<Slot, bool> add(StringId name) {
    const Slot next = free_.empty() ? slots() : free_.back();
    const auto [at, fresh] = slots_by_name_.try_emplace(name, next);
    if (!fresh) return {at->second, false};
    strings_.retain(name);
    if (free_.empty()) {
      texts_.emplace_back();
    } else {
      free_.pop_back();
    }
    texts_[next] = strings_.text(name);
    return {next, true};
  }
  // kNoSlot if the name has no slot.
  Slot find(StringId name) const {
    const auto at = slots_by_name_.find(name);
    return at == slots_by_name_.end() ? kNoSlot : at->second;
  }
  // Precondition: `slot` is that of the name.
  void retire(Slot slot, StringId name) {
    BERTH_ASSERT(find(name) == slot);
    slots_by_name_.erase(name);
    strings_.release(name);
    texts_[slot] = {};
    free_.push_back(slot);
  }
  // Requires slot < slots(); empty if the slot is retired.
  std::string_view text(Slot slot) const { return texts_[slot]; }
  Slot slots() const { return static_cast<Slot>(texts_.size()); }
  // Asks for the memory that text(slot) reads.
  void prefetch(Slot slot) const { __builtin_prefetch(&texts_[slot]); }

 private:
  Strings& strings_;
  boost::unordered_flat_map<StringId, Slot> slots_by_name_;
  // By slot. They are apart from the nodes because every decision reads that of the node that it
  // chose.
  std::vector<std::string_view> texts_;
  std::vector<Slot> free_;
};

}  // namespace berth::model
