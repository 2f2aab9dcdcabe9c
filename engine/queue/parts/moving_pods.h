#pragma once

// Pods on their way into the queues, and what the hooks say of them: whether a gate keeps them, and
// their sort keys.

#include <vector>

#include "engine/queue/move_counts.h"
#include "engine/queue/parts/sort_keys.h"
#include "engine/queue/place.h"
#include "engine/queue/places/pod_places.h"
#include "engine/queue/queue_hooks.h"

namespace berth::queue {

struct MovingPod {
  uint64_t number = 0;  // QueuedPod::number
  uint32_t index = 0;
  bool immediately = false;  // whatever backoff is left
  bool waited = false;       // it was unschedulable or gated
  Place to = Place::kNone;   // kActive or kBackoff; kGated if a gate keeps it
  SortKey key{};             // if the place needs one
};

// Keeps its memory. One thread.
class MovingPods {
 public:
  // Both outlive it. The rest as QueueOptions has it.
  MovingPods(QueueHooks& hooks, PodPlaces& places, size_t key_bytes, bool pop_from_backoff,
             bool activation_asks)
      : hooks_(hooks),
        places_(places),
        pop_from_backoff_(pop_from_backoff),
        activation_asks_(activation_asks),
        keys_(hooks, places.tails(), key_bytes) {}

  // Appends the pod, which leaves its place.
  void take(uint32_t index, bool immediately);
  // Appends the pod; the caller takes it from its place.
  void add(uint32_t index, bool immediately, bool waited);
  // Puts the pods in the order of their queue time.
  void sort();
  void clear() { pods_.clear(); }

  std::vector<MovingPod>::iterator begin() { return pods_.begin(); }
  std::vector<MovingPod>::iterator end() { return pods_.end(); }

  // Asks the hooks. Precondition: `to` is set.
  void ask(const Move& move);
  // The key of a pod where it is; zeros if it needs none there.
  SortKey key(uint32_t index);

 private:
  void list_profiles();
  void ask_gates(ProfileId profile, const Move& move);
  void ask_keys(ProfileId profile);
  bool needs_key(uint32_t index, Place to) const;

  QueueHooks& hooks_;
  PodPlaces& places_;
  const bool pop_from_backoff_, activation_asks_;
  std::vector<MovingPod> pods_;
  // Of the present question.
  std::vector<ProfileId> profiles_;  // of pods_, each once
  std::vector<model::PodId> asked_;
  std::vector<RefuserId> gates_;
  SortKeys keys_;
};

}  // namespace berth::queue
