#pragma once

// Arbitrary objects for RapidCheck, and objects with every field set.

#include <rapidcheck.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "engine/ingest/stream/stream.h"
#include "engine/ingest/stream/testing/draws_for_tests.h"
#include "engine/ingest/stream/testing/stream_volumes_for_tests.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest::testing {

inline std::string text() {
  return *rc::gen::element<std::string>("", "a", "b", "zone", "Üñí", "x.y/z", "\"quoted\"\n");
}

inline std::string name() { return "name-" + std::to_string(number(0, 49)); }

inline model::Quantity quantity() {
  return model::Quantity::from_milli(*rc::gen::inRange<int64_t>(0, 1'000'000'000));
}

inline std::map<std::string, std::string> text_by_name() {
  std::map<std::string, std::string> entries;
  for (int left = number(0, 3); left > 0; --left) entries[name()] = text();
  return entries;
}

inline model::StringMap string_map() {
  const auto entries = text_by_name();
  return {entries.begin(), entries.end()};
}

inline model::ResourceList resources() {
  std::map<std::string, model::Quantity> entries;
  for (int left = number(0, 3); left > 0; --left) entries[name()] = quantity();
  return {entries.begin(), entries.end()};
}

inline model::Requirement requirement() { return {text(), text(), few(text)}; }

inline model::NodeSelectorTerm selector_term() { return {few(requirement), few(requirement)}; }

// For topology spread and pod affinity only values that an API server accepts, because a stream
// carries no others.
inline std::string label_key() { return *rc::gen::element<std::string>("a", "zone", "x.y/z"); }

inline std::string label_value() { return *rc::gen::element<std::string>("", "a", "1_2.b-C"); }

inline model::Requirement label_requirement() {
  const std::string op = *rc::gen::element<std::string>("In", "NotIn", "Exists", "DoesNotExist");
  if (op == "Exists" || op == "DoesNotExist") return {label_key(), op, {}};
  std::vector<std::string> values = few(label_value);
  values.push_back(label_value());
  return {label_key(), op, std::move(values)};
}

inline model::LabelSelector label_selector() {
  std::map<std::string, std::string> labels;
  for (int left = number(0, 3); left > 0; --left) labels[label_key()] = label_value();
  return {{labels.begin(), labels.end()}, few(label_requirement)};
}

// Label keys that no pod has; only with a selector.
inline std::vector<std::string> label_keys(const std::optional<model::LabelSelector>& selector,
                                           const std::string& prefix) {
  if (!selector) return {};
  return few([&] { return prefix + "-" + std::to_string(number(1, 2)); });
}

inline model::PodAffinityTerm affinity_term() {
  const auto selector = maybe(label_selector);
  return {selector,
          few(name),
          maybe(label_selector),
          label_key(),
          label_keys(selector, "match"),
          label_keys(selector, "mismatch")};
}

inline model::PodAffinity pod_affinity() {
  return {few(affinity_term), few([] {
            return model::WeightedPodAffinityTerm{number(1, 100), affinity_term()};
          })};
}

inline model::Affinity affinity() {
  model::Affinity out;
  if (flip()) out.node_required = model::NodeSelector{few(selector_term)};
  out.node_preferred = few([] {
    return model::PreferredSchedulingTerm{any_int32(), selector_term()};
  });
  out.has_node_preferred = !out.node_preferred.empty() || flip();
  out.pod_affinity = maybe(pod_affinity);
  out.pod_anti_affinity = maybe(pod_affinity);
  return out;
}

inline model::Container container() {
  const auto port = [] { return model::ContainerPort{text(), text(), number(0, 65'535)}; };
  return {text(), text(), resources(), few(port), flip(), resources(), flip()};
}

inline model::TopologySpreadConstraint spread() {
  const std::string action = flip() ? "DoNotSchedule" : "ScheduleAnyway";
  const auto policy = [] { return *rc::gen::element<std::string>("", "Honor", "Ignore"); };
  const auto selector = maybe(label_selector);
  model::TopologySpreadConstraint out{number(1, 9), label_key(), action, selector, {}, {}, {}, {}};
  if (action == "DoNotSchedule" && flip()) out.min_domains = number(1, 9);
  out.node_affinity_policy = policy();
  out.node_taints_policy = policy();
  out.match_label_keys = label_keys(selector, "match");
  return out;
}

// At most one constraint of each kind.
inline std::vector<model::TopologySpreadConstraint> spreads() {
  std::map<std::pair<std::string, std::string>, model::TopologySpreadConstraint> kinds;
  for (model::TopologySpreadConstraint& constraint : few(spread)) {
    kinds.try_emplace({constraint.topology_key, constraint.when_unsatisfiable}, constraint);
  }
  std::vector<model::TopologySpreadConstraint> out;
  for (const auto& [kind, constraint] : kinds) out.push_back(constraint);
  return out;
}

inline model::PodSpec pod_spec() {
  model::PodSpec out;
  out.scheduler_name = text();
  out.node_name = text();
  out.priority = maybe(any_int32);
  out.preemption_policy = text();
  out.labels = string_map();
  out.node_selector = string_map();
  out.has_node_selector = !out.node_selector.empty() || flip();
  out.affinity = affinity();
  out.tolerations = few([] {
    return model::Toleration{text(), text(), text(), text(), maybe(any_int64)};
  });
  out.topology_spread_constraints = spreads();
  out.scheduling_gates = few(text);
  out.init_containers = few(container);
  out.containers = few(container);
  out.overhead = resources();
  out.pod_requests = resources();
  out.has_pod_resources = !out.pod_requests.empty() || flip();
  out.container_statuses = few([] {
    return model::ContainerStatus{text(), flip(), resources(), resources()};
  });
  out.resize_infeasible = flip();
  out.volumes = few(pod_volume);
  out.run = maybe([] { return model::ContainerRun{number(0, 1000), number(0, 255)}; });
  out.empty_dir = flip();
  out.mirror = flip();
  out.host_user_namespace = flip();
  out.own_status = {"", flip(), resources(), resources()};
  out.deletion_cost = static_cast<int32_t>(number(0, 100));
  out.os = text();
  out.strict_supplemental_groups = flip();
  out.qos_class = maybe([] { return static_cast<model::QosClass>(number(0, 2)); });
  return out;
}

inline model::Node node() {
  model::Node out;
  out.name = name();
  out.labels = string_map();
  out.annotations = string_map();
  out.unschedulable = flip();
  out.taints = few([] { return model::Taint{text(), text(), text()}; });
  out.allocatable = resources();
  out.images = few([] { return model::NodeImage{few(text), bytes()}; });
  out.conditions = few([] { return model::NodeCondition{text(), text()}; });
  out.capacity = resources();
  out.declared_features = few(text);
  out.supplemental_groups_policy = flip();
  return out;
}

inline model::Namespace namespace_object() { return {name(), string_map()}; }

inline model::SelectorOwner selector_owner() {
  constexpr model::SelectorOwnerKind kKinds[] = {
      model::SelectorOwnerKind::kService, model::SelectorOwnerKind::kReplicationController,
      model::SelectorOwnerKind::kReplicaSet, model::SelectorOwnerKind::kStatefulSet};
  return {kKinds[number(0, 3)], name(), name(), maybe(label_selector)};
}

inline model::DisruptionBudget disruption_budget() {
  model::DisruptionBudget out{name(), name(), maybe(label_selector), any_int32(), {}};
  for (const auto& [pod, value] : string_map()) out.disrupted_pods.push_back(pod);
  const auto amount = [] { return model::PodAmount{number(0, 100), flip()}; };
  (flip() ? out.min_available : out.max_unavailable) = maybe(amount);
  if (flip()) out.unhealthy_pods = model::UnhealthyPods::kAlwaysAllow;
  out.without_status = flip();
  return out;
}

inline model::Controller controller() { return {text(), text(), text(), text()}; }

inline model::Pod pod() {
  constexpr model::PodPhase kPhases[] = {model::PodPhase::kUnknown, model::PodPhase::kPending,
                                         model::PodPhase::kRunning, model::PodPhase::kSucceeded,
                                         model::PodPhase::kFailed};
  model::Pod out;
  out.name = name();
  out.namespace_name = name();
  out.uid = text();
  out.controller = maybe(controller);
  out.spec = pod_spec();
  out.phase = kPhases[number(0, 4)];
  out.nominated_node_name = text();
  out.terminating = flip();
  out.preempted = out.terminating && flip();
  out.ready = static_cast<model::PodReady>(number(0, 2));
  out.started_at = maybe(any_int64);
  return out;
}

inline bool equal(const model::Node& a, const model::Node& b) {
  const auto images = [](const model::Node& node) {
    std::vector<std::pair<std::vector<std::string>, int64_t>> out;
    for (const auto& [names, size] : node.images) out.emplace_back(names, size);
    return out;
  };
  return std::tie(a.name, a.labels, a.annotations, a.unschedulable, a.taints, a.allocatable,
                  a.conditions, a.capacity, a.declared_features, a.supplemental_groups_policy) ==
             std::tie(b.name, b.labels, b.annotations, b.unschedulable, b.taints, b.allocatable,
                      b.conditions, b.capacity, b.declared_features,
                      b.supplemental_groups_policy) &&
         images(a) == images(b);
}

inline bool equal(const model::Namespace& a, const model::Namespace& b) {
  return std::tie(a.name, a.labels) == std::tie(b.name, b.labels);
}

inline bool equal(const model::Pod& a, const model::Pod& b) {
  return std::tie(a.name, a.namespace_name, a.uid, a.controller, a.spec, a.phase,
                  a.nominated_node_name, a.terminating, a.preempted, a.ready, a.started_at) ==
         std::tie(b.name, b.namespace_name, b.uid, b.controller, b.spec, b.phase,
                  b.nominated_node_name, b.terminating, b.preempted, b.ready, b.started_at);
}

inline bool equal(const model::SelectorOwner& a, const model::SelectorOwner& b) {
  return std::tie(a.kind, a.name, a.namespace_name, a.selector) ==
         std::tie(b.kind, b.name, b.namespace_name, b.selector);
}

template <typename T>
bool equal(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T& x, const T& y) { return equal(x, y); });
}

// Every member differs from its default.
inline model::PodSpec full_spec() {
  const model::ResourceList some = {{"cpu", model::Quantity::from_milli(1500)},
                                    {"memory", model::Quantity::from_units(int64_t{1} << 30)}};
  const model::Requirement requirement{"key", "In", {"a", "b"}};
  const model::NodeSelectorTerm term{{requirement}, {{"metadata.name", "In", {"node-1"}}}};
  const model::LabelSelector selector{{{"app", "web"}}, {requirement}};
  const model::PodAffinityTerm affinity{selector, {"ns"}, selector, "zone", {"rev"}, {"tenant"}};
  model::PodSpec out;
  out.scheduler_name = "other";
  out.node_name = "node-7";
  out.priority = -5;
  out.preemption_policy = "Never";
  out.labels = {{"app", "web"}, {"tier", "front"}};
  out.node_selector = {{"disk", "ssd"}};
  out.has_node_selector = true;
  out.affinity.node_required = model::NodeSelector{{term}};
  out.affinity.node_preferred = {{7, term}};
  out.affinity.has_node_preferred = true;
  out.affinity.pod_affinity = model::PodAffinity{{affinity}, {{3, affinity}}};
  out.affinity.pod_anti_affinity = model::PodAffinity{{affinity}, {{4, affinity}}};
  out.tolerations = {{"key", "Equal", "value", "NoExecute", 30}};
  out.topology_spread_constraints = {
      {2, "zone", "DoNotSchedule", selector, 3, "Honor", "Ignore", {"rev"}}};
  out.scheduling_gates = {"gate"};
  out.init_containers = {{"init", "image:1", some, {{"10.0.0.1", "UDP", 53}}, true}};
  out.containers = {{"main", "image:2", some, {{"", "TCP", 80}}, true}};
  out.overhead = some;
  out.has_pod_resources = true;
  out.pod_requests = some;
  out.container_statuses = {{"main", true, some, some}};
  out.resize_infeasible = true;
  out.volumes.resize(1);
  out.volumes[0].is_claim = true;
  out.volumes[0].claim = "data";
  out.empty_dir = true;
  out.mirror = true;
  out.host_user_namespace = true;
  out.own_status = {"", true, some, some};
  out.deletion_cost = 1;
  out.os = "linux";
  out.strict_supplemental_groups = true;
  out.qos_class = model::QosClass::kGuaranteed;
  return out;
}

}  // namespace berth::ingest::testing
