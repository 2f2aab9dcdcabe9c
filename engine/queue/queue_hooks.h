#pragma once

#include <cstdint>
#include <span>

#include "engine/model/pods/pod_id.h"
#include "engine/queue/queue_event.h"

namespace berth::queue {

// The questions of the queue to its owner. Calls come from operations of the queue, on its thread,
// and must not call the queue. All pods of one call belong to `profile`, or to the profile of
// `refuser`. `pods` is never empty, and answers stand at the position of their pod.
class QueueHooks {
 public:
  virtual ~QueueHooks() = default;

  // The pod's time in the queue from now on: when it was added, or when its latest attempt failed.
  // `moment` orders pods as `at` does: it differs for each entry of a pod, or, with
  // QueueOptions::equal_times, for each time. The value of the column pod.queued_at. Called before
  // `gate` and `sort_keys`.
  virtual void queued(model::PodId pod, Time at, uint64_t moment) = 0;

  // PreEnqueue. by[i]: in, the refuser that gates the pod so far, which is asked first, or kNobody;
  // out, the refuser that gates it, or kNobody if it may enter. Asked each time that kube-scheduler
  // asks: before a pod becomes active or backs off, but not again on its way from backoff to active
  // when its backoff ends, or without QueueOptions::activation_asks (without pop_from_backoff: on
  // that way, and not before it backs off).
  virtual void gate(ProfileId profile, std::span<const model::PodId> pods,
                    std::span<RefuserId> by) = 0;

  // QueueSort. Called when pods become active, when they back off after a refusal (without
  // pop_from_backoff not then), and when they are updated there. `keys`:
  // QueueOptions::key_bytes for each pod, which compare bytewise.
  virtual void sort_keys(ProfileId profile, std::span<const model::PodId> pods,
                         std::span<uint8_t> keys) = 0;

  // A small number, equal only for pods about which each refuser answers `hint` alike (the shape
  // of the pod, if hints depend on nothing else). Asked when the pod is refused, gated or updated.
  // The queue has tables of this size.
  virtual uint32_t group(model::PodId pod) = 0;

  // queue[i]: 1 if the event may help pods[i], which `refuser` refused, and all pods of its group.
  // Also asked about pods in flight, which `refuser` may yet refuse. `queue` is 0 at first.
  virtual void hint(const QueueEvent& event, RefuserId refuser, std::span<const model::PodId> pods,
                    std::span<uint8_t> queue) = 0;
};

}  // namespace berth::queue
