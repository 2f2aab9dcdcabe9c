// Parses `placed` and `owners`.

#include <fmt/format.h>

#include <algorithm>

#include "loadgen/workload/parse/parse_distribution.h"
#include "loadgen/workload/parse/parse_parts.h"

namespace berth::loadgen {
namespace {

using document::Kind;
using document::Value;

constexpr int64_t kMostReplicas = 100'000;
constexpr uint64_t kMostOwners = 1'000'000;
constexpr uint64_t kMostDaemonSets = 1'000;
// Nanoseconds; a shorter interval could keep planned time from advancing.

struct KindName {
  std::string_view name;
  OwnerKind kind;
};
constexpr KindName kOwnerKinds[] = {
    {"Deployment", OwnerKind::kDeployment},
    {"ReplicaSet", OwnerKind::kReplicaSet},
    {"ReplicationController", OwnerKind::kReplicationController},
    {"StatefulSet", OwnerKind::kStatefulSet},
    {"DaemonSet", OwnerKind::kDaemonSet},
    {"Job", OwnerKind::kJob},
};

}  // namespace

void WorkloadParser::placed(std::vector<Value> list) {
  for (const Value value : list) {
    Fields in(value, context_);
    PlacedSpec placed;
    placed.templates = choice(in);
    if (auto per_node = distribution(in, "perNode", Unit::kCount, 0, kMostReplicas)) {
      placed.per_node = std::move(*per_node);
    } else if (!in.has("perNode")) {
      in.missing("perNode", "is missing: how many pods run on each node");
    }
    in.done();
    check_usage(value, placed.templates);
    check_placed_names(value, placed);
    spec_.placed.push_back(std::move(placed));
  }
}

void WorkloadParser::check_placed_names(Value at, const PlacedSpec& placed) {
  for (const auto& [weight, index] : placed.templates.templates) {
    const std::string& name = spec_.templates[index].name;
    for (const TemplateSpec& other : spec_.templates)
      if (other.name == name + "-placed")
        context_.report(at, fmt::format("placed pods of the template \"{}\" are called "
                                        "{}-0000000 and so on, as pods of the template \"{}\" are",
                                        name, other.name, other.name));
  }
}

// The generator decides which nodes get a DaemonSet pod, and it evaluates only nodeSelector and
// taints.
void WorkloadParser::daemon_set(Value at, const OwnerSpec& owner) {
  if (owner.pod_template < spec_.templates.size() &&
      spec_.templates[owner.pod_template].spec.affinity.node_required)
    context_.report(at,
                    "a DaemonSet's template says by nodeSelector on which nodes it runs: "
                    "required node affinity is not possible here");
  if (owner.pod_template < spec_.templates.size() && spec_.templates[owner.pod_template].claims)
    context_.report(at, "pods of a DaemonSet have no claims: give it a template without `claims`");
}

// What follows would have to be known of pods that a run makes.
void WorkloadParser::manifest(Value at, const OwnerSpec& owner) {
  const bool claims =
      owner.pod_template < spec_.templates.size() && spec_.templates[owner.pod_template].claims;
  if (owner.scale || owner.lifetime || owner.measured || claims)
    context_.report(at,
                    "an owner with `manifest` has neither `scale`, `lifetime`, `measured` nor a "
                    "template with `claims`");
}

void WorkloadParser::scale(Fields in, OwnerSpec& owner) {
  if (!in.present()) return;
  ScaleSpec scale;
  std::optional<Distribution> every = distribution(in, "every", Unit::kDuration, kShortestInterval);
  std::optional<Distribution> replicas =
      distribution(in, "replicas", Unit::kCount, 0, kMostReplicas);
  if (!in.has("every")) in.missing("every", "is missing: expected a time such as 30s");
  if (!in.has("replicas")) in.missing("replicas", "is missing: expected such as {uniform: ...}");
  in.done();
  if (owner.kind == OwnerKind::kDaemonSet || owner.kind == OwnerKind::kJob)
    context_.report(in.value(), "DaemonSets and Jobs do not scale");
  if (every && replicas) owner.scale = ScaleSpec{std::move(*every), std::move(*replicas)};
}

void WorkloadParser::owner(Value value) {
  Fields in(value, context_);
  OwnerSpec owner;
  const Value kind = in.at("kind");
  const auto* known = std::ranges::find_if(kOwnerKinds, [&](const KindName& entry) {
    return kind.is(Kind::kString) && kind.as_string() == entry.name;
  });
  if (known != std::end(kOwnerKinds)) {
    owner.kind = known->kind;
  } else if (kind.present()) {
    context_.report(kind, expected("Deployment, ReplicaSet, ReplicationController, StatefulSet, "
                                   "DaemonSet or Job",
                                   kind));
  } else {
    in.missing("kind", "an owner needs a kind, such as Deployment");
  }
  owner.name = in.name("name");
  owner.count = in.count("count", 0, kMostOwners, 1);
  const Value pod_template = in.at("template");
  if (!pod_template.present()) {
    in.missing("template", "expected the name of an entry of `templates`");
  } else if (const std::optional<uint32_t> index = template_named(pod_template)) {
    owner.pod_template = *index;
    owner.namespaces = spec_.templates[*index].namespaces;
  }
  owner.namespaces = namespaces_of(in, owner.namespaces);
  owner.service = in.boolean("service", false);
  owner.measured = in.boolean("measured", false);
  owner.manifest = in.boolean("manifest", false);
  if (auto replicas = distribution(in, "replicas", Unit::kCount, 0, kMostReplicas)) {
    owner.replicas = std::move(*replicas);
    if (owner.kind == OwnerKind::kDaemonSet)
      context_.report(in.at("replicas"), "a DaemonSet has a pod on each node it fits");
  } else if (!in.has("replicas") && owner.kind != OwnerKind::kDaemonSet) {
    in.missing("replicas", "is missing: expected a number, or a distribution");
  }
  scale(in.object("scale"), owner);
  owner.lifetime = distribution(in, "lifetime", Unit::kDuration, 0);
  if (owner.lifetime && owner.kind != OwnerKind::kJob)
    context_.report(in.at("lifetime"), "only a Job's pods finish by themselves");
  if (owner.kind == OwnerKind::kDaemonSet) daemon_set(value, owner);
  if (owner.manifest) manifest(value, owner);
  check_usage(value, {{{1, owner.pod_template}}});
  in.done();
  spec_.owners.push_back(std::move(owner));
}

void WorkloadParser::check_owner_name(Value at, const OwnerSpec& owner, NumberedNames& names) {
  if (const std::optional<std::string> taken = names.add(owner.name, owner.count))
    context_.report(at, fmt::format("there is an owner \"{}\" already", *taken));
  const std::optional<NumberedName> parts = split_number(owner.name);
  if (!parts || parts->digits.size() < kPodDigits) return;
  for (const TemplateSpec& from : spec_.templates)
    if (from.name == parts->name)
      context_.report(at, fmt::format("a Job that arrives from the template \"{}\" would have the "
                                      "same name",
                                      from.name));
}

void WorkloadParser::owners(std::vector<Value> list) {
  uint64_t sum = 0, daemon_sets = 0;
  NumberedNames names;
  for (const Value value : list) {
    owner(value);
    const OwnerSpec& owner = spec_.owners.back();
    sum += owner.count;
    if (owner.kind == OwnerKind::kDaemonSet) daemon_sets += owner.count;
    check_owner_name(value, owner, names);
  }
  if (sum > kMostOwners)
    context_.report(list.back(), fmt::format("these are {} owners, and at most {} are possible",
                                             sum, kMostOwners));
  if (daemon_sets > kMostDaemonSets)
    context_.report(list.back(), fmt::format("these are {} DaemonSets, and at most {} are possible",
                                             daemon_sets, kMostDaemonSets));
}

}  // namespace berth::loadgen
