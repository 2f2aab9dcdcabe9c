#pragma once

// Pods of higher priority leave the queue first; among equals, the one that entered first
// (kube-scheduler v1.34.1, plugins/queuesort).

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

// A key has the priority first, inverted, and then the order of entry into the queue, both
// big-endian, so that comparing bytes compares pods.
class PrioritySort final : public sdk::QueueSort {
 public:
  void keys(const Call& call, std::span<sdk::SortKey> keys) const override;

 private:
  sdk::Input<int64_t> priority_{*this, "pod.priority"};
  sdk::Input<int64_t> queued_at_{*this, "pod.queued_at"};
};

}  // namespace berth::plugins
