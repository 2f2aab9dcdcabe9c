#include "engine/ingest/workloads/expand.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/ingest/admission/pods/match_label_keys.h"
#include "engine/ingest/workloads/matching.h"
#include "engine/ingest/workloads/pod_names.h"

namespace berth::ingest {
namespace {

using model::Pod;

struct DaemonTaint {
  std::string_view key;
  std::string_view effect;
};
// What a DaemonSet's controller lets its pods tolerate.
constexpr DaemonTaint kDaemonTaints[] = {
    {"node.kubernetes.io/not-ready", "NoExecute"},
    {"node.kubernetes.io/unreachable", "NoExecute"},
    {"node.kubernetes.io/disk-pressure", "NoSchedule"},
    {"node.kubernetes.io/memory-pressure", "NoSchedule"},
    {"node.kubernetes.io/pid-pressure", "NoSchedule"},
    {"node.kubernetes.io/unschedulable", "NoSchedule"},
    {"node.kubernetes.io/network-unavailable", "NoSchedule"},  // in the host network alone
};

void add_daemon_tolerations(bool host_network, std::vector<model::Toleration>& tolerations) {
  for (const DaemonTaint& taint : kDaemonTaints) {
    if (taint.key.ends_with("network-unavailable") && !host_network) continue;
    const model::Toleration toleration{std::string(taint.key), "Exists", "",
                                       std::string(taint.effect)};
    if (std::ranges::find(tolerations, toleration) == tolerations.end())
      tolerations.push_back(toleration);
  }
}

// The required affinity of the template chose the node already; the node's name replaces it.
void bind_to_node(const std::string& node, model::Affinity& affinity) {
  model::NodeSelectorTerm term;
  term.match_fields.push_back({"metadata.name", "In", {node}});
  affinity.node_required = model::NodeSelector{{std::move(term)}};
}

// The pods of an input that have a controller and are not finished, by what manages them.
class Managed {
 public:
  explicit Managed(std::span<const Pod> pods) {
    for (const Pod& pod : pods) {
      if (pod.finished() || !pod.controller) continue;
      const model::Controller& controller = *pod.controller;
      by_[key(controller.kind, pod.namespace_name, controller.name)].push_back(&pod);
      // The ReplicaSet of a Deployment has its name and the hash of the template.
      const auto hash = label_of(pod.spec.labels, "pod-template-hash");
      const std::string end = hash ? "-" + std::string(*hash) : "";
      if (controller.kind != "ReplicaSet" || !hash || !controller.name.ends_with(end)) continue;
      const std::string name = controller.name.substr(0, controller.name.size() - end.size());
      by_[key("Deployment", pod.namespace_name, name)].push_back(&pod);
    }
  }

  std::vector<const Pod*> of(const Workload& workload) const {
    const auto found =
        by_.find(key(workload_kind_name(workload.kind), workload.namespace_name, workload.name));
    return found == by_.end() ? std::vector<const Pod*>() : found->second;
  }

 private:
  static std::string key(std::string_view kind, std::string_view namespace_name,
                         std::string_view name) {
    return std::string(kind) + "/" + std::string(namespace_name) + "/" + std::string(name);
  }

  std::unordered_map<std::string, std::vector<const Pod*>> by_;
};

std::string claim_name(const model::PersistentVolumeClaim& from, const Pod& pod) {
  return from.name + "-" + pod.name;
}

class Creator {
 public:
  Creator(const Workload& workload, std::vector<const Pod*> own)
      : workload_(workload),
        seed_(name_hash(workload.controller.kind + "/" + workload.namespace_name + "/" +
                        workload.controller.name)),
        own_(std::move(own)) {}

  std::vector<Pod> pods(std::span<const model::Node> nodes) {
    switch (workload_.kind) {
      case WorkloadKind::kDeployment:
      case WorkloadKind::kReplicaSet:
      case WorkloadKind::kReplicationController:
        for (uint64_t i = own_.size(); i < workload_.pods; ++i)
          add(generated_name(workload_.controller.name + "-", seed_, i));
        break;
      case WorkloadKind::kStatefulSet:
        stateful();
        break;
      case WorkloadKind::kDaemonSet:
        daemons(nodes);
        break;
      case WorkloadKind::kJob:
        job();
        break;
    }
    return std::move(pods_);
  }

 private:
  Pod& add(std::string name) {
    Pod& pod = pods_.emplace_back(workload_.pod);
    pod.name = std::move(name);
    pod.controller = workload_.controller;
    return pod;
  }

  // Labels in which the pods differ, and what follows from them.
  void label(Pod& pod,
             std::initializer_list<std::pair<std::string_view, std::string_view>> labels) {
    for (const auto& [key, value] : labels) set_label(pod.spec.labels, key, value);
    if (!workload_.merge_each) return;
    merge_label_keys([&](std::string_view key) { return label_of(pod.spec.labels, key); },
                     pod.spec.affinity);
  }

  void stateful() {
    std::set<std::string_view> names;
    for (const Pod* pod : own_) names.insert(pod->name);
    for (uint64_t i = 0; i < workload_.pods; ++i) {
      const std::string index = std::to_string(workload_.first_ordinal + static_cast<int64_t>(i));
      std::string name = workload_.name + "-" + index;
      if (names.contains(name)) continue;
      Pod& pod = add(std::move(name));
      label(pod, {{"apps.kubernetes.io/pod-index", index},
                  {"statefulset.kubernetes.io/pod-name", pod.name}});
      add_volumes(pod);
    }
  }

