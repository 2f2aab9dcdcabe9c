#pragma once

// Tells the Observe hooks of all profiles which bound pods the cluster has (berth/abi/observe.h).
//
// A pod counts as bound for plugins once its state is kBound and no answer of the server to its
// binding is awaited: until then Unreserve may follow. The caller tells each pod of that once, when
// the model has it so, and once when it is about to lose it. Other pods that are told meanwhile,
// and events that follow from the change, come later: a plugin that is asked whether an event helps
// knows of the pod.
//
// A call that fails changes nothing. It is counted with the plugin, as one of PostBind is. A plugin
// in a process of its own that was started again knows no pods: it is told of all that are bound
// before it is told of anything else, and before the next pod is decided.
//
// One thread, that of the model. Without such a hook a call costs a look at an empty list.

#include <memory>
#include <span>
#include <vector>

#include "engine/binding/bindings_under_way.h"
#include "engine/framework/hooks/profile.h"
#include "engine/model/cluster/cluster.h"

namespace berth::runtime {

class BoundPods {
 public:
  // All of it outlives the object. `calls` is the deciding thread's.
  BoundPods(const model::Cluster& cluster,
            std::span<const std::unique_ptr<framework::Profile>> profiles,
            host::CallContext& calls);
  // Bindings of which the answers are awaited. To be called before the first pod; they outlive the
  // last call.
  void await(const binding::BindingsUnderWay& under_way) { under_way_ = &under_way; }
  BoundPods(const BoundPods&) = delete;
  BoundPods& operator=(const BoundPods&) = delete;

  // True if plugins are told, or were told, that the pod is bound.
  bool is_told(const model::PodRecord& pod) const {
    return pod.state == model::PodState::kBound && !under_way_->contains(pod.id);
  }
  // The pod is bound from now on. Precondition: it counts on a node.
  void bound(model::PodId pod) {
    if (!listeners_.empty()) tell_bound(pod);
  }
  // The object of a bound pod was replaced.
  void changed(model::PodId pod) {
    if (!listeners_.empty()) tell_changed(pod);
  }
  // A bound pod is about to leave its node, on which it counts. `pod`: as it was there.
  void leaves(const model::PodRecord& pod) {
    if (!listeners_.empty()) tell_left(pod);
  }
  // Before the node is removed.
  void node_leaves(model::Slot slot) {
    if (!listeners_.empty()) tell_node_left(slot);
  }
  // Tells plugins whose process was started again.
  void catch_up() {
    if (is_apart_) tell_again();
  }

 private:
  using Hook = framework::HookAt<host::Observe>;
  struct Listener {
    const Hook* hook;
    uint64_t process = 0;  // that was told of all pods; 0: none, or this one
  };

  void tell_bound(model::PodId pod);
  void tell_changed(model::PodId pod);
  void tell_left(const model::PodRecord& pod);
  void tell_node_left(model::Slot slot);
  void tell_again();
  // True if the plugin lost what it was told.
  bool is_started_again(const Listener& one) const;
  // Tells of each bound pod, unless the process ends again.
  void tell_all(Listener& one);
  host::AboutPod about(const model::PodRecord& pod) const;
  berth_call call(const Hook& hook, const model::PodRecord& pod);

  const model::Cluster& cluster_;
  host::CallContext& calls_;
  std::vector<Listener> listeners_;  // of all profiles, in their order
  bool is_apart_ = false;            // some is
  const binding::BindingsUnderWay* under_way_ = nullptr;
  framework::CallColumns columns_;
};

}  // namespace berth::runtime
