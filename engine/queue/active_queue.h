#pragma once

// Pods that can be tried now, in the order of the profile's QueueSort plugin; equal keys leave in
// order of entry.
//
// Most pods arrive in order: those form a run, a deque that costs O(1) a pod. Only pods that
// arrive out of order go to a heap. Removal is lazy: each pod has at most one valid entry, whose
// number the queue keeps by pod, and an entry with another number is skipped when it surfaces.
// So `remove` and `update` cost O(1) whatever the pod's position. When more than half of the
// entries are stale they are dropped, so memory follows the pods that wait.
//
// One thread.

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "engine/model/pods/pod_id.h"
#include "engine/queue/sort_key.h"

namespace berth::queue {

class ActiveQueue {
 public:
  // Precondition: the pod is not in the queue.
  void push(const SortKey& key, model::PodId pod);
  // The first pod, which leaves the queue; nothing if the queue is empty.
  std::optional<model::PodId> pop();

  bool contains(model::PodId pod) const;
  // Removes the pod; false if it is not in the queue.
  bool remove(model::PodId pod);
  // The pod has another key from now on, and its place among equal keys is the last. Precondition:
  // it is in the queue.
  void update(const SortKey& key, model::PodId pod);

  size_t size() const { return size_; }
  size_t entries() const { return run_.size() + heap_.size(); }  // stale ones included

 private:
  struct Entry {
    SortKey key{};
    uint64_t number = 0;  // counts up with every push, from 1
    model::PodId pod;

    bool before(const Entry& other) const {
      return key != other.key ? key < other.key : number < other.number;
    }
  };
  static bool later(const Entry& a, const Entry& b) { return b.before(a); }
  bool valid(const Entry& entry) const;
  Entry take_first();
  void drop_stale();

  std::deque<Entry> run_;
  std::vector<Entry> heap_;  // the one that leaves first at the front
  struct Current {
    uint64_t number = 0;  // of the pod's valid entry; 0: none
    uint32_t generation = 0;
  };
  std::vector<Current> current_;  // by index of the pod
  uint64_t pushed_ = 0;
  size_t size_ = 0;
};

}  // namespace berth::queue
