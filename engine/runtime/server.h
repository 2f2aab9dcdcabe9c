#pragma once

// The server port: what scheduling writes leaves the core here.
//
// Behind it stands an API server, played (engine/played) or real; the core does not know which. A
// write is a wish. What comes of it returns at the core's door as an event, in any order and at any
// time: the answer to a binding (Door::answer), an update or the end of a pod, an object of
// storage.
//
// Called on the thread of the core, between two steps of its own: a server may use the door's
// `update`, `put`, `remove` and `status_known` then. The bindings are the exception, see
// binding/binding_sink.h.

#include <string_view>

#include "engine/binding/binding_sink.h"
#include "engine/model/objects/volume_objects.h"
#include "engine/model/pods/pod_table.h"

namespace berth::runtime {

// A write of a pod's status: its condition PodScheduled, which becomes False, and the node to which
// it is nominated. Valid for the call that takes it.
struct StatusPatch {
  const model::PodRecord& before;  // the pod as it was; its row has the new nomination already
  bool failed = false;             // reason SchedulerError; else Unschedulable
  std::string_view message;        // of the condition; empty: the condition stays as it is
};

// The changes that the server makes to a pod that it binds, besides its node, without an update
// that tells of it.
struct BindingEffects {
  bool topology_labels = false;  // the node's labels of zone and region are put on the pod
  bool ends_nomination = false;  // status.nominatedNodeName is cleared
};

// The server's answer to a binding that was under way.
struct BindingAnswer {
  uint64_t number = 0;           // see binding::Binding
  binding::BindAnswer answer{};  // not kUnderWay
};

class Server {
 public:
  virtual ~Server() = default;

  // Takes bindings; valid as long as the server. Null: each is accepted at once, and nobody is
  // told.
  virtual binding::BindingSink* bindings() = 0;
  // Asked when a binding is known.
  virtual BindingEffects binding_effects() const { return {}; }
  // The pod counts on a node, and has to leave it for the sake of another: first its condition
  // DisruptionTarget tells why, then it is deleted. Called when an attempt is over.
  virtual void evict(model::PodId victim) = 0;
  // Evictions for the sake of this pod are on their way, and not all victims leave yet. The pod is
  // held back meanwhile: tried now, it might take others. The end of a victim lets it go on, or
  // Door::activate. False where evictions take no time. Source: kube-scheduler defaultpreemption
  // PreEnqueue.
  virtual bool is_preempting(model::PodId) const { return false; }
  // The pod waits on the node, or something has to be done before it is bound there: its
  // status.nominatedNodeName tells. Called when an attempt is over, in the order of the writes; the
  // pod may be bound by then, or may have lost the node. Once it is written, the server calls
  // Door::nominated.
  virtual void announce(model::PodId pod, std::string_view node) = 0;
  // Called when an attempt is over, in the order of the writes. Once the status is written, the
  // server calls Door::status_known with what others knew before.
  virtual void patch_status(const StatusPatch& patch) = 0;
  // The object takes the place of the one of its kind and name. Called between binding cycles.
  virtual void put(const model::VolumeObject& object) = 0;
};

}  // namespace berth::runtime
