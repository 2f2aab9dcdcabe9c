#include "tests/simulation/world/draws.h"

#include "tests/properties/random_relations.h"

namespace berth::simulation {
namespace {

using model::Quantity;

constexpr int64_t kMi = int64_t{1} << 20;

int rate(Dice& dice, int most) {
  return dice.chance(50) ? 0 : static_cast<int>(dice.number(1, most));
}

void correct(std::optional<model::PodAffinity>& affinity) {
  if (!affinity) return;
  for (model::PodAffinityTerm& term : affinity->required) {
    make_valid(term.label_selector);
    make_valid(term.namespace_selector);
  }
  for (model::WeightedPodAffinityTerm& weighted : affinity->preferred) {
    make_valid(weighted.term.label_selector);
    make_valid(weighted.term.namespace_selector);
  }
}

void correct(model::PodSpec& spec) {
  for (auto& constraint : spec.topology_spread_constraints) make_valid(constraint.label_selector);
  correct(spec.affinity.pod_affinity);
  correct(spec.affinity.pod_anti_affinity);
}

// Longer than others, and every other one without Chaos in decisions, whose answers cannot be kept.
// Some with so many nodes that a search may look at few of them: that costs no draw, so that the
// seeds of histories that found a fault stay what they are.
void draw_history(Dice& dice, Rates& rates) {
  if (dice.chance(30)) rates.nodes = static_cast<uint32_t>(dice.number(90, 260));
  rates.steps = static_cast<int>(dice.number(30, 250));
  if (rates.steps % 12 == 0) rates.nodes = static_cast<uint32_t>(310 + rates.steps);
  rates.most_pods = static_cast<uint32_t>(dice.number(10, 150));
  if (dice.chance(50)) rates.chaos_at.fill(false);
  rates.former_plugins = dice.chance(20);
}

}  // namespace

void make_valid(std::optional<model::LabelSelector>& selector) {
  if (!selector) return;
  for (model::Requirement& one : selector->match_expressions)
    if (one.op == "Near") one = {one.key, "Exists", {}};
}

Rates draw_rates(Dice& dice, bool history) {
  Rates rates;
  for (bool& at : rates.chaos_at) at = dice.chance(40);
  rates.plugin_errors = rate(dice, 10);
  rates.plugin_refusals = rate(dice, 10);
  rates.permit_waits = rate(dice, 40);
  rates.pre_bind_waits = rate(dice, 40);
  rates.bind_fails = rate(dice, 30);
  rates.bind_is_lost = rate(dice, 20);
  rates.extenders = dice.chance(25);
  rates.extenders_ignorable = dice.chance(30);
  rates.extenders_bind = dice.chance(50);
  rates.extender_errors = rate(dice, 20);
  rates.extender_refusals = rate(dice, 20);
  rates.extender_timeouts = rate(dice, 40);
  rates.late_events = rate(dice, 70);
  rates.duplicate_events = rate(dice, 40);
  rates.clock_jumps = rate(dice, 30);
  rates.other_schedulers = rate(dice, 30);
  if (dice.chance(20)) {
    rates.group_members = static_cast<int>(dice.number(2, 4));
    rates.group_wait_seconds = static_cast<int>(dice.number(20, 60));
  }
  const bool large = dice.chance(4);
  rates.nodes = static_cast<uint32_t>(large ? dice.number(70, 200) : dice.number(0, 8));
  rates.steps = static_cast<int>(dice.number(10, 90));
  rates.most_pods = static_cast<uint32_t>(dice.number(3, 40));
  if (history) draw_history(dice, rates);
  return rates;
}

int draw_late_answers(Dice& dice) { return rate(dice, 60); }

model::Node draw_node(Dice& dice, uint32_t number) {
  model::Node node;
  node.name = "node-" + std::to_string(number);
  node.labels = {{"disk", dice.one_of<const char*>({"ssd", "hdd"})},
                 {"kubernetes.io/hostname", node.name}};
  if (dice.chance(90))
    node.labels.emplace_back("topology.kubernetes.io/zone",
                             dice.one_of<const char*>({"a", "b", "c"}));
  node.unschedulable = dice.chance(8);
  if (dice.chance(15))
    node.taints.push_back(
        {"dedicated", dice.one_of<const char*>({"a", "b"}),
         dice.one_of<const char*>({"NoSchedule", "NoExecute", "PreferNoSchedule"})});
  node.allocatable = {{"cpu", Quantity::from_milli(dice.number(1, 8) * 1000)},
                      {"memory", Quantity::from_units(dice.number(1, 8) * 1024 * kMi)},
                      {"pods", Quantity::from_units(dice.number(1, 8))}};
  return node;
}

model::Pod draw_pod(Dice& dice, const Rates& rates) {
  model::Pod pod;
  pod.namespace_name = dice.one_of<const char*>({"default", "team"});
  pod.spec.labels = {{"app", dice.one_of<const char*>({"web", "db"})}};
  if (rates.group_members != 0 && dice.chance(40))
    pod.spec.labels.emplace_back(kGroupLabel, dice.one_of<const char*>({"first", "second"}));
  model::Container& container = pod.spec.containers.emplace_back();
  container.name = "c";
  if (dice.chance(85))
    container.requests.emplace_back("cpu", Quantity::from_milli(dice.number(1, 12) * 250));
  if (dice.chance(60))
    container.requests.emplace_back("memory", Quantity::from_units(dice.number(1, 12) * 256 * kMi));
  if (dice.chance(8))
    container.ports.push_back({"", "TCP", static_cast<int32_t>(dice.number(80, 81))});
  if (dice.chance(60))
    pod.spec.priority = static_cast<int32_t>(dice.one_of<int64_t>({-10, 0, 10, 100}));
  if (dice.chance(10)) pod.spec.preemption_policy = "Never";
  if (dice.chance(25))
    pod.spec.tolerations.push_back(
        {"dedicated", dice.chance(50) ? "Exists" : "", "", dice.chance(50) ? "NoSchedule" : ""});
  if (dice.chance(12)) {
    pod.spec.has_node_selector = true;
    pod.spec.node_selector = {{"disk", dice.one_of<const char*>({"ssd", "hdd"})}};
  }
  if (dice.chance(8)) pod.spec.scheduling_gates = {"wait"};
  if (dice.chance(50))
    pod.spec.termination_grace_seconds = static_cast<int32_t>(dice.number(0, 40));
  if (dice.chance(40)) tests::add_relations(dice, pod, dice.chance(30));
  correct(pod.spec);
  return pod;
}

model::DisruptionBudget draw_budget(Dice& dice) {
  model::DisruptionBudget budget;
  budget.name = dice.one_of<const char*>({"some", "more"});
  budget.namespace_name = dice.one_of<const char*>({"default", "team"});
  budget.selector.emplace();
  if (dice.chance(80))
    budget.selector->match_labels = {{"app", dice.one_of<const char*>({"web", "db"})}};
  budget.disruptions_allowed = static_cast<int32_t>(dice.number(0, 2));
  if (dice.chance(20)) budget.disrupted_pods = {"pod-" + std::to_string(dice.number(0, 9))};
  return budget;
}

}  // namespace berth::simulation
