#pragma once

// Something that acts on the cluster by the core's clock, beside the scheduler: a played API server
// or controller. It hears of changes, and changes the cluster through the core's door.
//
// Actors share the core's agenda: what they have to do falls due in order of time, and at one time
// in the order in which they joined, before the scheduler's own timers.
//
// Called on the thread of the core, within its calls: of the door it may use `update`, `put`,
// `put_taints`, `remove`, `status_known`, `tell_evicted` and `record` there, in run_due() also
// `create` and `finish`, and nothing else.
//
// One that hears of the cluster is told of its objects and pods after each change, by whomever, as
// a client that watches an API server. What it did itself comes back to it so.
//
// An actor sleeps from when it joins until it calls Core::wake(). While it sleeps it is told of
// objects and nodes alone, so that an actor without work costs a run of many pods nothing. One that
// wakes looks at the pods that are there by itself.

#include <cstdint>
#include <optional>

#include "engine/model/objects/change.h"
#include "engine/model/pods/pod_table.h"
#include "engine/model/volumes/volumes.h"
#include "engine/runtime/clock.h"

namespace berth::runtime {

// The end of the containers of a pod. Its phase becomes Succeeded or Failed.
struct PodFinish {
  bool succeeded = true;
  std::optional<int32_t> exit_code{};  // nothing: not known
};

class Actor {
 public:
  virtual ~Actor() = default;

  // Called also while the actor sleeps:

  // True if it is told of objects and nodes. Asked once, when it joins.
  virtual bool hears() const = 0;
  // An object that is no pod was put, or was removed if the operation says so: as it came.
  virtual void object_changed(model::Operation operation, const model::Object& object) = 0;
  // The node was put, or its taints were: as the cluster has it. Before object_changed().
  virtual void node_changed(model::Slot node) = 0;
  // True if it cordons the node, which is about to be put: then it is put as unschedulable. Asked
  // of one that hears of the cluster. Throws Error if the node asks for that in a wrong way.
  virtual bool cordons(const model::Node& node) = 0;
  // True if it answers the request, of which a file of objects tells, once it acts.
  virtual bool takes(const model::EvictionRequest& request) = 0;

  // Called while the actor is awake:

  // When it acts next; nothing: only a change gives it something to do.
  virtual std::optional<Time> next() const = 0;
  // True while time alone brings more than looks that find nothing; then a run goes on for it.
  virtual bool unfinished() const = 0;
  // Does all that is due at the core's time: next() is later afterwards.
  virtual void run_due() = 0;
  // Does what changes of storage since the last call allow, whatever the time. Called if there were
  // such changes: before a pod is popped, when bindings were settled, and after run_due().
  virtual void catch_up() = 0;
  // True if it is going to remove pods.
  virtual bool removes_pods() const = 0;

  // The pod is on a node, or on another one, from now on: it was bound, or came so. pod_changed()
  // follows.
  virtual void pod_bound(model::PodId pod) = 0;
  // The pod arrived, was bound, or its object is another. Not while it is assumed.
  virtual void pod_changed(model::PodId pod) = 0;
  // The pod's condition DisruptionTarget is True from now on. Its end follows.
  virtual void pod_disrupted(model::PodId pod) = 0;
  // The pod has finished. Before pod_ends().
  virtual void pod_finishes(model::PodId pod, const PodFinish& finish) = 0;
  // Before the pod's row is removed, when nothing else refers to it. The actor must not remove it.
  virtual void pod_ends(model::PodId pod) = 0;
  // An object of storage was added, replaced or removed; the scheduler hears of it next.
  virtual void storage_changed(const model::VolumeChange& change) = 0;
  // Pods left the claim, which is terminating; its key (model::claim_key).
  virtual void claim_unused(uint64_t claim) = 0;
};

}  // namespace berth::runtime
