#include "tests/simulation/checks/placeable.h"

#include <algorithm>
#include <map>

#include "tests/properties/brute_force/brute_force_affinity.h"
#include "tests/properties/brute_force/brute_force_matching.h"
#include "tests/properties/brute_force/brute_force_spread.h"

namespace berth::simulation {
namespace {

using tests::brute::Code;
using tests::brute::Objects;
using tests::brute::Status;

int32_t priority_of(const model::Pod& pod) { return pod.spec.priority.value_or(0); }

using Amounts = std::map<std::string, int64_t>;

void add(Amounts& sum, const model::ResourceList& list) {
  for (const auto& [name, quantity] : list)
    sum[name] += name == "cpu" ? quantity.milli_value() : quantity.value();
}

Amounts requests_of(const model::Pod& pod) {
  Amounts sum;
  for (const model::Container& container : pod.spec.containers) add(sum, container.requests);
  return sum;
}

bool has_room(const model::Pod& pod, const model::Node& node,
              const std::vector<const model::Pod*>& others) {
  Amounts allocatable, used, wanted = requests_of(pod);
  add(allocatable, node.allocatable);
  for (const model::Pod* other : others)
    for (const auto& [name, amount] : requests_of(*other)) used[name] += amount;
  if (static_cast<int64_t>(others.size()) + 1 > allocatable["pods"]) return false;
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& one) {
    return one.second == 0 || used[one.first] + one.second <= allocatable[one.first];
  });
}

bool shares_port(const model::Pod& pod, const std::vector<const model::Pod*>& others) {
  for (const model::Container& mine : pod.spec.containers)
    for (const model::ContainerPort& port : mine.ports)
      for (const model::Pod* other : others)
        for (const model::Container& theirs : other->spec.containers)
          for (const model::ContainerPort& taken : theirs.ports)
            if (port.host_port != 0 && port.host_port == taken.host_port) return true;
  return false;
}

// The arguments of the plugins, which are the defaults.
const tests::PluginArguments& arguments() {
  static const tests::PluginArguments defaults;
  return defaults;
}

// Filters of one pod over one state of the cluster.
class Trial {
 public:
  Trial(const model::Pod& pod, const Objects& objects)
      : pod_(pod),
        objects_(objects),
        spread_(objects, arguments().spread, pod),
        affinity_(objects, arguments().affinity, pod) {}

  bool possible() const { return spread_.pre_filter().passes() && affinity_.pre_filter().passes(); }
  Code on(const model::Node& node) const {
    const auto nominated = tests::brute::nominated_on(objects_, node.name, pod_);
    const Code with = pass(node, nominated);
    return with != Code::kSuccess || nominated.empty() ? with : pass(node, {});
  }

 private:
  Code pass(const model::Node& node, const std::vector<const model::Pod*>& nominated) const {
    if (node.unschedulable) return Code::kUnresolvable;  // no pod here tolerates it
    if (!tests::brute::tolerates(pod_.spec, node) ||
        !tests::brute::matches_required(pod_.spec, node))
      return Code::kUnresolvable;
    std::vector<const model::Pod*> there = nominated;
    for (const auto& [name, other] : objects_.placed)
      if (other.spec.node_name == node.name) there.push_back(&other);
    if (shares_port(pod_, there) || !has_room(pod_, node, there)) {
      // More than an empty node has is not to be had by preemption.
      return has_room(pod_, node, {}) ? Code::kUnschedulable : Code::kUnresolvable;
    }
    if (Status status = spread_.filter(node, nominated); !status.passes()) return status.code;
    if (Status status = affinity_.filter(node, nominated); !status.passes()) return status.code;
    return Code::kSuccess;
  }

  const model::Pod& pod_;
  const Objects& objects_;
  tests::brute::Spread spread_;
  tests::brute::InterPodAffinity affinity_;
};

// The state without the pods of lower priority on the node; false: there are none.
bool empty_node(const model::Pod& pod, const std::string& node, Objects& objects) {
  const auto lower = [&](const auto& entry) {
    return entry.second.spec.node_name == node && priority_of(entry.second) < priority_of(pod);
  };
  return std::erase_if(objects.placed, lower) != 0;
}

}  // namespace

std::vector<std::string> nodes_for(const model::Pod& pod, const Objects& objects) {
  std::vector<std::string> nodes;
  const Trial trial(pod, objects);
  if (!trial.possible()) return nodes;
  for (const auto& [name, node] : objects.nodes)
    if (trial.on(node) == Code::kSuccess) nodes.push_back(name);
  return nodes;
}

std::optional<Place> place_of(const model::Pod& pod, const Objects& objects) {
  const Trial trial(pod, objects);
  if (!trial.possible()) return std::nullopt;
  for (const auto& [name, node] : objects.nodes)
    if (trial.on(node) == Code::kSuccess) return Place{name};
  if (pod.spec.preemption_policy == "Never" || !pod.nominated_node_name.empty())
    return std::nullopt;
  for (const auto& [name, node] : objects.nodes) {
    if (trial.on(node) != Code::kUnschedulable) continue;
    Objects without = objects;
    if (!empty_node(pod, name, without)) continue;
    const Trial emptied(pod, without);
    if (emptied.possible() && emptied.on(node) == Code::kSuccess) return Place{name, true};
  }
  return std::nullopt;
}

}  // namespace berth::simulation
