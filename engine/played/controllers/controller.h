#pragma once

// A controller of kube-controller-manager, played on the core's clock: it hears of the cluster and
// writes through the core's door. The rules are those of engine/controllers; here is what connects
// them with the model.

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/cluster/cluster.h"
#include "engine/runtime/actor.h"
#include "engine/runtime/core.h"

namespace berth::played {

class Controller : public runtime::Actor {
 public:
  // The core outlives the controller's last call. The controller joins it.
  explicit Controller(runtime::Core& core) : core_(core) {}
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  bool unfinished() const override { return next().has_value(); }
  bool hears() const override { return true; }
  void object_changed(model::Operation, const model::Object&) override {}
  void node_changed(model::Slot) override {}
  void pod_bound(model::PodId) override {}
  void pod_changed(model::PodId) override {}
  void pod_disrupted(model::PodId) override {}
  void pod_finishes(model::PodId, const runtime::PodFinish&) override {}
  bool cordons(const model::Node&) override { return false; }
  bool takes(const model::EvictionRequest&) override { return false; }
  void pod_ends(model::PodId) override {}
  bool removes_pods() const override { return false; }
  void catch_up() override {}
  void storage_changed(const model::VolumeChange&) override {}
  void claim_unused(uint64_t) override {}

 protected:
  // Needed before there is something to do, and before pods concern it. See runtime/actor.h.
  void wake() {
    if (!std::exchange(awake_, true)) core_.wake(*this);
  }
  runtime::Core& core() { return core_; }
  const model::Cluster& cluster() const { return core_.cluster(); }
  Time now() const { return core_.now(); }
  const model::NodeTable::Node& node(model::Slot slot) const {
    return cluster().nodes().node(slot);
  }
  std::string name(model::Slot slot) const { return std::string(cluster().nodes().name(slot)); }
  std::vector<model::Taint> taints(model::Slot slot) const {
    return cluster().taint_sets().taints(node(slot).taint_set);
  }
  // kNoSlot: no node of that name exists.
  model::Slot find_node(std::string_view name) const {
    const model::Slot slot = cluster().nodes().find(cluster().strings().find(name));
    return slot != model::kNoSlot && node(slot).present ? slot : model::kNoSlot;
  }
  // By "NAMESPACE/NAME". No id: there is no such pod.
  model::PodId find_pod(std::string_view full_name) const {
    const size_t slash = full_name.find('/');
    return cluster().find_pod(full_name.substr(0, slash), full_name.substr(slash + 1));
  }
  // Calls `visit` with the record of each pod that is bound to the node.
  template <typename Visit>
  void each_bound_pod(std::string_view node, Visit visit) const {
    for (const model::PodId id : cluster().pods_on(node))
      if (const model::PodRecord& pod = cluster().pod(id); is_bound(pod)) visit(pod);
  }
  // The pod that the API server shows on a node: one that is being bound has none there.
  static bool is_bound(const model::PodRecord& pod) { return pod.state == model::PodState::kBound; }
  const model::PodSpec& spec(const model::PodRecord& pod) const {
    return cluster().templates()[pod.pod_template].spec;
  }

 private:
  runtime::Core& core_;
  bool awake_ = false;
};

}  // namespace berth::played
