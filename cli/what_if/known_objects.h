#pragma once

// The nodes and the workloads of a run as their objects came last, for steps that change one of
// them. It hears of the cluster, and never acts.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/what_if/script.h"
#include "engine/model/objects/change.h"
#include "engine/model/objects/workload.h"
#include "engine/runtime/actor.h"

namespace berth::cli {

// The objects that a step changes.
struct StepChanges {
  std::vector<std::string> nodes;  // that it is about, by name
  std::vector<model::Change> changes;
  // Of kScale: the controller that the pods name, and its namespace.
  std::optional<model::Controller> controller;
};

class KnownObjects final : public runtime::Actor {
 public:
  // Throws Error with the place in the script if the step is about nodes, workloads or taints that
  // there are not.
  StepChanges changes_of(const Step& step) const;
  // The workload whose pods name this controller, for people: "Deployment default/web"; the
  // controller itself if it is of no workload that is known.
  std::string owner_text(const std::string& namespace_name, const model::Controller& owner) const;

  bool has_node(const std::string& name) const { return nodes_.contains(name); }
  // By key_of(); null: it is not there, or its controller is not played.
  const model::Workload* workload(const std::string& key) const;
  static std::string key_of(const model::ControllerObject& object);

  bool hears() const override { return true; }
  void object_changed(model::Operation operation, const model::Object& object) override;
  void node_changed(model::Slot /*node*/) override {}
  bool cordons(const model::Node& /*node*/) override { return false; }
  bool takes(const model::EvictionRequest& /*request*/) override { return false; }
  std::optional<Time> next() const override { return std::nullopt; }
  bool unfinished() const override { return false; }
  void run_due() override {}
  void catch_up() override {}
  bool removes_pods() const override { return false; }
  void pod_bound(model::PodId /*pod*/) override {}
  void pod_changed(model::PodId /*pod*/) override {}
  void pod_disrupted(model::PodId /*pod*/) override {}
  void pod_finishes(model::PodId /*pod*/, const runtime::PodFinish& /*finish*/) override {}
  void pod_ends(model::PodId /*pod*/) override {}
  void storage_changed(const model::VolumeChange& /*change*/) override {}
  void claim_unused(uint64_t /*claim*/) override {}

 private:
  std::vector<const model::Node*> chosen(const NodeChoice& nodes) const;
  [[noreturn]] void no_node(const NodeChoice& nodes) const;
  StepChanges scale(const Scaling& scaling) const;

  std::map<std::string, model::Node> nodes_;
  std::map<std::string, model::ControllerObject> workloads_;  // by "KIND NAMESPACE/NAME"
};

// The node after the step; nothing: the step removes it. Of kUntaint: no taint of the node may be
// the one that is meant, then it stays as it is.
std::optional<model::Node> changed_node(const Step& step, model::Node node);

// True if the selector selects these labels.
bool selects(const model::LabelSelector& selector, const model::StringMap& labels);

}  // namespace berth::cli
