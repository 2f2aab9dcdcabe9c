#pragma once

// Entries in order, with lazy removal: the owner says of an entry whether it is still valid, and
// invalid ones are skipped when they surface. So removal costs O(1) whatever the position. When
// more than half of the entries are invalid they are dropped, so memory follows the valid ones.
//
// Entries mostly come in a few ascending sequences: pods of one priority in the order of arrival,
// or the pods of one flush. Each sequence forms a run, a deque that costs O(1) an entry. An entry
// goes to the run whose last entry is the latest before it, so a few priorities that arrive
// interleaved stay apart. What fits no run goes to a heap.
//
// One thread.

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>

#include "engine/base/assert.h"
#include "engine/queue/places/heap.h"

namespace berth::queue {

// Entry has `bool before(const Entry&) const`, a strict order in which valid entries differ.
// Valid is callable as bool(const Entry&). It has to be given to each call that needs it, and
// answers for an entry may change from true to false only, each followed by a call of `forget`.
template <typename Entry>
class EntryQueue {
 public:
  using value_type = Entry;

  void push(const Entry& entry);
  // The first valid entry; null: none. Valid until the next call of another member.
  template <typename Valid>
  const Entry* first(Valid&& valid);
  // Removes what `first` returned. Precondition: it was the latest call, and returned an entry.
  void drop_first();
  // To be called after an entry became invalid.
  template <typename Valid>
  void forget(Valid&& valid);

  size_t size() const { return entries_ - invalid_; }
  size_t entries() const { return entries_; }  // invalid ones included
  // Up to so many entries, invalid ones included, that are likely to leave next.
  template <typename Visit>
  void for_each_next(size_t most, Visit&& visit) const;
  // All entries, invalid ones included, in no order.
  template <typename Visit>
  void for_each(Visit&& visit) const;

 private:
  static constexpr size_t kRuns = 16;
  static constexpr size_t kHeap = kRuns;          // in place of the index of a run
  static constexpr size_t kFewestInvalid = 1024;  // not worth dropping below

  // The run to append to, or kHeap.
  size_t run_for(const Entry& entry) const;
  size_t run_of_first() const;
  void drop(size_t from);
  void retire_if_empty(size_t run);

  std::array<std::deque<Entry>, kRuns> runs_;  // the first `live_` are not empty
  size_t live_ = 0;
  Heap<Entry> heap_;
  size_t entries_ = 0;
  size_t invalid_ = 0;
  size_t first_in_ = kHeap;  // where `first` found its answer
};

template <typename Entry>
size_t EntryQueue<Entry>::run_for(const Entry& entry) const {
  if (live_ == 1 && runs_[0].back().before(entry)) return 0;  // mostly
  size_t best = kHeap;
  for (size_t run = 0; run < live_; ++run) {
    if (!runs_[run].back().before(entry)) continue;
    if (best == kHeap || runs_[best].back().before(runs_[run].back())) best = run;
  }
  return best == kHeap && live_ < kRuns ? live_ : best;
}

template <typename Entry>
void EntryQueue<Entry>::push(const Entry& entry) {
  ++entries_;
  const size_t run = run_for(entry);
  if (run == kHeap) {
    heap_.push(entry);
    return;
  }
  if (run == live_) ++live_;
  runs_[run].push_back(entry);
}

template <typename Entry>
size_t EntryQueue<Entry>::run_of_first() const {
  if (live_ == 1 && heap_.empty()) return 0;
  size_t best = kHeap;
  const Entry* first = heap_.empty() ? nullptr : &heap_.first();
  for (size_t run = 0; run < live_; ++run) {
    const Entry& front = runs_[run].front();
    if (first != nullptr && !front.before(*first)) continue;
    first = &front;
    best = run;
  }
  return best;
}

template <typename Entry>
template <typename Valid>
const Entry* EntryQueue<Entry>::first(Valid&& valid) {
  while (entries_ != 0) {
    first_in_ = run_of_first();
    const Entry& entry = first_in_ == kHeap ? heap_.first() : runs_[first_in_].front();
    if (valid(entry)) return &entry;
    BERTH_ASSERT(invalid_ != 0);
    drop(first_in_);
    --invalid_;
  }
  return nullptr;
}

template <typename Entry>
void EntryQueue<Entry>::drop_first() {
  drop(first_in_);
}

template <typename Entry>
void EntryQueue<Entry>::drop(size_t from) {
  --entries_;
  if (from == kHeap) {
    heap_.pop();
    return;
  }
  BERTH_ASSERT(from < live_);
  runs_[from].pop_front();
  retire_if_empty(from);
}

template <typename Entry>
void EntryQueue<Entry>::retire_if_empty(size_t run) {
  if (!runs_[run].empty()) return;
  --live_;
  if (run != live_) runs_[run].swap(runs_[live_]);
}

template <typename Entry>
template <typename Valid>
void EntryQueue<Entry>::forget(Valid&& valid) {
  ++invalid_;
  BERTH_ASSERT(invalid_ <= entries_);
  if (invalid_ <= std::max(kFewestInvalid, size())) return;
  const auto invalid = [&](const Entry& entry) { return !valid(entry); };
  for (size_t run = live_; run-- > 0;) {
    std::erase_if(runs_[run], invalid);
    retire_if_empty(run);
  }
  heap_.erase_if(invalid);
  entries_ -= invalid_;
  invalid_ = 0;
}

template <typename Entry>
template <typename Visit>
void EntryQueue<Entry>::for_each_next(size_t most, Visit&& visit) const {
  if (entries_ == 0) return;
  const size_t run = run_of_first();
  if (run == kHeap) {
    for (auto at = heap_.begin(); at != heap_.end() && most != 0; ++at, --most) visit(*at);
  } else {
    const size_t count = std::min(most, runs_[run].size());
    for (size_t i = 0; i < count; ++i) visit(runs_[run][i]);
  }
}

template <typename Entry>
template <typename Visit>
void EntryQueue<Entry>::for_each(Visit&& visit) const {
  for (size_t run = 0; run < live_; ++run)
    for (const Entry& entry : runs_[run]) visit(entry);
  for (const Entry& entry : heap_) visit(entry);
}

}  // namespace berth::queue
