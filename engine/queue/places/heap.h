#pragma once

// A heap of small entries in which each has four children: half as deep as one of pairs, and
// siblings lie side by side, so a large heap costs fewer cache misses.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/base/assert.h"

namespace berth::queue {

// Entry has `bool before(const Entry&) const`, a strict weak order. One thread.
template <typename Entry>
class Heap {
 public:
  bool empty() const { return entries_.empty(); }
  // Precondition: not empty.
  const Entry& first() const {
    BERTH_ASSERT(!empty());
    return entries_.front();
  }
  void push(const Entry& entry) {
    entries_.push_back(entry);
    rise(entries_.size() - 1, 0, entry);
  }
  void pop();  // removes the first; the same precondition
  template <typename Drop>
  void erase_if(Drop&& drop);

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  static constexpr size_t kChildren = 4;

  void rise(size_t at, size_t top, Entry entry);
  size_t sink_hole(size_t at);
  size_t first_of(size_t begin, size_t end) const;

  std::vector<Entry> entries_;
};

// Moves later parents down, up to `top`, until the entry has its place.
template <typename Entry>
void Heap<Entry>::rise(size_t at, size_t top, Entry entry) {
  while (at != top) {
    const size_t parent = (at - 1) / kChildren;
    if (!entry.before(entries_[parent])) break;
    entries_[at] = entries_[parent];
    at = parent;
  }
  entries_[at] = entry;
}

template <typename Entry>
size_t Heap<Entry>::first_of(size_t begin, size_t end) const {
  size_t best = begin;
  for (size_t i = begin + 1; i < end; ++i)
    if (entries_[i].before(entries_[best])) best = i;
  return best;
}

// Fills the hole from below. Returns the leaf where it ends.
template <typename Entry>
size_t Heap<Entry>::sink_hole(size_t at) {
  for (;;) {
    const size_t begin = at * kChildren + 1;
    if (begin >= entries_.size()) return at;
    const size_t next = first_of(begin, std::min(begin + kChildren, entries_.size()));
    entries_[at] = entries_[next];
    at = next;
  }
}

// The last entry goes to the hole's leaf and rises: it is late, so it rarely rises far.
template <typename Entry>
void Heap<Entry>::pop() {
  BERTH_ASSERT(!empty());
  const Entry last = entries_.back();
  entries_.pop_back();
  if (!entries_.empty()) rise(sink_hole(0), 0, last);
}

template <typename Entry>
template <typename Drop>
void Heap<Entry>::erase_if(Drop&& drop) {
  std::erase_if(entries_, drop);
  for (size_t top = (entries_.size() + kChildren - 2) / kChildren; top-- > 0;) {
    const Entry entry = entries_[top];
    rise(sink_hole(top), top, entry);
  }
}

}  // namespace berth::queue
