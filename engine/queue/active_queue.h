#pragma once

// Pods that wait to be tried, in the order of the profile's QueueSort plugin; equal keys leave in
// order of entry. One thread.

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "engine/model/pods/pod_templates.h"

namespace berth::queue {

using SortKey = std::array<uint8_t, 16>;  // compared bytewise, smallest first

struct QueuedPod {
  SortKey key{};
  uint64_t entry = 0;  // counts up with every push
  model::PodRecord pod;

  bool before(const QueuedPod& other) const {
    return key != other.key ? key < other.key : entry < other.entry;
  }
};

class ActiveQueue {
 public:
  void push(const SortKey& key, const model::PodRecord& pod);
  std::optional<QueuedPod> pop();  // nothing: it is empty
  size_t size() const { return run_.size() + heap_.size(); }

 private:
  // Most pods come in order: those are a run, and only the others cost a heap.
  std::deque<QueuedPod> run_;
  std::vector<QueuedPod> heap_;  // the one that comes first at the front
  uint64_t entries_ = 0;
};

}  // namespace berth::queue
