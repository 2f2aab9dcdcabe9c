#pragma once

// The question for sort keys, and where the answers go.

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "engine/queue/places/key_tails.h"
#include "engine/queue/queue_hooks.h"
#include "engine/queue/sort_key.h"

namespace berth::queue {

// Keeps its memory. One thread.
class SortKeys {
 public:
  // Both outlive it. `key_bytes` as QueueOptions has it.
  SortKeys(QueueHooks& hooks, KeyTails& tails, size_t key_bytes)
      : hooks_(hooks), tails_(tails), key_bytes_(key_bytes) {}

  // The keys of the pods, in step, until the next question. What is longer goes to the tails.
  std::span<const SortKey> ask(ProfileId profile, std::span<const model::PodId> pods) {
    keys_.resize(pods.size());
    if (key_bytes_ == sizeof(SortKey)) [[likely]]
      hooks_.sort_keys(profile, pods, {keys_.data()->data(), keys_.size() * sizeof(SortKey)});
    else
      ask_for_others(profile, pods);
    return keys_;
  }

 private:
  void ask_for_others(ProfileId profile, std::span<const model::PodId> pods) {
    whole_.resize(pods.size() * key_bytes_);
    hooks_.sort_keys(profile, pods, whole_);
    for (size_t i = 0; i < pods.size(); ++i) {
      const uint8_t* key = &whole_[i * key_bytes_];
      keys_[i] = {};
      std::copy_n(key, std::min(key_bytes_, sizeof(SortKey)), keys_[i].begin());
      if (tails_.bytes() != 0) tails_.set(pods[i].index, key + sizeof(SortKey));
    }
  }

  QueueHooks& hooks_;
  KeyTails& tails_;
  const size_t key_bytes_;
  std::vector<SortKey> keys_;
  std::vector<uint8_t> whole_;  // where keys are not as long as a SortKey
};

}  // namespace berth::queue
