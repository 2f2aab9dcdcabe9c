#pragma once

// Writes the objects of a load into its steps. Internal to the player of scheduler_perf.

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "loadgen/play/load.h"
#include "loadgen/play/step_pods.h"
#include "loadgen/scheduler_perf/load/scheduler_perf_names.h"
#include "loadgen/scheduler_perf/load/scheduler_perf_pods.h"
#include "loadgen/scheduler_perf/plan/scheduler_perf_plan.h"

namespace berth::loadgen::scheduler_perf {

class ObjectWriter {
 public:
  // Throws Error if an object of the plan is malformed.
  explicit ObjectWriter(const Plan& plan) : volumes_(plan.volumes), templates_(plan) {}

  // The calls up to end() write into `step`, which must be empty.
  void begin(LoadStep& step);
  void end();
  // True if a step that has ended has a pod or an event. New objects are events from then on.
  bool anything_came() const { return anything_came_; }

  ObjectNames& names() { return names_; }

  // Create and remove an object of createAny or churn. create() returns the object's name, or
  // nullopt if an object of that name exists.
  std::optional<std::string> create(const PlanOp& op, AnySample sample);
  void remove(const PlanOp& op, const AnySample& sample, const std::string& name);

  // `with_hostname`: nodes of createNodes get the hostname label, which a kubelet would set.
  // Objects of createAny and churn do not, as upstream. Returns the node's name.
  std::string add_node(NodeSample sample, bool with_hostname);
  // Without effect if the namespace exists.
  void add_namespace(const std::string& name, model::StringMap labels);
  // Without effect if the load has no volumes.
  void add_csi_node(model::CsiNode object, const std::string& node);
  // Adds the volume and the claim of the operation's pod-th pod, if it makes some.
  void add_volume_of(const PlanOp& op, int64_t pod);

  std::shared_ptr<const PreparedPod> prepare(PodRun& run, int64_t pod) {
    return templates_.prepare(run, pod, *step_);
  }
  void add_pod(const PreparedPod& pod, const std::string& namespace_name, const std::string& name,
               const OwnParts& own, Nanoseconds planned);
  void remove_pod(const PreparedPod& pod, const std::string& namespace_name,
                  const std::string& name, OwnParts own);
  void update_node(NodeSample sample);
  void update_pod(const UpdatedPod& pod, const std::string& namespace_name,
                  const std::string& name);

 private:
  // Adds the object to the cluster, or as an event if anything came before.
  void add(model::Object object);

  // create() and remove() for each kind of object.
  std::optional<std::string> make(const PlanOp& op, std::monostate);
  std::optional<std::string> make(const PlanOp& op, NodeSample sample);
  std::optional<std::string> make(const PlanOp& op, PodSample sample);
  std::optional<std::string> make(const PlanOp& op, model::Namespace space);
  std::optional<std::string> make(const PlanOp& op, SelectorOwnerSample sample);
  std::optional<std::string> make(const PlanOp& op, DisruptionBudgetSample sample);
  std::optional<std::string> make(const PlanOp& op, StorageSample sample);
  void drop(const PlanOp& op, std::monostate, const std::string& name);
  void drop(const PlanOp& op, const NodeSample& sample, const std::string& name);
  void drop(const PlanOp& op, const PodSample& sample, const std::string& name);
  void drop(const PlanOp& op, const model::Namespace& space, const std::string& name);
  void drop(const PlanOp& op, const SelectorOwnerSample& sample, const std::string& name);
  void drop(const PlanOp& op, const DisruptionBudgetSample& sample, const std::string& name);
  void drop(const PlanOp& op, const StorageSample& sample, const std::string& name);

  const bool volumes_;
  bool anything_came_ = false;
  LoadStep* step_ = nullptr;
  StepPods pods_;  // of `step_`
  ObjectNames names_;
  PodTemplates templates_;
};

}  // namespace berth::loadgen::scheduler_perf
