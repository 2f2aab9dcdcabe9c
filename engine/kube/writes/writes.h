#pragma once

// The writes of a scheduler to an API server.
//
//   Writes writes(http, http, loop, {.host = "a"}, {.may_write = ..., .bound = ..., ...});
//   writes.bindings().bind(1, {"default", "web-0", uid}, "node-7");
//   writes.events().record({...});
//   writes.finish(std::chrono::seconds(5), [&] { ... });
//
// Requests are sent in the order of their importance: bindings and volumes, then statuses and
// evictions. Events are sent beside them, few at a time, as kube-scheduler has a client for events
// alone. A function is called once for each write, from the loop, and never within a call of these
// classes.

#include <cstdint>
#include <functional>
#include <string>

#include "engine/kube/writes/events/event_recorder.h"
#include "engine/kube/writes/objects/bindings.h"
#include "engine/kube/writes/objects/evictions.h"
#include "engine/kube/writes/objects/statuses.h"
#include "engine/kube/writes/objects/volume_writes.h"
#include "engine/kube/writes/sender.h"

namespace berth::kube {

struct WritesOptions {
  SenderOptions sender{};  // of all but events
  std::string host;        // of reportingInstance
};

// All are there.
struct WritesCalls {
  // False: another may be the scheduler now. Nothing is sent then but reads, and all that waits is
  // answered as failed.
  Sender::MayWrite may_write;
  Bindings::Answered bound;
  Statuses::Written status_written;
  Evictions::Evicted evicted;
  VolumeWrites::Written volume_written;
};

// One thread, that of the loop.
class Writes {
 public:
  // `event_http`: for events. All three outlive it.
  Writes(Http& http, Http& event_http, Loop& loop, const WritesOptions& options,
         const WritesCalls& calls);

  Bindings& bindings() { return bindings_; }
  Statuses& statuses() { return statuses_; }
  Evictions& evictions() { return evictions_; }
  VolumeWrites& volumes() { return volumes_; }
  EventRecorder& events() { return events_; }
  const EventRecorder& events() const { return events_; }

  const WriteCounts& counts(WriteKind kind) const {
    return (kind == WriteKind::kEvent ? event_sender_ : sender_).counts(kind);
  }

  // New writes but events are answered as failed. Calls `done` once all others are answered, events
  // last; those that are not after `limit` are answered as failed. To be called once.
  void finish(Time limit, std::function<void()> done);

 private:
  Sender sender_, event_sender_;
  Bindings bindings_;
  Statuses statuses_;
  Evictions evictions_;
  VolumeWrites volumes_;
  EventRecorder events_;
};

}  // namespace berth::kube