  // Before those of the template, as the controller puts them.
  void add_volumes(Pod& pod) const {
    std::vector<model::PodVolume> volumes;
    for (const model::PersistentVolumeClaim& claim : workload_.claims) {
      model::PodVolume& volume = volumes.emplace_back();
      volume.is_claim = true;
      volume.claim = claim_name(claim, pod);
    }
    pod.spec.volumes.insert(pod.spec.volumes.begin(), volumes.begin(), volumes.end());
  }

  void daemons(std::span<const model::Node> nodes) {
    std::set<std::string_view> served;
    for (const Pod* pod : own_) served.insert(pod->spec.node_name);
    Pod daemon = workload_.pod;
    add_daemon_tolerations(workload_.asked.host_network, daemon.spec.tolerations);
    uint64_t ordinal = 0;
    for (const model::Node& node : nodes) {
      const uint64_t number = ordinal++;
      if (served.contains(node.name) || !daemon_fits(daemon.spec, node)) continue;
      Pod& pod = add(generated_name(workload_.name + "-", seed_, number));
      pod.spec.tolerations = daemon.spec.tolerations;
      bind_to_node(node.name, pod.spec.affinity);
    }
  }

  void job() {
    std::set<std::string_view> indices;
    for (const Pod* pod : own_)
      if (const auto index = label_of(pod->spec.labels, kIndexLabel)) indices.insert(*index);
    for (uint64_t i = workload_.indexed ? 0 : own_.size(); i < workload_.pods; ++i) {
      if (!workload_.indexed) {
        add(generated_name(workload_.name + "-", seed_, i));
        continue;
      }
      const std::string index = std::to_string(i);
      if (indices.contains(index)) continue;
      Pod& pod = add(indexed_name(index, i));
      label(pod, {{kIndexLabel, index}});
    }
  }

  // The job's name is cut, not the index.
  std::string indexed_name(const std::string& index, uint64_t ordinal) const {
    constexpr size_t kLongestBase = 58;
    const std::string appendix = "-" + index + "-";
    std::string base = workload_.name;
    if (base.size() + appendix.size() > kLongestBase) base.resize(kLongestBase - appendix.size());
    return generated_name(base + appendix, seed_, ordinal);
  }

  static constexpr std::string_view kIndexLabel = "batch.kubernetes.io/job-completion-index";

  const Workload& workload_;
  const uint32_t seed_;
  std::vector<const Pod*> own_;  // those that exist
  std::vector<Pod> pods_;
};

void remark(const Workload& workload, const std::vector<Pod>& pods, Remarks& remarks) {
  for (const Pod& pod : pods) {
    if (workload.asked.with_resource_claims) remarks.with_resource_claims.add(pod);
    if (workload.asked.tolerates_for_a_time) remarks.tolerating_for_a_time.add(pod);
    if (!pod.spec.priority && !workload.asked.priority_class.empty())
      remarks.without_priority.add(pod);
  }
}

// Makes the claims of a StatefulSet's pods.
class Claims {
 public:
  Claims(Objects& objects, const ClaimNames& existing) : objects_(objects), existing_(existing) {
    for (const model::VolumeObject& object : objects.storage)
      if (std::holds_alternative<model::PersistentVolumeClaim>(object))
        known_.insert(full_name(object));
  }

  void make(const Workload& workload, const std::vector<Pod>& pods) {
    for (const Pod& pod : pods)
      for (const model::PersistentVolumeClaim& from : workload.claims) {
        model::PersistentVolumeClaim claim = from;
        claim.namespace_name = workload.namespace_name;
        claim.name = claim_name(from, pod);
        claim.uid = made_uid("PersistentVolumeClaim", claim.namespace_name, claim.name);
        std::string name = full_name(claim);
        if (existing_.contains(name) || !known_.insert(std::move(name)).second) continue;
        objects_.storage.emplace_back(std::move(claim));
        objects_.lines.storage.push_back(workload.line);
        ++objects_.made_claims;
      }
  }

 private:
  Objects& objects_;
  const ClaimNames& existing_;
  ClaimNames known_;
};

}  // namespace

void expand(Objects& objects, std::span<const model::Node> nodes, const ClaimNames& claims) {
  if (objects.workloads.empty()) return;
  Objects all;  // its pods alone
  size_t taken = 0;
  const auto take_until = [&](size_t end) {
    for (; taken < end; ++taken) {
      all.pods.push_back(std::move(objects.pods[taken]));
      all.pods_asked.push_back(std::move(objects.pods_asked[taken]));
      all.lines.pods.push_back(objects.lines.pods[taken]);
    }
  };
  const std::vector<Workload> workloads = std::exchange(objects.workloads, {});
  objects.expanded += workloads.size();
  const Managed existing(objects.pods);
  Claims made(objects, claims);
  std::vector<std::vector<Pod>> created;
  for (const Workload& workload : workloads)
    created.push_back(Creator(workload, existing.of(workload)).pods(nodes));
  for (size_t i = 0; i < workloads.size(); ++i) {
    take_until(workloads[i].before);
    remark(workloads[i], created[i], objects.remarks);
    made.make(workloads[i], created[i]);
    for (Pod& pod : created[i]) {
      all.pods.push_back(std::move(pod));
      all.pods_asked.push_back(workloads[i].asked);
      all.lines.pods.push_back(workloads[i].line);
    }
    created[i] = {};
  }
  take_until(objects.pods.size());
  objects.pods = std::move(all.pods);
  objects.pods_asked = std::move(all.pods_asked);
  objects.lines.pods = std::move(all.lines.pods);
}

}  // namespace berth::ingest
