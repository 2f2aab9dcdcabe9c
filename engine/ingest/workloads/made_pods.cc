#include "engine/ingest/workloads/made_pods.h"

#include "engine/ingest/admission/pods/default_tolerations.h"
#include "engine/ingest/admission/pods/match_label_keys.h"
#include "engine/ingest/workloads/pod_names.h"
#include "engine/ingest/workloads/workload.h"

namespace berth::ingest {
namespace {

using model::Pod;

struct DaemonTaint {
  std::string_view key;
  std::string_view effect;
};
// The taints that a DaemonSet's controller lets its pods tolerate.
constexpr DaemonTaint kDaemonTaints[] = {
    {"node.kubernetes.io/not-ready", "NoExecute"},
    {"node.kubernetes.io/unreachable", "NoExecute"},
    {"node.kubernetes.io/disk-pressure", "NoSchedule"},
    {"node.kubernetes.io/memory-pressure", "NoSchedule"},
    {"node.kubernetes.io/pid-pressure", "NoSchedule"},
    {"node.kubernetes.io/unschedulable", "NoSchedule"},
    {"node.kubernetes.io/network-unavailable", "NoSchedule"},  // in the host network alone
};

std::string claim_name(const model::PersistentVolumeClaim& from, const Pod& pod) {
  return from.name + "-" + pod.name;
}

Pod made(const model::Workload& workload, std::string name) {
  Pod pod = *workload.pod;
  pod.name = std::move(name);
  pod.controller = workload.controller;
  return pod;
}

}  // namespace

uint32_t name_seed(const model::Controller& controller, std::string_view namespace_name) {
  return name_hash(controller.kind + "/" + std::string(namespace_name) + "/" + controller.name);
}

std::string indexed_base(const std::string& job, uint64_t index) {
  constexpr size_t kLongestBase = 58;
  const std::string appendix = "-" + std::to_string(index) + "-";
  std::string base = job;
  if (base.size() + appendix.size() > kLongestBase) base.resize(kLongestBase - appendix.size());
  return base + appendix;
}

void tolerate_as_daemon(bool host_network, std::vector<model::Toleration>& tolerations) {
  for (const DaemonTaint& taint : kDaemonTaints) {
    if (taint.key.ends_with("network-unavailable") && !host_network) continue;
    add_toleration({std::string(taint.key), "Exists", "", std::string(taint.effect)}, tolerations);
  }
}

void bind_to_node(const std::string& node, model::Affinity& affinity) {
  model::NodeSelectorTerm term;
  term.match_fields.push_back({"metadata.name", "In", {node}});
  affinity.node_required = model::NodeSelector{{std::move(term)}};
}

void set_own_labels(std::initializer_list<std::pair<std::string_view, std::string_view>> labels,
                    bool merges, Pod& pod) {
  for (const auto& [key, value] : labels) set_label(pod.spec.labels, key, value);
  if (!merges) return;
  merge_label_keys([&](std::string_view key) { return label_of(pod.spec.labels, key); },
                   pod.spec.affinity);
}

void make_stateful(std::string_view ordinal,
                   const std::vector<model::PersistentVolumeClaim>& claims, bool merges, Pod& pod) {
  const std::string name = pod.name;
  set_own_labels(
      {{"apps.kubernetes.io/pod-index", ordinal}, {"statefulset.kubernetes.io/pod-name", name}},
      merges, pod);
  std::vector<model::PodVolume> volumes;
  for (const model::PersistentVolumeClaim& claim : claims) {
    model::PodVolume& volume = volumes.emplace_back();
    volume.is_claim = true;
    volume.claim = claim_name(claim, pod);
  }
  pod.spec.volumes.insert(pod.spec.volumes.begin(), volumes.begin(), volumes.end());
}

model::PersistentVolumeClaim claim_of(const model::PersistentVolumeClaim& from, const Pod& pod) {
  model::PersistentVolumeClaim claim = from;
  claim.namespace_name = pod.namespace_name;
  claim.name = claim_name(from, pod);
  claim.uid = made_uid("PersistentVolumeClaim", claim.namespace_name, claim.name);
  return claim;
}

std::string suffixed_name(const model::Workload& workload, uint64_t ordinal, uint64_t index) {
  const std::string base =
      workload.job.indexed ? indexed_base(workload.name, index) : workload.controller.name + "-";
  return generated_name(base, name_seed(workload.controller, workload.namespace_name), ordinal);
}

Pod stateful_pod(const model::Workload& workload, int64_t ordinal) {
  const std::string index = std::to_string(ordinal);
  Pod pod = made(workload, workload.name + "-" + index);
  make_stateful(index, workload.claims, workload.merges_labels, pod);
  return pod;
}

Pod daemon_pod(const model::Workload& workload, std::string name, const std::string& node) {
  Pod pod = made(workload, std::move(name));
  bind_to_node(node, pod.spec.affinity);
  return pod;
}

Pod indexed_pod(const model::Workload& workload, std::string name, uint64_t index) {
  Pod pod = made(workload, std::move(name));
  set_own_labels({{kIndexLabel, std::to_string(index)}}, workload.merges_labels, pod);
  return pod;
}

Pod replica_pod(const model::Workload& workload, std::string name) {
  Pod pod = made(workload, std::move(name));
  set_own_labels({}, workload.merges_labels, pod);
  return pod;
}

}  // namespace berth::ingest
