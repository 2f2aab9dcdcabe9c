#include "engine/controllers/disruption/scales.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace berth::controllers {
namespace {

// Those of every API server that control pods: other kinds do not occur in owner references of pods
// that control them.
constexpr std::array kBuiltIn = std::to_array<ServedKind>({
    {"", "v1", "Node", "nodes", false},
    {"", "v1", "Pod", "pods", false},
    {"", "v1", "ReplicationController", "replicationcontrollers", true},
    {"apps", "v1", "DaemonSet", "daemonsets", false},
    {"apps", "v1", "Deployment", "deployments", true},
    {"apps", "v1", "ReplicaSet", "replicasets", true},
    {"apps", "v1", "StatefulSet", "statefulsets", true},
    {"batch", "v1", "CronJob", "cronjobs", false},
    {"batch", "v1", "Job", "jobs", false},
});

struct GroupVersion {
  std::string_view group, version;
};

std::optional<GroupVersion> group_version(std::string_view api_version) {
  const size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return GroupVersion{"", api_version};
  if (api_version.find('/', slash + 1) != std::string_view::npos) return std::nullopt;
  return GroupVersion{api_version.substr(0, slash), api_version.substr(slash + 1)};
}

std::string not_a_group_version(std::string_view text) {
  return fmt::format("unexpected GroupVersion string: {}", text);
}

// The group of an owner whose objects are those of the group apps, whatever the version.
bool is_apps(std::string_view group) { return group == "apps" || group == "extensions"; }

std::string full_resource(const ServedKind& kind) {
  return kind.group.empty() ? std::string(kind.resource)
                            : fmt::format("{}.{}", kind.resource, kind.group);
}

}  // namespace

// Names have no line breaks.
std::string Scales::key(std::string_view group, std::string_view kind,
                        std::string_view namespace_name, std::string_view name) {
  std::string text(namespace_name);
  for (const std::string_view part : {kind, group, name}) text.append("\n").append(part);
  return text;
}

void Scales::put(Workload workload) {
  std::string at = key(workload.group, workload.kind, workload.namespace_name, workload.name);
  workloads_.insert_or_assign(std::move(at), std::move(workload));
}

void Scales::remove(std::string_view group, std::string_view kind, std::string_view namespace_name,
                    std::string_view name) {
  const auto at = workloads_.find(key(group, kind, namespace_name, name));
  if (at != workloads_.end()) workloads_.erase(at);
}

const Workload* Scales::find(std::string_view group, std::string_view kind,
                             std::string_view namespace_name, std::string_view name) const {
  const auto at = workloads_.find(key(group, kind, namespace_name, name));
  return at == workloads_.end() ? nullptr : &at->second;
}

const ServedKind* Scales::served(std::string_view group, std::string_view version,
                                 std::string_view kind) const {
  const auto is_it = [&](const ServedKind& one) {
    return one.group == group && one.version == version && one.kind == kind;
  };
  const auto built_in = std::ranges::find_if(kBuiltIn, is_it);
  if (built_in != kBuiltIn.end()) return &*built_in;
  const auto custom = std::ranges::find_if(served_, is_it);
  return custom == served_.end() ? nullptr : &*custom;
}

// Null if an object of this name is another one.
const Workload* Scales::same(std::string_view group, const model::Controller& owner,
                             std::string_view namespace_name) const {
  const Workload* found = find(group, owner.kind, namespace_name, owner.name);
  return found != nullptr && found->uid == owner.uid ? found : nullptr;
}

// The scale of a ReplicaSet whose Deployment is missing is its own: only the subresource says it.
std::variant<const Workload*, std::string> Scales::of_replica_set(const Workload& set) const {
  if (!set.owner) return &set;
  const auto owned_by = group_version(set.owner->api_version);
  if (!owned_by) return not_a_group_version(set.owner->api_version);
  const bool by_deployment = set.owner->kind == "Deployment" && is_apps(owned_by->group);
  const Workload* deployment =
      by_deployment ? same("apps", *set.owner, set.namespace_name) : nullptr;
  return deployment != nullptr ? deployment : &set;
}

std::variant<const Workload*, std::string> Scales::of_owner(const model::Controller& owner,
                                                            std::string_view namespace_name) const {
  const auto in = group_version(owner.api_version);
  if (!in) return not_a_group_version(owner.api_version);
  if (owner.kind == "ReplicaSet" && is_apps(in->group))
    if (const Workload* set = same("apps", owner, namespace_name)) return of_replica_set(*set);
  // These are found whatever the version is.
  if ((owner.kind == "StatefulSet" && in->group == "apps") ||
      (owner.kind == "ReplicationController" && in->group.empty()))
    if (const Workload* found = same(in->group, owner, namespace_name)) return found;
  const ServedKind* kind = served(in->group, in->version, owner.kind);
  if (kind == nullptr)
    return fmt::format("no matches for kind \"{}\" in version \"{}\"", owner.kind,
                       owner.api_version);
  if (!kind->has_scale) return full_resource(*kind) + " does not implement the scale subresource";
  return same(in->group, owner, namespace_name);
}

}  // namespace berth::controllers
