#include "engine/queue/active_queue.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::queue {
namespace {

constexpr size_t kFewestStale = 1024;  // not worth dropping below

}  // namespace

bool ActiveQueue::valid(const Entry& entry) const {
  const Current& current = current_[entry.pod.index];
  return current.number == entry.number && current.generation == entry.pod.generation;
}

bool ActiveQueue::contains(model::PodId pod) const {
  return pod.index < current_.size() && current_[pod.index].number != 0 &&
         current_[pod.index].generation == pod.generation;
}

void ActiveQueue::push(const SortKey& key, model::PodId pod) {
  BERTH_ASSERT(!contains(pod));
  if (pod.index >= current_.size()) current_.resize(pod.index + 1);
  const Entry entry{key, ++pushed_, pod};
  current_[pod.index] = {entry.number, pod.generation};
  ++size_;
  if (run_.empty() || run_.back().before(entry)) {
    run_.push_back(entry);
    return;
  }
  heap_.push_back(entry);
  std::push_heap(heap_.begin(), heap_.end(), later);
}

ActiveQueue::Entry ActiveQueue::take_first() {
  const bool from_heap = run_.empty() || (!heap_.empty() && heap_.front().before(run_.front()));
  if (!from_heap) {
    const Entry first = run_.front();
    run_.pop_front();
    return first;
  }
  std::pop_heap(heap_.begin(), heap_.end(), later);
  const Entry first = heap_.back();
  heap_.pop_back();
  return first;
}

std::optional<model::PodId> ActiveQueue::pop() {
  while (size_ != 0) {
    const Entry first = take_first();
    if (!valid(first)) continue;
    remove(first.pod);
    return first.pod;
  }
  run_.clear();
  heap_.clear();
  return std::nullopt;
}

bool ActiveQueue::remove(model::PodId pod) {
  if (!contains(pod)) return false;
  current_[pod.index].number = 0;
  --size_;
  const size_t entries = run_.size() + heap_.size();
  if (entries - std::min(entries, size_) > std::max(kFewestStale, size_)) drop_stale();
  return true;
}

void ActiveQueue::update(const SortKey& key, model::PodId pod) {
  const bool was_there = remove(pod);
  BERTH_ASSERT(was_there);
  push(key, pod);
}

void ActiveQueue::drop_stale() {
  const auto stale = [&](const Entry& entry) { return !valid(entry); };
  std::erase_if(run_, stale);
  std::erase_if(heap_, stale);
  std::make_heap(heap_.begin(), heap_.end(), later);
}

}  // namespace berth::queue
