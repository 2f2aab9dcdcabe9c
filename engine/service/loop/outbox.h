#pragma once

// The writes of the core to the API server. Behind it is the network's side, or a test.

#include <cstdint>
#include <string>

#include "engine/events/event.h"
#include "engine/kube/writes/writes.h"
#include "engine/model/objects/volume_objects.h"

namespace berth::service {

// The owner's thread, but `bind` may come from the thread that binds. Nothing waits for the server.
class Outbox {
 public:
  virtual ~Outbox() = default;

  // Answered in the inbox, by the number.
  virtual void bind(uint64_t number, kube::PodName pod, std::string node) = 0;
  // `change`: at least one part is there. A failure is told in the inbox by the number; 0: it is
  // not.
  virtual void write(uint64_t number, kube::PodName pod, kube::StatusChange change) = 0;
  // Deletes the pod, after its condition told why. `told` is recorded once it is deleted, and not
  // if it was gone before. It names the pod that preempts as related, which the inbox is told of if
  // evictions for it fail.
  virtual void evict(kube::Eviction victim, events::Event told) = 0;
  // A claim with the node that was selected for it, or a volume with the claim that gets it.
  // `version`: in which it was decided; it is not written if the server has another one.
  virtual void put(model::VolumeObject object, std::string version) = 0;
  // The versions of the event's objects are filled in.
  virtual void record(events::Event event) = 0;
  // All that was given so far leaves.
  virtual void send() = 0;
};

}  // namespace berth::service
