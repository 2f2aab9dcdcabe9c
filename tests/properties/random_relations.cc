#include "tests/properties/random_relations.h"

#include <algorithm>
#include <optional>
#include <string>

namespace berth::tests {
namespace {

std::string topology_key(Dice& dice) {
  return dice.one_of<const char*>({"kubernetes.io/hostname", "topology.kubernetes.io/zone",
                                   "topology.kubernetes.io/zone", "disk"});
}

std::string namespace_name(Dice& dice) { return dice.one_of<const char*>({"default", "team"}); }

model::Requirement label_requirement(Dice& dice) {
  model::Requirement made{dice.one_of<const char*>({"app", "tier"}),
                          dice.one_of<const char*>({"In", "In", "NotIn", "Exists", "DoesNotExist"}),
                          {}};
  if (made.op == "In" || made.op == "NotIn")
    for (int64_t i = dice.number(1, 2); i > 0; --i)
      made.values.push_back(dice.one_of<const char*>({"web", "db", "cache"}));
  if (dice.chance(1)) made.op = "Near";
  return made;
}

std::optional<model::LabelSelector> label_selector(Dice& dice) {
  if (dice.chance(5)) return std::nullopt;
  model::LabelSelector selector;
  if (dice.chance(6)) return selector;
  if (dice.chance(70)) selector.match_labels = {{"app", dice.one_of<const char*>({"web", "db"})}};
  if (dice.chance(40)) selector.match_expressions.push_back(label_requirement(dice));
  return selector;
}

std::optional<model::LabelSelector> namespace_selector(Dice& dice) {
  if (dice.chance(70)) return std::nullopt;
  model::LabelSelector selector;
  if (dice.chance(60)) selector.match_labels = {{"team", dice.one_of<const char*>({"a", "b"})}};
  if (dice.chance(20)) selector.match_expressions.push_back({"team", "DoesNotExist", {}});
  return selector;
}

model::PodAffinityTerm affinity_term(Dice& dice) {
  model::PodAffinityTerm term;
  term.label_selector = label_selector(dice);
  if (dice.chance(20)) term.namespaces = {namespace_name(dice)};
  term.namespace_selector = namespace_selector(dice);
  term.topology_key = topology_key(dice);
  return term;
}

model::PodAffinity pod_affinity(Dice& dice, bool required) {
  model::PodAffinity made;
  if (required)
    for (int64_t i = dice.number(0, 2); i > 0; --i) made.required.push_back(affinity_term(dice));
  for (int64_t i = dice.number(0, 2); i > 0; --i)
    made.preferred.push_back({static_cast<int32_t>(dice.number(1, 100)), affinity_term(dice)});
  return made;
}

model::TopologySpreadConstraint spread_constraint(Dice& dice, bool plain) {
  model::TopologySpreadConstraint made;
  made.max_skew = static_cast<int32_t>(dice.number(1, 3));
  made.topology_key = topology_key(dice);
  made.when_unsatisfiable = plain || dice.chance(50) ? "ScheduleAnyway" : "DoNotSchedule";
  made.label_selector = label_selector(dice);
  if (made.when_unsatisfiable == "DoNotSchedule" && dice.chance(30))
    made.min_domains = static_cast<int32_t>(dice.number(1, 8));
  if (dice.chance(30)) made.node_affinity_policy = dice.one_of<const char*>({"Honor", "Ignore"});
  if (dice.chance(30)) made.node_taints_policy = dice.one_of<const char*>({"Honor", "Ignore"});
  if (dice.chance(15)) made.match_label_keys = {dice.one_of<const char*>({"tier", "app", "none"})};
  return made;
}

model::Controller controller(Dice& dice) {
  const bool core = dice.chance(30);
  return {core ? "v1" : "apps/v1",
          core ? "ReplicationController"
               : dice.one_of<const char*>({"ReplicaSet", "StatefulSet", "DaemonSet"}),
          dice.one_of<const char*>({"one", "two"}), dice.one_of<const char*>({"1", "2"})};
}

}  // namespace

void add_relations(Dice& dice, model::Pod& pod, bool plain) {
  if (dice.chance(50)) pod.spec.labels.emplace_back("tier", dice.one_of<const char*>({"web", "x"}));
  if (dice.chance(30)) pod.controller = controller(dice);
  if (dice.chance(30))
    for (int64_t i = dice.number(1, 3); i > 0; --i)
      pod.spec.topology_spread_constraints.push_back(spread_constraint(dice, plain));
  if (dice.chance(20)) pod.spec.affinity.pod_affinity = pod_affinity(dice, !plain);
  if (dice.chance(20)) pod.spec.affinity.pod_anti_affinity = pod_affinity(dice, !plain);
}

model::Namespace random_namespace(Dice& dice) {
  model::Namespace made{namespace_name(dice), {}};
  if (dice.chance(70)) made.labels = {{"team", dice.one_of<const char*>({"a", "b"})}};
  return made;
}

model::SelectorOwner random_selector_owner(Dice& dice) {
  model::SelectorOwner made;
  made.kind = dice.one_of<model::SelectorOwnerKind>(
      {model::SelectorOwnerKind::kService, model::SelectorOwnerKind::kService,
       model::SelectorOwnerKind::kReplicationController, model::SelectorOwnerKind::kReplicaSet,
       model::SelectorOwnerKind::kStatefulSet});
  made.name = dice.one_of<const char*>({"one", "two"});
  made.namespace_name = namespace_name(dice);
  made.selector = label_selector(dice);
  return made;
}

}  // namespace berth::tests
