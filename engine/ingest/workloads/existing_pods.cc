#include "engine/ingest/workloads/existing_pods.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "engine/ingest/admission/pods/match_label_keys.h"
#include "engine/ingest/workloads/pod_names.h"
#include "engine/ingest/workloads/workload.h"

namespace berth::ingest {
namespace {

std::string key_of(std::string_view kind, std::string_view namespace_name, std::string_view name) {
  std::string key(kind);
  key += '/';
  key += namespace_name;
  key += '/';
  key += name;
  return key;
}

using Text = std::optional<std::string_view>;

Text label_of_pod(const model::Pod& pod, std::string_view key) {
  return label_of(pod.spec.labels, key);
}
Text label_of_pod(const model::TemplatePod& pod, std::string_view key) {
  const Text own = label_of(pod.labels, key);
  return own ? own : label_of(pod.spec->labels, key);
}

template <typename PodLike>
OwnState state_of(const PodLike& pod) {
  if (pod.phase == model::PodPhase::kSucceeded) return OwnState::kSucceeded;
  if (pod.phase == model::PodPhase::kFailed) return OwnState::kFailed;
  return pod.terminating ? OwnState::kTerminating : OwnState::kActive;
}

// The node of a daemon that waits is in its affinity.
std::string_view daemon_node(const model::PodSpec& spec, std::string_view node) {
  if (!node.empty() || !spec.affinity.node_required) return node;
  for (const model::NodeSelectorTerm& term : spec.affinity.node_required->terms)
    for (const model::Requirement& field : term.match_fields)
      if (field.key == "metadata.name" && field.op == "In" && field.values.size() == 1)
        return field.values[0];
  return node;
}

}  // namespace

uint64_t OwnPods::count(OwnState state) const {
  return static_cast<uint64_t>(
      std::ranges::count_if(pods, [&](const auto& pod) { return pod.second.state == state; }));
}

uint64_t ExistingPods::id_of(std::string_view namespace_name, std::string_view name) {
  const uint64_t space = std::hash<std::string_view>()(namespace_name);
  return std::hash<std::string_view>()(name) ^ (space * 0x9e37'79b9'7f4a'7c15u);
}

OwnPods& ExistingPods::owner(std::string_view namespace_name, const model::Controller& controller,
                             std::string_view hash) {
  const auto [at, is_new] =
      by_owner_.try_emplace(key_of(controller.kind, namespace_name, controller.name));
  OwnPods& owner = at->second;
  if (is_new) {
    owner.controller = controller;
    const std::string end = "-" + std::string(hash);
    if (controller.kind == "ReplicaSet" && !hash.empty() && controller.name.ends_with(end)) {
      owner.hash = hash;
      const auto length = controller.name.size() - end.size();
      by_deployment_[key_of("", namespace_name, controller.name.substr(0, length))].push_back(
          &owner);
    }
  }
  return owner;
}

template <typename PodLike>
void ExistingPods::put_pod(const PodLike& pod, const model::PodSpec& spec, std::string_view node) {
  const uint64_t id = id_of(pod.namespace_name, pod.name);
  remove(id);
  OwnPods*& owned_by = owners_[id];
  if (!pod.controller || !workload_kind(pod.controller->kind, pod.controller->api_version)) return;
  const std::string& kind = pod.controller->kind;
  const Text hash = kind == "ReplicaSet" ? label_of_pod(pod, "pod-template-hash") : Text();
  owned_by = &owner(pod.namespace_name, *pod.controller, hash.value_or(""));
  OwnPod own{{}, pod.created_at, state_of(pod)};
  if (kind == "DaemonSet") own.place = daemon_node(spec, node);
  if (kind == "Job") own.place = label_of_pod(pod, kIndexLabel).value_or("");
  owned_by->pods[id] = std::move(own);
}

void ExistingPods::put_set(const model::SelectorOwner& owner) {
  if (owner.kind == model::SelectorOwnerKind::kReplicaSet)
    sets_.insert(id_of(owner.namespace_name, owner.name));
}

void ExistingPods::put(const model::Pod& pod) { put_pod(pod, pod.spec, pod.spec.node_name); }

void ExistingPods::put(const model::TemplatePod& pod) { put_pod(pod, *pod.spec, pod.node_name); }

void ExistingPods::remove(uint64_t id) {
  const auto at = owners_.find(id);
  if (at == owners_.end()) return;
  if (at->second != nullptr) at->second->pods.erase(id);
  owners_.erase(at);
}

void ExistingPods::remove(std::string_view namespace_name, std::string_view name) {
  remove(id_of(namespace_name, name));
}

bool ExistingPods::stays(std::string_view namespace_name, std::string_view name) const {
  const uint64_t id = id_of(namespace_name, name);
  const auto at = owners_.find(id);
  if (at == owners_.end()) return false;
  if (at->second == nullptr) return true;
  const OwnState state = at->second->pods.at(id).state;
  return state == OwnState::kActive || state == OwnState::kTerminating;
}

const OwnPods* ExistingPods::of(std::string_view kind, std::string_view namespace_name,
                                std::string_view name) const {
  const auto at = by_owner_.find(key_of(kind, namespace_name, name));
  return at == by_owner_.end() ? nullptr : &at->second;
}

std::vector<const OwnPods*> ExistingPods::replica_sets_of(std::string_view namespace_name,
                                                          std::string_view deployment) const {
  const auto at = by_deployment_.find(key_of("", namespace_name, deployment));
  return at == by_deployment_.end() ? std::vector<const OwnPods*>() : at->second;
}

}  // namespace berth::ingest
