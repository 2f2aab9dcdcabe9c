#include "loadgen/generate/owners/owner_specs.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/document/document.h"
#include "engine/ingest/admission/pods/match_label_keys.h"
#include "engine/ingest/written/object_json.h"
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

// Replaces OWNER, or adds the label that selects the pods.
void name_owner(const OwnerIdentity& owner, model::PodSpec& spec) {
  if (!has_owner_word(spec.labels)) set_label(spec.labels, "app", owner.name);
  const Naming naming(owner.name);
  naming.put(spec.labels);
  naming.put(spec.affinity.pod_affinity);
  naming.put(spec.affinity.pod_anti_affinity);
  for (model::TopologySpreadConstraint& constraint : spec.topology_spread_constraints)
    naming.put(constraint.label_selector);
}

struct OwnerKindName {
  const char* api_version;
  const char* kind;
};
constexpr OwnerKindName kManifestKinds[] = {
    {"apps/v1", "Deployment"},  {"apps/v1", "ReplicaSet"}, {"v1", "ReplicationController"},
    {"apps/v1", "StatefulSet"}, {"apps/v1", "DaemonSet"},  {"batch/v1", "Job"}};

std::string json_map(const model::StringMap& map) {
  std::string text = "{";
  for (const auto& [key, value] : map) {
    if (text.size() != 1) text += ',';
    document::append_json_string(key, text);
    text += ':';
    document::append_json_string(value, text);
  }
  return text + '}';
}

// A PodTemplateSpec, as JSON. Pods of a Job have to say that they do not restart for ever.
std::string template_json(const model::PodSpec& spec, OwnerKind kind) {
  model::Pod pod;
  pod.spec = spec;
  std::string text;
  ingest::append(pod, text);
  Diagnostics none;
  const document::Document parsed = document::Document::parse(text, "", none);
  const document::Value root = parsed.roots()[0];
  const document::Value annotations = root.find("metadata").find("annotations");
  std::string own = document::to_json(root.find("spec"));
  if (kind == OwnerKind::kJob) own.insert(1, R"("restartPolicy":"Never",)");
  return fmt::format(
      R"({{"metadata":{{"labels":{}{}}},"spec":{}}})", json_map(spec.labels),
      annotations.present() ? ",\"annotations\":" + document::to_json(annotations) : "", own);
}

}  // namespace

model::ControllerObject manifest_of(const OwnerIdentity& owner, const model::PodSpec& spec,
                                    int64_t replicas) {
  model::PodSpec own = spec;
  name_owner(owner, own);
  std::string counts = fmt::format("\"replicas\":{},", replicas);
  if (owner.kind == OwnerKind::kJob)
    counts = fmt::format("\"parallelism\":{0},\"completions\":{0},", replicas);
  if (owner.kind == OwnerKind::kDaemonSet) counts.clear();
  const std::string selected = json_map(own_labels(owner, spec.labels));
  std::string selector = fmt::format("\"selector\":{{\"matchLabels\":{}}},", selected);
  if (owner.kind == OwnerKind::kReplicationController)
    selector = fmt::format("\"selector\":{},", selected);
  if (owner.kind == OwnerKind::kJob) selector.clear();  // an API server makes it
  const auto& [api_version, kind] = kManifestKinds[static_cast<size_t>(owner.kind)];
  return {.kind = kind,
          .name = owner.name,
          .namespace_name = owner.namespace_name,
          .json = fmt::format(
              R"({{"apiVersion":"{}","kind":"{}","metadata":{{"name":"{}","namespace":"{}"}},)"
              R"("spec":{{{}{}"template":{}}}}})",
              api_version, kind, owner.name, owner.namespace_name, counts, selector,
              template_json(own, owner.kind)),
          .data = nullptr};
}

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
  name_owner(owner, spec);
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
