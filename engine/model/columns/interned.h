#pragma once

// Distinct values by dense id, counted and retired: the table behind selectors and tolerations.
//
// Counts rather than epochs, for the reason that reference_counts.h gives: templates and objects of
// the cluster are known when they come and when they go. Who keeps an id across `collect` retains
// it. What is only derived (terms of shapes, queries) retains nothing, because the cluster forgets
// all of it before it collects.
//
// A value stays where it is until it is retired. Its identity, bytes that no other value has, is
// kept once. Ids are used again. `collect` leaves room in the index for as many values as there
// are, so that the next ones do not rehash it at once.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/model/columns/reference_counts.h"

namespace berth::model {

// One thread adds, retains and collects; others may read values meanwhile, while none is added.
template <typename Value>
class Interned {
 public:
  // Ids are from 1; 0 is the caller's, for "none".
  Interned() : entries_(1) {}

  // 0: no value has this identity.
  uint32_t find(std::string_view identity) const {
    const auto at = ids_.find(identity);
    return at == ids_.end() ? 0 : at->second;
  }
  // The id of a new value. Precondition: none has this identity.
  uint32_t add(std::string identity, Value value) {
    uint32_t id = end();
    if (free_.empty()) {
      BERTH_ASSERT(id != UINT32_MAX);
      entries_.emplace_back();
    } else {
      id = free_.back();
      free_.pop_back();
    }
    Entry& made = entries_[id];
    made = {std::move(identity), std::move(value), true};
    const bool fresh = ids_.emplace(made.identity, id).second;
    BERTH_ASSERT(fresh);
    counts_.add(id);
    return id;
  }

  // Precondition: contains(id).
  const Value& operator[](uint32_t id) const {
    BERTH_ASSERT(contains(id));
    return entries_[id].value;
  }
  bool contains(uint32_t id) const { return id < end() && entries_[id].there; }
  uint32_t end() const { return static_cast<uint32_t>(entries_.size()); }  // ids are below it
  size_t count() const { return ids_.size(); }                             // values that there are

  void retain(uint32_t id) { counts_.retain(id); }
  void release(uint32_t id) { counts_.release(id); }

  // Calls retired(value) for each value without references, and forgets it.
  template <typename Retired>
  void collect(Retired&& retired) {
    bool any = false;
    counts_.sweep([&](uint32_t id) {
      Entry& gone = entries_[id];
      retired(std::as_const(gone.value));
      ids_.erase(gone.identity);
      gone = {};
      free_.push_back(id);
      any = true;
    });
    if (any) ids_.reserve(2 * ids_.size());
  }

 private:
  struct Entry {
    std::string identity;
    Value value{};
    bool there = false;
  };

  std::deque<Entry> entries_;  // by id
  std::vector<uint32_t> free_;
  ReferenceCounts counts_;
  boost::unordered_flat_map<std::string_view, uint32_t> ids_;  // by identity
};

}  // namespace berth::model
