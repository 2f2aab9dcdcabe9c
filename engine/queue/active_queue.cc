#include "engine/queue/active_queue.h"

#include <algorithm>

namespace berth::queue {
namespace {

// For std heaps, which have the largest in front.
bool later(const QueuedPod& a, const QueuedPod& b) { return b.before(a); }

}  // namespace

void ActiveQueue::push(const SortKey& key, const model::PodRecord& pod) {
  QueuedPod queued{key, entries_++, pod};
  if (run_.empty() || run_.back().before(queued)) {
    run_.push_back(queued);
    return;
  }
  heap_.push_back(queued);
  std::push_heap(heap_.begin(), heap_.end(), later);
}

std::optional<QueuedPod> ActiveQueue::pop() {
  if (heap_.empty() && run_.empty()) return std::nullopt;
  bool from_heap = run_.empty() || (!heap_.empty() && heap_.front().before(run_.front()));
  if (!from_heap) {
    QueuedPod first = run_.front();
    run_.pop_front();
    return first;
  }
  std::pop_heap(heap_.begin(), heap_.end(), later);
  QueuedPod first = heap_.back();
  heap_.pop_back();
  return first;
}

}  // namespace berth::queue
