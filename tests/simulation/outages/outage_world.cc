#include "tests/simulation/outages/outage_world.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace berth::simulation {
namespace {

using model::Quantity;
using model::WorkloadKind;

constexpr int64_t kNodeMilli = 4000;
constexpr char kZoneLabel[] = "topology.kubernetes.io/zone";

model::Node draw_machine(Dice& dice, int number, int64_t zones) {
  model::Node node;
  node.name = "n" + std::to_string(number);
  node.labels = {{"kubernetes.io/hostname", node.name},
                 {kZoneLabel, "z" + std::to_string(number % zones)}};
  node.allocatable = {{"cpu", Quantity::from_milli(kNodeMilli)},
                      {"memory", Quantity::from_units(4096 * kMebi)},
                      {"pods", Quantity::from_units(110)}};
  node.capacity = node.allocatable;
  if (dice.chance(80)) node.conditions = {{"Ready", "True"}};
  return node;
}

// As admission gives them to pods, with other times.
std::vector<model::Toleration> draw_tolerations(Dice& dice) {
  const auto seconds = dice.one_of<int64_t>({300, 300, 20, 1, -1});
  if (seconds < 0) return {};
  std::vector<model::Toleration> all;
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"})
    all.push_back({.key = key,
                   .op = "Exists",
                   .value = {},
                   .effect = "NoExecute",
                   .seconds = dice.chance(95) ? std::optional(seconds) : std::nullopt});
  return all;
}

std::shared_ptr<const model::Pod> draw_template(Dice& dice, const DrawnWorkload& of) {
  model::Pod pod;
  pod.namespace_name = kOutageNamespace;
  pod.spec.labels = {{"app", of.object.name}};
  model::Container& container = pod.spec.containers.emplace_back();
  container.name = "c";
  container.requests = {{"cpu", Quantity::from_milli(of.milli)},
                        {"memory", Quantity::from_units(64 * kMebi)}};
  pod.spec.tolerations = draw_tolerations(dice);
  pod.spec.priority = dice.one_of<int32_t>({0, 0, 100});
  if (dice.chance(70)) pod.spec.termination_grace_seconds = dice.one_of<int32_t>({0, 1, 30, 90});
  if (of.ends()) pod.spec.run = model::ContainerRun{dice.number(30, 600) * 1'000'000'000, 0};
  return std::make_shared<const model::Pod>(std::move(pod));
}

DrawnWorkload draw_workload(Dice& dice, int number) {
  constexpr const char* kControllers[] = {"ReplicaSet",  "ReplicaSet", "ReplicationController",
                                          "StatefulSet", "DaemonSet",  "Job"};
  DrawnWorkload one;
  model::Workload& object = one.object;
  object.kind = dice.one_of<WorkloadKind>({WorkloadKind::kDeployment, WorkloadKind::kReplicaSet,
                                           WorkloadKind::kStatefulSet, WorkloadKind::kStatefulSet,
                                           WorkloadKind::kJob});
  object.name = "w" + std::to_string(number);
  object.namespace_name = kOutageNamespace;
  const bool is_job = object.kind == WorkloadKind::kJob;
  object.controller = {is_job ? "batch/v1" : "apps/v1",
                       kControllers[static_cast<size_t>(object.kind)], object.name,
                       "uid-" + object.name};
  object.revision = "1";
  object.creates = true;
  object.parallel = dice.chance(30);
  object.replicas = static_cast<uint64_t>(dice.number(1, 7));
  one.most_replicas = object.replicas + static_cast<uint64_t>(dice.number(0, 3));
  object.job.backoff_limit = 1'000'000;
  if (is_job && dice.chance(60))
    object.job.completions = object.replicas + static_cast<uint64_t>(dice.number(0, 6));
  one.milli = dice.one_of<int64_t>({100, 250, 500});
  object.pod = draw_template(dice, one);
  return one;
}

// A Job has no scale, so a budget of its pods counts in numbers.
void draw_limit(Dice& dice, const DrawnWorkload& of, model::DisruptionBudget& budget) {
  const auto replicas = static_cast<int64_t>(of.object.replicas);
  const auto number = [](int64_t value, bool percent) {
    return model::PodAmount{static_cast<int32_t>(value), percent};
  };
  switch (of.object.kind == WorkloadKind::kJob ? 0 : dice.number(0, 4)) {
    case 0:
      budget.min_available = number(dice.number(0, replicas), false);
      break;
    case 1:
      budget.min_available = number(dice.one_of<int64_t>({0, 34, 50, 75, 100}), true);
      break;
    case 2:
      budget.max_unavailable = number(dice.one_of<int64_t>({10, 34, 50, 100}), true);
      break;
    default:
      budget.max_unavailable = number(dice.number(0, 2), false);
  }
}

model::DisruptionBudget draw_budget_of(Dice& dice, const DrawnWorkload& of, const char* suffix) {
  model::DisruptionBudget budget;
  budget.name = of.object.name + suffix;
  budget.namespace_name = kOutageNamespace;
  budget.selector.emplace().match_labels.emplace_back("app", of.object.name);
  budget.without_status = true;
  budget.unhealthy_pods =
      dice.chance(40) ? model::UnhealthyPods::kAlwaysAllow : model::UnhealthyPods::kIfHealthyBudget;
  draw_limit(dice, of, budget);
  return budget;
}

}  // namespace

OutageWorld draw_outage_world(Dice& dice) {
  OutageWorld world;
  const auto zones = dice.one_of<int64_t>({1, 1, 2, 3});
  const auto nodes = static_cast<int>(dice.number(4, 9));
  for (int i = 0; i < nodes; ++i) world.nodes.push_back(draw_machine(dice, i, zones));
  int64_t room = kNodeMilli * nodes * dice.one_of<int64_t>({50, 85}) / 100;
  // Many of them fill the room, so that pods preempt others when nodes fail.
  const auto workloads = static_cast<int>(dice.chance(40) ? 9 : dice.number(2, 5));
  for (int i = 0; i < workloads; ++i) {
    DrawnWorkload one = draw_workload(dice, i);
    room -= one.milli * static_cast<int64_t>(one.most_replicas);
    if (room < 0) break;
    if (dice.chance(70)) world.budgets.push_back(draw_budget_of(dice, one, ""));
    if (dice.chance(10)) world.budgets.push_back(draw_budget_of(dice, one, "-more"));
    world.workloads.push_back(std::move(one));
  }
  world.kubelets.eviction_hard.emplace().emplace_back("memory.available", "500Mi");
  world.kubelets.pressure_transition = std::chrono::seconds(dice.number(10, 300));
  return world;
}

std::string zone_of(const model::Node& node) {
  const auto at =
      std::ranges::find(node.labels, kZoneLabel, [](const auto& one) { return one.first; });
  return at == node.labels.end() ? std::string() : at->second;
}

model::ControllerObject boxed(std::string kind, std::string name,
                              const model::ControllerObjectData& data) {
  model::ControllerObject box;
  box.kind = std::move(kind);
  box.name = std::move(name);
  if (box.kind != "NodeMetrics" && box.kind != "KubeletConfiguration")
    box.namespace_name = kOutageNamespace;
  box.data = std::make_shared<const model::ControllerObjectData>(data);
  return box;
}

model::ControllerObject boxed(const model::Workload& workload) {
  constexpr const char* kKinds[] = {"Deployment",  "ReplicaSet", "ReplicationController",
                                    "StatefulSet", "DaemonSet",  "Job"};
  return boxed(kKinds[static_cast<size_t>(workload.kind)], workload.name, {workload});
}

}  // namespace berth::simulation
