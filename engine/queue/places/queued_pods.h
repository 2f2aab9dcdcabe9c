#pragma once

// The facts that the queue keeps of each pod that it knows, by the index of its id. Rows live in
// chunks that never move. A row is one cache line.

#include "engine/base/assert.h"
#include "engine/base/memory/chunk_memory.h"
#include "engine/model/pods/pod_id.h"
#include "engine/queue/place.h"
#include "engine/queue/queue_event.h"

namespace berth::queue {

using RefusalId = uint32_t;  // see refused_pods.h; 0: by nobody
inline constexpr uint32_t kNoIndex = UINT32_MAX;

struct QueuedPod {
  uint32_t generation = 0;  // 0: the row is free
  uint32_t version = 0;     // of the row's valid entry, counted on whenever an entry ends
  Place place = Place::kNone;
  bool timed_out = false;  // it waited too long since its last attempt
  ProfileId profile = 0;
  uint32_t attempts = 0;
  uint32_t refusals = 0;  // attempts that plugins refused
  uint32_t errors = 0;    // attempts since then that failed otherwise
  RefusalId refusal = 0;
  // Waiting: its class. In flight: its position there. Active and backing off: its position in the
  // heap, if there is one (pod_order.h).
  uint32_t slot = kNoIndex;
  uint32_t next = kNoIndex;  // neighbours in the class
  uint32_t previous = kNoIndex;
  Time queued_at{};
  uint64_t number = 0;              // of the entry at queued_at among all entries of all pods
  Time first_active = Time::min();  // min: never
};
static_assert(sizeof(QueuedPod) == 64);

class QueuedPods {
 public:
  // Null: the pod is unknown.
  QueuedPod* find(model::PodId pod) {
    if (pod.index >= rows() || !pod) return nullptr;
    QueuedPod& row = (*this)[pod.index];
    return row.generation == pod.generation ? &row : nullptr;
  }
  const QueuedPod* find(model::PodId pod) const { return const_cast<QueuedPods*>(this)->find(pod); }
  // Precondition: the pod has an id, and the row of its index is free.
  QueuedPod& add(model::PodId pod);
  void remove(uint32_t index) { remove((*this)[index]); }
  static void remove(QueuedPod& row);

  // Precondition: index < rows().
  QueuedPod& operator[](uint32_t index) { return pods_[index]; }
  const QueuedPod& operator[](uint32_t index) const { return pods_[index]; }
  model::PodId id(uint32_t index) const { return {index, (*this)[index].generation}; }
  uint32_t rows() const { return static_cast<uint32_t>(pods_.size()); }

 private:
  ChunkedRows<QueuedPod, 10> pods_;
};

inline QueuedPod& QueuedPods::add(model::PodId pod) {
  while (pod.index >= rows()) pods_.grow();
  QueuedPod& row = (*this)[pod.index];
  BERTH_ASSERT(pod && row.generation == 0);
  row.generation = pod.generation;
  return row;
}

inline void QueuedPods::remove(QueuedPod& row) {
  const uint32_t version = row.version;
  row = QueuedPod{};
  row.version = version;
}

}  // namespace berth::queue
