#include "loadgen/generate/owners/owner_specs.h"

#include <algorithm>

#include "engine/ingest/admission/pods/match_label_keys.h"
#include "loadgen/generate/cluster/nodes.h"

namespace berth::loadgen {
namespace {

constexpr char kHashLabel[] = "pod-template-hash";

// Replaces kOwnerWord by the owner's name.
class Naming {
 public:
  explicit Naming(const std::string& name) : name_(name) {}

  void put(std::string& text) const {
    if (text == kOwnerWord) text = name_;
  }
  void put(model::StringMap& map) const {
    for (auto& [key, value] : map) put(value);
  }
  void put(std::optional<model::LabelSelector>& selector) const {
    if (!selector) return;
    put(selector->match_labels);
    for (model::Requirement& requirement : selector->match_expressions)
      for (std::string& value : requirement.values) put(value);
  }
  void put(model::PodAffinityTerm& term) const {
    put(term.label_selector);
    put(term.namespace_selector);
  }
  void put(std::optional<model::PodAffinity>& affinity) const {
    if (!affinity) return;
    for (model::PodAffinityTerm& term : affinity->required) put(term);
    for (model::WeightedPodAffinityTerm& weighted : affinity->preferred) put(weighted.term);
  }

 private:
  const std::string& name_;
};

bool has_owner_word(const model::StringMap& labels) {
  return std::ranges::any_of(labels, [](const auto& label) { return label.second == kOwnerWord; });
}

bool tolerates(const std::vector<model::Toleration>& tolerations, const model::Taint& taint) {
  return std::ranges::any_of(tolerations, [&](const model::Toleration& t) {
    if (!t.effect.empty() && t.effect != taint.effect) return false;
    if (t.op == "Exists") return t.key.empty() || t.key == taint.key;
    return t.key == taint.key && t.value == taint.value;
  });
}

// Source: kubernetes pkg/controller/daemon/util AddOrUpdateDaemonPodTolerations.
void add_daemon_tolerations(model::PodSpec& spec) {
  const auto add = [&](const char* key, const char* effect) {
    spec.tolerations.push_back({std::string("node.kubernetes.io/") + key, "Exists", "", effect});
  };
  add("not-ready", "NoExecute");
  add("unreachable", "NoExecute");
  add("disk-pressure", "NoSchedule");
  add("memory-pressure", "NoSchedule");
  add("pid-pressure", "NoSchedule");
  add("unschedulable", "NoSchedule");
}

// The labels with which an owner selects its pods, from the template before OWNER is replaced.
model::StringMap own_labels(const OwnerIdentity& owner, const model::StringMap& labels) {
  model::StringMap own;
  for (const auto& [key, value] : labels)
    if (value == kOwnerWord) own.emplace_back(key, owner.name);
  if (own.empty()) own.emplace_back("app", owner.name);
  return own;
}

}  // namespace

model::Controller controller_of(const OwnerIdentity& owner) {
  switch (owner.kind) {
    case OwnerKind::kDeployment:
      return {"apps/v1", "ReplicaSet", owner.name + "-" + owner.hash, ""};
    case OwnerKind::kReplicaSet:
      return {"apps/v1", "ReplicaSet", owner.name, ""};
    case OwnerKind::kReplicationController:
      return {"v1", "ReplicationController", owner.name, ""};
    case OwnerKind::kStatefulSet:
      return {"apps/v1", "StatefulSet", owner.name, ""};
    case OwnerKind::kDaemonSet:
      return {"apps/v1", "DaemonSet", owner.name, ""};
    case OwnerKind::kJob:
      return {"batch/v1", "Job", owner.name, ""};
  }
  return {};
}

void make_own(const OwnerIdentity& owner, model::PodSpec& spec) {
  if (!has_owner_word(spec.labels)) set_label(spec.labels, "app", owner.name);
  const Naming naming(owner.name);
  naming.put(spec.labels);
  naming.put(spec.affinity.pod_affinity);
  naming.put(spec.affinity.pod_anti_affinity);
  for (model::TopologySpreadConstraint& constraint : spec.topology_spread_constraints)
    naming.put(constraint.label_selector);
  if (owner.kind == OwnerKind::kDeployment) set_label(spec.labels, kHashLabel, owner.hash);
  if (owner.kind == OwnerKind::kJob) {
    set_label(spec.labels, "batch.kubernetes.io/job-name", owner.name);
    set_label(spec.labels, "job-name", owner.name);
  }
  if (owner.kind == OwnerKind::kDaemonSet) add_daemon_tolerations(spec);
  ingest::merge_label_keys([&](std::string_view key) { return ingest::label_of(spec.labels, key); },
                           spec.affinity);
}

void pin_to_node(const std::string& node, model::PodSpec& spec) {
  spec.affinity.node_required = model::NodeSelector{{{{}, {{"metadata.name", "In", {node}}}}}};
}

bool runs_on(const model::PodSpec& daemon, const model::Node& node) {
  const bool selected = std::ranges::all_of(daemon.node_selector, [&](const auto& wanted) {
    return ingest::label_of(node.labels, wanted.first) == wanted.second;
  });
  return selected && std::ranges::all_of(node.taints, [&](const model::Taint& taint) {
           return taint.effect == "PreferNoSchedule" || tolerates(daemon.tolerations, taint);
         });
}

std::vector<model::SelectorOwner> selector_owners_of(const OwnerIdentity& owner,
                                                     const model::PodSpec& spec, bool service) {
  model::LabelSelector selector;
  selector.match_labels = own_labels(owner, spec.labels);
  std::vector<model::SelectorOwner> owners;
  const auto add = [&](model::SelectorOwnerKind kind, const std::string& name) {
    owners.push_back({kind, name, owner.namespace_name, selector});
  };
  if (service) add(model::SelectorOwnerKind::kService, owner.name);
  const std::string name = controller_of(owner).name;
  switch (owner.kind) {
    case OwnerKind::kDeployment:
      set_label(selector.match_labels, kHashLabel, owner.hash);
      add(model::SelectorOwnerKind::kReplicaSet, name);
      break;
    case OwnerKind::kReplicaSet:
      add(model::SelectorOwnerKind::kReplicaSet, name);
      break;
    case OwnerKind::kReplicationController:
      add(model::SelectorOwnerKind::kReplicationController, name);
      break;
    case OwnerKind::kStatefulSet:
      add(model::SelectorOwnerKind::kStatefulSet, name);
      break;
    case OwnerKind::kDaemonSet:
    case OwnerKind::kJob:
      break;  // have no selector that scheduling reads
  }
  return owners;
}

}  // namespace berth::loadgen
