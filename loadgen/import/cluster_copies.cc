#include "loadgen/import/cluster_copies.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"
#include "engine/document/document.h"
#include "engine/model/objects/names.h"
#include "loadgen/generate/cluster/nodes.h"

namespace berth::loadgen {
namespace {

constexpr char kAvoided[] = "scheduler.alpha.kubernetes.io/preferAvoidPods";
constexpr char kNamespaceName[] = "kubernetes.io/metadata.name";

// True if the name could be that of a copy: "web-c12" if the marker is "-c".
bool ends_like_a_copy(std::string_view name, std::string_view marker) {
  const size_t digits =
      name.size() - 1 - std::min(name.find_last_not_of("0123456789"), name.size() - 1);
  return digits > 0 && digits < name.size() &&
         name.substr(0, name.size() - digits).ends_with(marker);
}

// Appends the JSON of `value`, with the suffix added to the uid of every podController. Returns
// true if there was one.
bool append_renamed(document::Value value, const std::string& suffix, bool is_controller,
                    std::string& out) {
  bool any = false;
  const char* separator = "";
  if (value.is(document::Kind::kArray)) {
    out += '[';
    for (const document::Value element : value.elements()) {
      out += std::exchange(separator, ",");
      any |= append_renamed(element, suffix, false, out);
    }
    out += ']';
  } else if (value.is(document::Kind::kObject)) {
    out += '{';
    for (const document::Member& member : value.members()) {
      out += std::exchange(separator, ",");
      document::append_json_string(member.key, out);
      out += ':';
      const std::string_view text =
          member.value.is(document::Kind::kString) ? member.value.as_string() : "";
      if (is_controller && member.key == "uid" && !text.empty()) {
        document::append_json_string(std::string(text) + suffix, out);
        any = true;
      } else {
        any |= append_renamed(member.value, suffix, member.key == "podController", out);
      }
    }
    out += '}';
  } else {
    document::append_json(value, out);
  }
  return any;
}

}  // namespace

ClusterCopies::ClusterCopies(std::shared_ptr<const ingest::Objects> objects, uint64_t copies)
    : objects_(std::move(objects)),
      copies_(copies),
      nodes_(model::objects_of<model::Node>(objects_->others)),
      namespaces_(model::objects_of<model::Namespace>(objects_->others)),
      selector_owners_(model::objects_of<model::SelectorOwner>(objects_->others)),
      budgets_(model::objects_of<model::DisruptionBudget>(objects_->others)),
      storage_(model::objects_of<model::VolumeObject>(objects_->others)),
      groups_(model::objects_of<model::PodGroup>(objects_->others)) {
  BERTH_ASSERT(copies > 0);
  if (copies_ == 1) return;
  for (const model::Node& node : nodes_) {
    node_words_.insert(node.name);
    for (const auto& [key, value] : node.labels)
      if (key == model::kHostnameLabel) node_words_.insert(value);
  }
  add_missing_namespaces();
  choose_marker();
}

// An API server always has the namespaces of its objects.
void ClusterCopies::add_missing_namespaces() {
  boost::unordered_flat_set<std::string> known;
  for (const model::Namespace& object : namespaces_) known.insert(object.name);
  const auto add = [&](const std::string& name) {
    if (known.insert(name).second) namespaces_.push_back({name, {{kNamespaceName, name}}});
  };
  for (const model::Pod& pod : objects_->pods) add(pod.namespace_name);
  for (const model::SelectorOwner& owner : selector_owners_) add(owner.namespace_name);
  for (const model::DisruptionBudget& budget : budgets_) add(budget.namespace_name);
  for (const model::PodGroup& group : groups_) add(group.namespace_name);
  for (const model::VolumeObject& object : storage_)
    std::visit(
        [&](const auto& one) {
          if constexpr (requires { one.namespace_name; }) add(one.namespace_name);
        },
        object);
}

// Lengthens the marker until no existing name looks like that of a copy.
void ClusterCopies::choose_marker() {
  const auto taken = [&](const std::string& name) { return ends_like_a_copy(name, marker_); };
  while (std::ranges::any_of(node_words_, taken) ||
         std::ranges::any_of(namespaces_, taken, &model::Namespace::name) ||
         std::ranges::any_of(groups_, taken, &model::PodGroup::name) ||
         std::ranges::any_of(storage_, taken, [](const model::VolumeObject& object) {
           return std::visit([](const auto& one) { return one.name; }, object);
         }))
    marker_ += 'c';
}

std::string ClusterCopies::suffix(uint64_t copy) const {
  return copy == 0 ? std::string() : marker_ + std::to_string(copy);
}

void ClusterCopies::rename_value(std::string& value, const std::string& suffix) const {
  if (node_words_.contains(value)) value += suffix;
}

// Controllers have other uids in each copy, so the uids in the annotation preferAvoidPods must
// follow. An annotation that is not JSON has no effect and stays unchanged.
void ClusterCopies::rename_avoided(model::Node& node, const std::string& suffix) {
  for (auto& [key, value] : node.annotations) {
    if (key != kAvoided) continue;
    Diagnostics diagnostics;
    const document::Document document = document::Document::parse(value, kAvoided, diagnostics);
    std::string renamed;
    if (diagnostics.count() == 0 && document.roots().size() == 1 &&
        append_renamed(document.roots().front(), suffix, false, renamed))
      value = std::move(renamed);
  }
}

model::Node ClusterCopies::node(size_t index, uint64_t copy) const {
  model::Node node = nodes_[index];
  const std::string own = suffix(copy);
  node.name += own;
  if (copy != 0) rename_avoided(node, own);
  for (auto& [key, value] : node.labels) rename_value(value, own);
  return node;
}

model::Namespace ClusterCopies::namespace_object(size_t index, uint64_t copy) const {
  model::Namespace object = namespaces_[index];
  if (copies_ == 1) return object;
  object.name += suffix(copy);
  set_label(object.labels, kNamespaceName, object.name);
  set_label(object.labels, kCopyLabel, std::to_string(copy));
  return object;
}

model::SelectorOwner ClusterCopies::selector_owner(size_t index, uint64_t copy) const {
  model::SelectorOwner owner = selector_owners_[index];
  owner.namespace_name += suffix(copy);
  return owner;
}

model::DisruptionBudget ClusterCopies::budget(size_t index, uint64_t copy) const {
  model::DisruptionBudget budget = budgets_[index];
  budget.namespace_name += suffix(copy);
  return budget;
}

model::PodGroup ClusterCopies::group(size_t index, uint64_t copy) const {
  model::PodGroup group = groups_[index];
  group.namespace_name += suffix(copy);
  return group;
}

model::Pod ClusterCopies::pod(size_t index, uint64_t copy) const {
  model::Pod pod = objects_->pods[index];
  if (copies_ == 1) return pod;
  const std::string own = suffix(copy);
  pod.namespace_name += own;
  if (!pod.uid.empty()) pod.uid += own;
  if (pod.controller) {
    if (!pod.controller->uid.empty()) pod.controller->uid += own;
    if (pod.controller->kind == "Node") pod.controller->name += own;
  }
  if (!pod.nominated_node_name.empty()) pod.nominated_node_name += own;
  if (!pod.spec.node_name.empty()) pod.spec.node_name += own;
  for (auto& [key, value] : pod.spec.node_selector) rename_value(value, own);
  rename_affinity(pod.spec.affinity, copy);
  if (copy != 0) rename_volumes(pod.spec.volumes, own);
  return pod;
}

void ClusterCopies::rename_term(model::NodeSelectorTerm& term, const std::string& suffix) const {
  for (model::Requirement& requirement : term.match_expressions)
    for (std::string& value : requirement.values) rename_value(value, suffix);
  // metadata.name is the only field that match_fields can have. It names a node, even one that does
  // not exist.
  for (model::Requirement& requirement : term.match_fields)
    for (std::string& value : requirement.values) value += suffix;
}

void ClusterCopies::rename_affinity(model::Affinity& affinity, uint64_t copy) const {
  const std::string own = suffix(copy);
  if (affinity.node_required)
    for (model::NodeSelectorTerm& term : affinity.node_required->terms) rename_term(term, own);
  for (model::PreferredSchedulingTerm& term : affinity.node_preferred)
    rename_term(term.preference, own);
  if (affinity.pod_affinity) rename_pod_affinity(*affinity.pod_affinity, copy);
  if (affinity.pod_anti_affinity) rename_pod_affinity(*affinity.pod_anti_affinity, copy);
}

void ClusterCopies::rename_pod_affinity(model::PodAffinity& affinity, uint64_t copy) const {
  for (model::PodAffinityTerm& term : affinity.required) rename_pod_term(term, copy);
  for (model::WeightedPodAffinityTerm& term : affinity.preferred) rename_pod_term(term.term, copy);
}

void ClusterCopies::rename_pod_term(model::PodAffinityTerm& term, uint64_t copy) const {
  const std::string own = suffix(copy);
  for (std::string& name : term.namespaces) name += own;
  if (!term.namespace_selector) return;
  for (auto& [key, value] : term.namespace_selector->match_labels)
    if (key == kNamespaceName) value += own;
  for (model::Requirement& requirement : term.namespace_selector->match_expressions)
    if (requirement.key == kNamespaceName)
      for (std::string& value : requirement.values) value += own;
  set_label(term.namespace_selector->match_labels, kCopyLabel, std::to_string(copy));
}

}  // namespace berth::loadgen
