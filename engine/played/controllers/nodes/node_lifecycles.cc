#include "engine/played/controllers/nodes/node_lifecycles.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "engine/controllers/nodes/node_taints.h"
#include "engine/events/node_events.h"
#include "engine/events/pod_events.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::played {
namespace {

using controllers::Condition;
using controllers::WatchedNode;

const Condition kReady{.type = "Ready", .status = "True", .reason = "KubeletReady"};

std::vector<Condition> conditions_of(const model::Node& node) {
  std::vector<Condition> all;
  for (const model::NodeCondition& one : node.conditions)
    all.push_back({.type = one.type, .status = one.status});
  if (controllers::find(all, "Ready") == nullptr) all.push_back(kReady);
  return all;
}

bool says_true(const std::vector<Condition>& conditions, std::string_view type) {
  const Condition* found = controllers::find(conditions, type);
  return found != nullptr && found->status == "True";
}

}  // namespace

void NodeLifecycles::set_pressures(const std::string& node, const Conditions& pressures) {
  pressures_[node] = pressures;
  if (stopped_.contains(node)) return;
  put_pressures(conditions_.try_emplace(node, Conditions{kReady}).first->second, node);
  if (!started_) return start();
  see(find_node(node));
}

// What a kubelet of the run told counts more than what the node's object says.
void NodeLifecycles::put_pressures(Conditions& conditions, const std::string& node) const {
  const auto told = pressures_.find(node);
  if (told == pressures_.end()) return;
  for (const Condition& one : told->second) controllers::put(conditions, one);
}

bool NodeLifecycles::is_ready(const std::string& node) const {
  const auto at = conditions_.find(node);
  return at == conditions_.end() || says_true(at->second, "Ready");
}

bool NodeLifecycles::is_watched(const model::Node& node) const {
  const auto is_ready = [](const model::NodeCondition& one) { return one.type == "Ready"; };
  return conditions_.contains(node.name) || stopped_.contains(node.name) ||
         std::ranges::any_of(node.conditions, is_ready);
}

bool NodeLifecycles::is_well(const model::Node& node) const {
  std::vector<model::Taint> taints = node.taints;
  const Conditions conditions = conditions_of(node);
  return !stopped_.contains(node.name) && says_true(conditions, "Ready") &&
         !controllers::put_condition_taints(taints, conditions, node.unschedulable) &&
         !controllers::has_taint(taints, controllers::kNotReady, controllers::kNoExecute) &&
         !controllers::has_taint(taints, controllers::kUnreachable, controllers::kNoExecute);
}

void NodeLifecycles::run_due() {
  rules_.run_due(now());
  std::erase_if(open_, [this](const std::string& node) { return is_settled(node); });
}

// Its conditions and its NoExecute taints agree.
bool NodeLifecycles::is_settled(const std::string& node) const {
  const model::Slot slot = find_node(node);
  const auto known = conditions_.find(node);
  if (slot == model::kNoSlot || known == conditions_.end()) return true;
  const std::string& ready = controllers::find(known->second, "Ready")->status;
  if (stopped_.contains(node) && ready != "Unknown") return false;
  const std::vector<model::Taint> all = taints(slot);
  const auto evicts = [&](std::string_view key) {
    return controllers::has_taint(all, key, controllers::kNoExecute);
  };
  return evicts(controllers::kNotReady) == (ready == "False") &&
         evicts(controllers::kUnreachable) == (ready == "Unknown");
}

void NodeLifecycles::object_changed(model::Operation operation, const model::Object& object) {
  const auto* node = std::get_if<model::Node>(&object);
  if (node == nullptr) return;
  if (operation == model::Operation::kDeleted) {
    conditions_.erase(node->name);
    pressures_.erase(node->name);
    open_.erase(node->name);
    found_before_.erase(node->name);
    if (kubelets_.erase(node->name) != 0) rules_.node_gone(now(), node->name);
    return;
  }
  const bool was_ready = is_ready(node->name);
  if (is_watched(*node)) take_conditions(*node);
  if (started_ || (conditions_.contains(node->name) && !is_well(*node))) open_.insert(node->name);
  if (started_) {
    see(find_node(node->name));
  } else if (conditions_.contains(node->name) && !is_well(*node)) {
    start();
  }
  const bool waits = !was_ready || pods_not_ready_.contains(node->name);
  if (waits && is_ready(node->name)) tell_readiness(node->name, true);
  // Who found that the kubelet is silent has told that the pods are not ready.
  if (was_ready && is_silent(node->name)) tell_readiness(node->name, false);
}

