#pragma once

// Tells the Observe hooks of all profiles which bound pods the cluster has (berth/abi/observe.h).
//
// A pod counts as bound for plugins once its state is kBound and no answer of the server to its
// binding is awaited: until then Unreserve may follow. The caller tells each pod of that once, when
// the model has it so, and once when it is about to lose it. Other pods that are told meanwhile, and
// events that follow from the change, come later: a plugin that is asked whether an event helps
// knows of the pod.
//
// A call that fails changes nothing. It is counted with the plugin, as one of PostBind is.
//
// One thread, that of the model. Without such a hook a call costs a look at an empty list.

#include <memory>
#include <span>
#include <vector>

#include "engine/framework/hooks/profile.h"
#include "engine/model/cluster/cluster.h"

namespace berth::runtime {

class BoundPods {
 public:
  // All of it outlives the object. `calls` is the deciding thread's.
  BoundPods(const model::Cluster& cluster,
            std::span<const std::unique_ptr<framework::Profile>> profiles,
            host::CallContext& calls);
  BoundPods(const BoundPods&) = delete;
  BoundPods& operator=(const BoundPods&) = delete;

  // The pod is bound from now on. Precondition: it counts on a node.
  void bound(model::PodId pod) {
    if (!hooks_.empty()) tell_bound(pod);
  }
  // The object of a bound pod was replaced.
  void changed(model::PodId pod) {
    if (!hooks_.empty()) tell_changed(pod);
  }
  // A bound pod is about to leave its node, on which it counts. `pod`: as it was there.
  void leaves(const model::PodRecord& pod) {
    if (!hooks_.empty()) tell_left(pod);
  }
  // Before the node is removed.
  void node_leaves(model::Slot slot) {
    if (!hooks_.empty()) tell_node_left(slot);
  }

 private:
  using Hook = framework::HookAt<host::Observe>;

  void tell_bound(model::PodId pod);
  void tell_changed(model::PodId pod);
  void tell_left(const model::PodRecord& pod);
  void tell_node_left(model::Slot slot);
  host::AboutPod about(const model::PodRecord& pod) const;
  berth_call call(const Hook& hook, const model::PodRecord& pod);

  const model::Cluster& cluster_;
  host::CallContext& calls_;
  std::vector<const Hook*> hooks_;  // of all profiles, in their order
  framework::CallColumns columns_;
};

}  // namespace berth::runtime
