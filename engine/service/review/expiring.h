#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/time.h"

namespace berth::service {

// Values by text, each until a moment. Of more than `most`, those go first that were not used for
// the longest time. One thread.
template <typename Value>
class Expiring {
 public:
  explicit Expiring(size_t most) : most_(most) { BERTH_ASSERT(most > 0); }

  // Null: there is none, or its time is over. Valid until the next call.
  const Value* find(const std::string& key, Time now) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    if (found->second->until <= now) {
      entries_.erase(found->second);
      by_key_.erase(found);
      return nullptr;
    }
    entries_.splice(entries_.begin(), entries_, found->second);
    return &found->second->value;
  }

  void put(const std::string& key, Value value, Time until) {
    if (const auto found = by_key_.find(key); found != by_key_.end()) {
      entries_.erase(found->second);
      by_key_.erase(found);
    }
    entries_.push_front({key, std::move(value), until});
    by_key_.emplace(key, entries_.begin());
    if (entries_.size() <= most_) return;
    by_key_.erase(entries_.back().key);
    entries_.pop_back();
  }

  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string key;
    Value value;
    Time until;
  };

  size_t most_;
  std::list<Entry> entries_;  // the last used first
  std::unordered_map<std::string, typename std::list<Entry>::iterator> by_key_;
};

}  // namespace berth::service