bool NodeLifecycles::is_silent(const std::string& node) const {
  const auto at = conditions_.find(node);
  return at != conditions_.end() && controllers::find(at->second, "Ready")->status == "Unknown";
}

// Of a node whose kubelet is stopped the object has no news.
void NodeLifecycles::take_conditions(const model::Node& node) {
  const bool stopped = stopped_.contains(node.name);
  if (stopped) pressures_.erase(node.name);
  if (stopped && conditions_.contains(node.name)) return;
  Conditions& conditions = conditions_[node.name] = conditions_of(node);
  put_pressures(conditions, node.name);
}

// From here on it knows all nodes, since what becomes of one depends on how the others are.
void NodeLifecycles::start() {
  wake();
  started_ = true;
  for (model::Slot slot = 0; slot < cluster().nodes().slots(); ++slot)
    if (node(slot).present) {
      found_before_.insert(name(slot));
      see(slot);
    }
}

void NodeLifecycles::see(model::Slot slot) {
  const std::string of = name(slot);
  const auto known = conditions_.find(of);
  const bool watched = known != conditions_.end();
  const model::StringMap labels = model::label_texts(cluster().strings(), node(slot).labels);
  const bool excluded = std::ranges::any_of(
      labels, [](const auto& label) { return label.first == controllers::kExcludeDisruption; });
  const Conditions conditions = watched ? known->second : Conditions{kReady};
  rules_.node_changed(now(), {.name = of,
                              .zone = controllers::zone_of(labels),
                              .excluded = excluded,
                              .unschedulable = watched && node(slot).unschedulable,
                              .taints = watched ? taints(slot) : std::vector<model::Taint>(),
                              .conditions = conditions});
  run_kubelet(of, !is_silent(of) && !stopped_.contains(of));
}

void NodeLifecycles::run_kubelet(const std::string& node, bool runs) {
  const auto [at, first] = kubelets_.try_emplace(node, false);
  if (at->second == runs) return;
  at->second = runs;
  runs ? rules_.kubelet_starts(now(), node, kPhase) : rules_.kubelet_stops(now(), node);
}

void NodeLifecycles::pod_bound(model::PodId id) {
  if (!started_) return;
  const model::PodRecord& pod = cluster().pod(id);
  if (const std::string on = name(pod.slot); !is_ready(on))
    rules_.pod_bound(now(), full_name(cluster(), pod), on);
}

void NodeLifecycles::set_taints(Time, const std::string& node,
                                const std::vector<model::Taint>& taints) {
  if (const model::Slot slot = find_node(node); slot != model::kNoSlot)
    core().door().put_taints(slot, taints);
}

void NodeLifecycles::set_conditions(Time, const std::string& node, const Conditions& conditions) {
  conditions_[node] = conditions;
}

void NodeLifecycles::set_pods_not_ready(Time, const std::string& node) {
  core().door().record(events::node_not_ready(node));
  std::map<std::string, const model::PodRecord*> ready;
  each_bound_pod(node, [&](const model::PodRecord& pod) {
    if (pod.ready != model::PodReady::kFalse) ready.emplace(full_name(cluster(), pod), &pod);
  });
  for (const auto& [name, pod] : ready)
    core().door().record(events::node_of_pod_not_ready(cluster(), *pod));
  tell_readiness(node, false);
}

void NodeLifecycles::set_pod_not_ready(Time, const std::string& pod) {
  const model::PodId id = find_pod(pod);
  if (!id || !is_bound(cluster().pod(id))) return;
  pods_not_ready_.insert(name(cluster().pod(id).slot));
  if (readiness_ != nullptr) readiness_->pod_is_not_ready(id);
}

void NodeLifecycles::node_found(Time, const std::string& node) {
  if (!found_before_.contains(node)) core().door().record(events::node_registered(node));
}

void NodeLifecycles::node_lost(Time, const std::string& node) {
  core().door().record(events::node_removed(node));
}

void NodeLifecycles::tell_readiness(const std::string& node, bool ready) {
  if (ready)
    pods_not_ready_.erase(node);
  else
    pods_not_ready_.insert(node);
  if (readiness_ != nullptr) readiness_->pods_are_ready(node, ready);
}

}  // namespace berth::played
