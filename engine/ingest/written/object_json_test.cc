#include "engine/ingest/written/object_json.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/ingest/conversion/dropped.h"
#include "engine/ingest/objects/objects.h"
#include "engine/model/objects/qos_class.h"

namespace berth::ingest {
namespace {

using rc::gen::arbitrary;

// Strings that occur in objects; JSON has to escape some of them.
std::string text() {
  return *rc::gen::element<std::string>("a", "zone", "example.com/x", "with \"quotes\"\n", "é",
                                        "b");
}
template <typename Make>
auto some(Make&& make) {
  std::vector<decltype(make())> list(*rc::gen::inRange<size_t>(0, 3));
  for (auto& entry : list) entry = make();
  return list;
}
model::StringMap string_map() {
  std::map<std::string, std::string> map;
  for (const std::string& key : some(text)) map[key] = text();
  return {map.begin(), map.end()};
}
model::ResourceList resources() {
  std::map<std::string, model::Quantity> map;
  for (const std::string& key : some(text))
    map[key] = model::Quantity::from_milli(*rc::gen::inRange<int64_t>(0, 5'000'000));
  return {map.begin(), map.end()};
}
int32_t small() { return *rc::gen::inRange(1, 100); }
bool coin() { return *arbitrary<bool>(); }

model::Requirement requirement() { return {text(), text(), some(text)}; }
std::optional<model::LabelSelector> selector() {
  if (coin()) return std::nullopt;
  return model::LabelSelector{string_map(), some(requirement)};
}
model::NodeSelectorTerm node_term() { return {some(requirement), some(requirement)}; }
model::PodAffinityTerm pod_term() {
  return {selector(), some(text), selector(), text(), some(text), some(text)};
}
std::optional<model::PodAffinity> pod_affinity() {
  if (coin()) return std::nullopt;
  return model::PodAffinity{some(pod_term), some([] {
                              return model::WeightedPodAffinityTerm{small(), pod_term()};
                            })};
}
model::Container container() {
  return {
      text(),      text(),
      resources(), some([] {
            return model::ContainerPort{text(), "TCP", coin() ? 0 : small()}; }),
      coin(),      resources(),
      coin()};
}

model::PodSpec pod_spec() {
  model::PodSpec spec;
  spec.scheduler_name = text();
  if (coin()) spec.node_name = text();
  if (coin()) spec.priority = small() - 50;
  if (coin()) spec.preemption_policy = "Never";
  spec.labels = string_map();
  spec.has_node_selector = coin();
  if (spec.has_node_selector) spec.node_selector = string_map();
  if (coin()) spec.affinity.node_required = model::NodeSelector{some(node_term)};
  spec.affinity.has_node_preferred = coin();
  if (spec.affinity.has_node_preferred)
    spec.affinity.node_preferred = some([] {
      return model::PreferredSchedulingTerm{small(), node_term()};
    });
  spec.affinity.pod_affinity = pod_affinity();
  spec.affinity.pod_anti_affinity = pod_affinity();
  spec.tolerations = some([] {
    return model::Toleration{text(), text(), text(), text(),
                             coin() ? std::optional<int64_t>(small()) : std::nullopt};
  });
  spec.topology_spread_constraints = some([] {
    return model::TopologySpreadConstraint{
        small(), text(),   text(),    selector(), coin() ? std::optional(small()) : std::nullopt,
        text(),  "Ignore", some(text)};
  });
  spec.scheduling_gates = some(text);
  spec.init_containers = some(container);
  spec.containers = some(container);
  spec.overhead = resources();
  spec.has_pod_resources = coin();
  if (spec.has_pod_resources) spec.pod_requests = resources();
  spec.container_statuses = some([] {
    return model::ContainerStatus{text(), true, resources(), resources()};
  });
  spec.resize_infeasible = coin();
  spec.empty_dir = coin();
  spec.mirror = coin();
  if (coin()) spec.deletion_cost = -3;
  spec.host_user_namespace = coin();
  if (coin()) spec.os = text();
  spec.strict_supplemental_groups = coin();
  if (!spec.pod_requests.empty() && coin()) spec.own_status = {"", true, resources(), resources()};
  const auto told = static_cast<model::QosClass>(small() % 3);
  if (told != model::computed_qos_class(spec) && coin()) spec.qos_class = told;
  return spec;
}

model::Pod pod() {
  model::Pod pod;
  pod.name = text();
  pod.namespace_name = text();
  pod.uid = text();
  if (coin()) pod.controller = model::Controller{text(), text(), text(), text()};
  pod.spec = pod_spec();
  pod.phase = *rc::gen::element(model::PodPhase::kUnknown, model::PodPhase::kRunning,
                                model::PodPhase::kSucceeded);
  if (coin()) pod.nominated_node_name = text();
  pod.terminating = coin();
  pod.ready =
      *rc::gen::element(model::PodReady::kNotTold, model::PodReady::kFalse, model::PodReady::kTrue);
  return pod;
}

template <typename Object>
document::Document document_of(const Object& object) {
  std::string json;
  append(object, json);
  Diagnostics diagnostics;
  document::Document document = document::Document::parse(json, "", diagnostics);
  RC_ASSERT(diagnostics.count() == 0u);
  return document;
}

RC_GTEST_PROP(ObjectJson, PodsAreReadAgainAsTheyWere, ()) {
  model::Pod before = pod();
  const document::Document document = document_of(before);
  Diagnostics diagnostics;
  const std::optional<model::Pod> after =
      ingest::decode_pod(document.roots()[0], diagnostics, ingest::Defaults::kNone);
  for (const Error& error : diagnostics.kept()) RC_LOG() << error.what();
  RC_ASSERT(after.has_value());
  // Ports that take none of the node's are not written.
  for (auto* list : {&before.spec.containers, &before.spec.init_containers})
    for (model::Container& container : *list)
      std::erase_if(container.ports, [](const auto& port) { return port.host_port == 0; });
  RC_ASSERT(after->spec == before.spec);
  RC_ASSERT(after->controller == before.controller);
  RC_ASSERT(after->name == before.name && after->namespace_name == before.namespace_name);
  RC_ASSERT(after->uid == before.uid && after->phase == before.phase);
  RC_ASSERT(after->nominated_node_name == before.nominated_node_name);
  RC_ASSERT(after->terminating == before.terminating && after->ready == before.ready);
}

// The table of held fields follows the model: what is written of a pod is held.
RC_GTEST_PROP(ObjectJson, StreamsHoldTheFieldsOfPods, ()) {
  const document::Document document = document_of(pod());
  Dropped dropped(false, Workloads::kMixed);
  dropped.inspect(document.roots()[0], "Pod");
  RC_ASSERT(dropped.counts().empty());
}

RC_GTEST_PROP(ObjectJson, NodesAreReadAgainAsTheyWere, ()) {
  model::Node before;
  before.name = text();
  before.labels = string_map();
  before.annotations = string_map();
  before.unschedulable = coin();
  before.taints = some([] { return model::Taint{text(), text(), text()}; });
  before.allocatable = resources();
  before.images = some([] { return model::NodeImage{{text()}, small()}; });
  before.conditions = some([] {
    return model::NodeCondition{text(), *rc::gen::element<std::string>("True", "False", "Unknown")};
  });
  before.declared_features = some(text);
  before.supplemental_groups_policy = coin();
  const document::Document document = document_of(before);
  Diagnostics diagnostics;
  const std::optional<model::Node> after =
      ingest::decode_node(document.roots()[0], diagnostics, ingest::Defaults::kNone);
  RC_ASSERT(after.has_value());
  RC_ASSERT(after->name == before.name && after->labels == before.labels);
  RC_ASSERT(after->annotations == before.annotations);
  RC_ASSERT(after->unschedulable == before.unschedulable && after->taints == before.taints);
  RC_ASSERT(after->allocatable == before.allocatable);
  RC_ASSERT(after->images.size() == before.images.size());
  RC_ASSERT(after->conditions == before.conditions);
  RC_ASSERT(after->declared_features == before.declared_features);
  RC_ASSERT(after->supplemental_groups_policy == before.supplemental_groups_policy);
}

RC_GTEST_PROP(ObjectJson, SelectorOwnersAreReadAgainAsTheyWere, ()) {
  model::SelectorOwner before;
  before.kind = *rc::gen::element(
      model::SelectorOwnerKind::kService, model::SelectorOwnerKind::kReplicaSet,
      model::SelectorOwnerKind::kReplicationController, model::SelectorOwnerKind::kStatefulSet);
  before.name = text();
  before.namespace_name = text();
  before.selector = model::LabelSelector{string_map(), {}};
  if (before.kind == model::SelectorOwnerKind::kStatefulSet)
    before.selector->match_expressions = some(requirement);
  const document::Document document = document_of(before);
  Diagnostics diagnostics;
  const std::optional<model::SelectorOwner> after = ingest::decode_selector_owner(
      document.roots()[0], before.kind, diagnostics, ingest::Defaults::kNone);
  RC_ASSERT(after.has_value());
  RC_ASSERT(after->name == before.name && after->namespace_name == before.namespace_name);
  RC_ASSERT(after->selector == before.selector);
}

TEST(ObjectJson, QuotesTexts) {
  std::string text;
  append_json_text("a \"note\"\n", text);
  EXPECT_EQ(text, "\"a \\\"note\\\"\\n\"");
}

}  // namespace
}  // namespace berth::ingest
