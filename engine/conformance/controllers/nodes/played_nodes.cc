#include "engine/conformance/controllers/nodes/played_nodes.h"

#include <algorithm>
#include <chrono>

#include "engine/conformance/case_objects.h"
#include "engine/conformance/controllers/nodes/case_values.h"
#include "engine/controllers/nodes/zones.h"

namespace berth::conformance {

using controllers::Condition;
using document::Value;

namespace {

constexpr Time kRenewals = std::chrono::seconds(2);  // modulo the lease's period

model::StringMap labels_of(Value object) {
  model::StringMap labels;
  for (document::Member label : object.find("metadata").find("labels").members())
    labels.emplace_back(label.key, label.value.text());
  std::ranges::sort(labels);
  return labels;
}

controllers::WatchedNode watched_node(Time now, Value object) {
  const Value spec = object.find("spec"), unschedulable = spec.find("unschedulable");
  const model::StringMap labels = labels_of(object);
  controllers::WatchedNode node;
  node.name = name_of(object);
  node.zone = controllers::zone_of(labels);
  node.excluded = std::ranges::any_of(
      labels, [](const auto& label) { return label.first == controllers::kExcludeDisruption; });
  node.unschedulable = unschedulable.is(document::Kind::kBoolean) && unschedulable.as_bool();
  node.taints = taints_of(spec.find("taints"));
  node.conditions = conditions_of(object);
  node.heartbeat = node.created = now;
  return node;
}

}  // namespace

void PlayedNodes::create(Time now, Value object) {
  changed_ = true;
  if (text_of(object, "kind") == "Node") {
    if (!nodes_.contains(name_of(object))) create_node(now, object);
  } else if (!pods_.contains(name_of(object))) {
    create_pod(now, object);
  }
}

void PlayedNodes::create_node(Time now, Value object) {
  PlayedNode& node = nodes_[name_of(object)];
  node.object = watched_node(now, object);
  node.says = {{"Ready", "True", "", "", now},
               {"MemoryPressure", "False", "", "", now},
               {"DiskPressure", "False", "", "", now},
               {"PIDPressure", "False", "", "", now}};
  for (const Condition& condition : node.object.conditions) controllers::put(node.says, condition);
  node.up = text_of(object, "kubelet") != "down";
  tell(now, node);
  if (!node.up) return;
  controller_.kubelet_starts(now, node.object.name, kRenewals);
  unposted_.insert(node.object.name);
  post_ = controllers::first_from(now, controllers::kLeasePeriod, kRenewals);
}

void PlayedNodes::create_pod(Time now, Value object) {
  const std::string node = text_of(object.find("spec"), "nodeName");
  const std::vector<Condition> conditions = conditions_of(object);
  const Condition* const ready = controllers::find(conditions, "Ready");
  pods_[name_of(object)] = {node, ready == nullptr ? std::string() : ready->status};
  controller_.pod_bound(now, name_of(object), node);
}

PlayedNode* PlayedNodes::find(const std::string& node) {
  const auto found = nodes_.find(node);
  return found == nodes_.end() ? nullptr : &found->second;
}

void PlayedNodes::tell(Time now, const PlayedNode& node) {
  changed_ = true;
  controller_.node_changed(now, node.object);
}

void PlayedNodes::erase(Time now, const std::string& node) {
  if (nodes_.erase(node) != 0) controller_.node_gone(now, node);
}

void PlayedNodes::start_kubelet(Time now, const std::string& node) {
  PlayedNode* const found = find(node);
  if (found == nullptr) return;
  found->up = true;
  controllers::put(found->says, {"Ready", "True", "", "", now});
  controller_.kubelet_starts(now, node, kRenewals);
  post(now, *found);
}

void PlayedNodes::stop_kubelet(Time now, const std::string& node) {
  PlayedNode* const found = find(node);
  if (found == nullptr || !found->up) return;
  found->up = false;
  controller_.kubelet_stops(now, node);
}

void PlayedNodes::set_condition(Time now, const std::string& node, const std::string& type,
                                const std::string& status) {
  PlayedNode* const found = find(node);
  if (found == nullptr) return;
  controllers::put(found->says, {type, status, "", "", now});
  if (found->up) post(now, *found);
}

void PlayedNodes::post(Time now, PlayedNode& node) {
  unposted_.erase(node.object.name);
  bool changed = false;
  for (Condition condition : node.says) {
    const Condition* const posted = controllers::find(node.object.conditions, condition.type);
    if (posted != nullptr && posted->status == condition.status) continue;
    condition.transition = now;
    controllers::put(node.object.conditions, condition);
    if (condition.type == "Ready") node.object.heartbeat = now;
    changed = true;
  }
  if (changed) tell(now, node);
}

void PlayedNodes::cordon(Time now, const std::string& node, bool on) {
  PlayedNode* const found = find(node);
  if (found == nullptr) return;
  found->object.unschedulable = on;
  tell(now, *found);
}

void PlayedNodes::replace_taints(Time now, const std::string& node,
                                 std::vector<model::Taint> taints) {
  PlayedNode* const found = find(node);
  if (found == nullptr) return;
  found->object.taints = std::move(taints);
  tell(now, *found);
}

void PlayedNodes::set_taints(Time /*now*/, const std::string& node,
                             const std::vector<model::Taint>& taints) {
  nodes_.at(node).object.taints = taints;
  changed_ = true;
}

void PlayedNodes::set_conditions(Time /*now*/, const std::string& node,
                                 const std::vector<Condition>& conditions) {
  controllers::WatchedNode& object = nodes_.at(node).object;
  if (controllers::find(object.conditions, "Ready") == nullptr) object.heartbeat = object.created;
  object.conditions = conditions;
  changed_ = true;
}

void PlayedNodes::set_pods_not_ready(Time now, const std::string& node) {
  for (auto& [name, pod] : pods_)
    if (pod.node == node) set_pod_not_ready(now, name);
}

void PlayedNodes::set_pod_not_ready(Time /*now*/, const std::string& pod) {
  std::string& ready = pods_.at(pod).ready;
  if (!ready.empty()) ready = "False";
  changed_ = true;
}

std::optional<Time> PlayedNodes::next() const {
  const std::optional<Time> time = controller_.next();
  return post_ && (!time || *post_ < *time) ? post_ : time;
}

void PlayedNodes::run_due(Time now) {
  changed_ = true;  // the states of zones, too
  if (post_ && *post_ <= now) {
    post_.reset();
    for (const std::string& name : std::set<std::string>(unposted_)) {
      PlayedNode* const node = find(name);
      if (node != nullptr && node->up) post(now, *node);
    }
    unposted_.clear();
  }
  controller_.run_due(now);
}

}  // namespace berth::conformance
