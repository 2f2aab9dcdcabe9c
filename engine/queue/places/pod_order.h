#pragma once

// One of the orders in which pods leave the queue: active pods, pods that back off, and pods that
// back off after an error.
//
// kube-scheduler keeps each order in a binary heap. While no two pods are equal, every priority
// queue gives the same order, and EntryQueue gives it at O(1) a pod: a queue mostly gets pods in
// order. Where pods can be equal (QueueOptions::equal_times), the order of equal pods is that of
// kube-scheduler's heap, and only a heap that moves its entries alike (SiftHeap) gives it, at
// O(log n) a pod.
//
// Sort keys that are longer than those in the entries are also for the heap: it removes entries at
// once, so a pod has one key, whose end is beside the entries (KeyTails).
//
// One thread.

#include <algorithm>
#include <vector>

#include "engine/queue/places/entries.h"
#include "engine/queue/places/entry_queue.h"
#include "engine/queue/places/key_tails.h"
#include "engine/queue/places/queued_pods.h"
#include "engine/queue/places/sift_heap.h"

namespace berth::queue {

// Entry is one of entries.h. Each pod has at most one entry in all orders together.
template <typename Entry>
class PodOrder {
 public:
  // `equals`: whether pods may be equal. `pods` and `tails` outlive the order.
  PodOrder(QueuedPods& pods, const KeyTails& tails, bool equals)
      : pods_(pods),
        ahead_{&tails, equals},
        sifts_(equals || tails.bytes() != 0),
        heap_(Keep{&pods}, {}, ahead_) {}

  // Precondition: the pod is in no order, and the entry has its version.
  void push(const Entry& entry) { sifts_ ? heap_.push(entry) : fast_.push(entry); }
  // The entry that leaves first; null: none. Valid until the next call of another member.
  const Entry* first() {
    if (!sifts_) return fast_.first(valid());
    return heap_.empty() ? nullptr : &heap_.first();
  }
  // Removes what `first` returned. Precondition: it was the latest call, and returned an entry. The
  // caller counts the pod's version on.
  void drop_first() { sifts_ ? heap_.remove(0) : fast_.drop_first(); }
  // Removes the pod's entry. Precondition: the pod is in this order, and its version was counted on
  // since.
  void erase(uint32_t index) { sifts_ ? heap_.remove(pods_[index].slot) : fast_.forget(valid()); }
  // Replaces the entry of the entry's pod. Preconditions: those of `erase`, and the new entry has
  // the new version.
  void update(const Entry& entry) {
    if (sifts_) return heap_.update(pods_[ticket_of(entry).index].slot, entry);
    fast_.forget(valid());
    fast_.push(entry);
  }
  // Visits the entries, in no particular order.
  template <typename Visit>  // visit(entry)
  void for_each(Visit&& visit) const;
  // Visits up to so many entries that are likely to leave next.
  template <typename Visit>  // visit(entry)
  void for_each_next(size_t most, Visit&& visit) const;
  // All entries in the order in which they leave, if no pod comes.
  std::vector<Entry> in_order() const;

 private:
  // A pod in a heap knows its position.
  struct Keep {
    QueuedPods* pods;
    void operator()(const Entry& entry, size_t position) const {
      (*pods)[ticket_of(entry).index].slot = static_cast<uint32_t>(position);
    }
  };
  struct Ahead {
    const KeyTails* tails;
    bool equals;
    bool operator()(const Entry& first, const Entry& second) const {
      if (tails->bytes() == 0) return first.ahead(second);
      if (first.ahead(second) || second.ahead(first)) return first.ahead(second);
      const int order = tails->compare(ticket_of(first).index, ticket_of(second).index);
      return order != 0 ? order < 0 : !equals && first.before(second);
    }
  };
  auto valid() const {
    return [this](const Entry& entry) {
      const Ticket ticket = ticket_of(entry);
      return pods_[ticket.index].version == ticket.version;
    };
  }

  QueuedPods& pods_;
  Ahead ahead_;
  bool sifts_;  // entries are in the heap
  EntryQueue<Entry> fast_;
  SiftHeap<Entry, Keep, Ahead> heap_;
};

template <typename Entry>
template <typename Visit>
void PodOrder<Entry>::for_each(Visit&& visit) const {
  if (sifts_) {
    for (const Entry& entry : heap_.entries()) visit(entry);
    return;
  }
  fast_.for_each([&](const Entry& entry) {
    if (valid()(entry)) visit(entry);
  });
}

template <typename Entry>
template <typename Visit>
void PodOrder<Entry>::for_each_next(size_t most, Visit&& visit) const {
  if (sifts_) {
    const std::vector<Entry>& heap = heap_.entries();
    for (size_t i = 0; i < std::min(most, heap.size()); ++i) visit(heap[i]);
    return;
  }
  fast_.for_each_next(most, [&](const Entry& entry) {
    if (valid()(entry)) visit(entry);
  });
}

template <typename Entry>
std::vector<Entry> PodOrder<Entry>::in_order() const {
  std::vector<Entry> found;
  if (sifts_) {
    const auto nobody = [](const Entry&, size_t) {};
    SiftHeap<Entry, decltype(nobody), Ahead> left(nobody, heap_.entries(), ahead_);
    for (; !left.empty(); left.remove(0)) found.push_back(left.first());
    return found;
  }
  for_each([&](const Entry& entry) { found.push_back(entry); });
  std::sort(found.begin(), found.end(), [](const Entry& a, const Entry& b) { return a.before(b); });
  return found;
}

}  // namespace berth::queue
