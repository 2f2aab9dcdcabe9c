#pragma once

// A binary heap that moves entries exactly as Go's container/heap does. Entries may be equal. Which
// of several equal entries leaves first follows from every push, removal and update since the heap
// was empty: an entry rises only above entries that it is ahead of, of two equal children the left
// one rises, and a removed entry's place is taken by the last one. kube-scheduler's queues are such
// heaps, so pods of one priority and one time leave in this order.
//
// The heap tells the position of each entry that it moves, so any entry can be removed or updated
// in O(log n). One thread.

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/base/assert.h"

namespace berth::queue {

struct EntryIsAhead {
  template <typename Entry>
  bool operator()(const Entry& first, const Entry& second) const {
    return first.ahead(second);
  }
};

// Moved is callable as void(const Entry&, size_t position); it is called when the entry gets a
// position. Ahead is callable as bool(const Entry&, const Entry&), a strict weak order.
template <typename Entry, typename Moved, typename Ahead = EntryIsAhead>
class SiftHeap {
 public:
  explicit SiftHeap(Moved moved, std::vector<Entry> heap = {}, Ahead ahead = {})
      : moved_(std::move(moved)), ahead_(std::move(ahead)), entries_(std::move(heap)) {}

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  // Precondition: not empty.
  const Entry& first() const {
    BERTH_ASSERT(!empty());
    return entries_.front();
  }
  const std::vector<Entry>& entries() const { return entries_; }

  void push(const Entry& entry) {
    entries_.push_back(entry);
    rise(entries_.size() - 1, entry);
  }
  // Removes the entry at the position. Precondition: position < size().
  void remove(size_t position);
  // Replaces the entry at the position. Precondition: position < size().
  void update(size_t position, const Entry& entry) {
    BERTH_ASSERT(position < size());
    if (!sink(position, entry)) rise(position, entry);
  }

 private:
  void put(size_t at, const Entry& entry) {
    entries_[at] = entry;
    moved_(entry, at);
  }
  void rise(size_t at, Entry entry);
  bool sink(size_t at, Entry entry);

  Moved moved_;
  Ahead ahead_;
  std::vector<Entry> entries_;
};

template <typename Entry, typename Moved, typename Ahead>
void SiftHeap<Entry, Moved, Ahead>::rise(size_t at, Entry entry) {
  while (at != 0) {
    const size_t parent = (at - 1) / 2;
    if (!ahead_(entry, entries_[parent])) break;
    put(at, entries_[parent]);
    at = parent;
  }
  put(at, entry);
}

// False if the entry stays where it is.
template <typename Entry, typename Moved, typename Ahead>
bool SiftHeap<Entry, Moved, Ahead>::sink(size_t at, Entry entry) {
  const size_t from = at;
  for (size_t child = 2 * at + 1; child < entries_.size(); child = 2 * at + 1) {
    if (child + 1 < entries_.size() && ahead_(entries_[child + 1], entries_[child])) ++child;
    if (!ahead_(entries_[child], entry)) break;
    put(at, entries_[child]);
    at = child;
  }
  put(at, entry);
  return at != from;
}

template <typename Entry, typename Moved, typename Ahead>
void SiftHeap<Entry, Moved, Ahead>::remove(size_t position) {
  BERTH_ASSERT(position < entries_.size());
  const Entry last = entries_.back();
  entries_.pop_back();
  if (position != entries_.size()) update(position, last);
}

}  // namespace berth::queue
