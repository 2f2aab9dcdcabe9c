#include "loadgen/scheduler_perf/plan/scheduler_perf_refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "engine/config/gates/feature_gates.h"
#include "engine/config/gates/settable.h"
#include "engine/model/objects/pod_requests.h"

namespace berth::loadgen::scheduler_perf {
namespace {

class Survey {
 public:
  explicit Survey(const Plan& plan) {
    for (const PlanOp& op : plan.ops)
      std::visit([&](const auto& action) { visit(op, action); }, op.op->action);
  }

  std::vector<std::string> take() { return std::move(missing_); }

 private:
  void visit(const PlanOp& op, const CreateNodes&) {
    for (const int64_t i : kinds_of(op)) op.node(i);  // throws if one is malformed
  }

  void visit(const PlanOp& op, const CreatePods&) {
    if (!pods_seen_.emplace(op.op, op.count > 0).second) return;
    for (const int64_t i : kinds_of(op))
      if (add(op.pod(i))) return;  // thousands of them would need the same
  }

  void visit(const PlanOp& op, const CreateAny&) {
    for (const int64_t i : kinds_of(op)) add([&] { return op.any(i); });
  }

  void visit(const PlanOp& op, const UpdateAny&) {
    for (const int64_t i : kinds_of(op)) add_update([&] { return op.any(i); });
  }

  void visit(const PlanOp& op, const Churn&) {
    for (const auto& object : op.churned) add([&] { return object->any({}, true); });
    churns_.push_back(op.namespace_name);
  }

  void visit(const PlanOp& op, const DeletePods&) {
    if (std::ranges::find(churns_, op.namespace_name) != churns_.end())
      missing_.emplace_back("deletePods among the pods of a churn");
  }

  // Other operations make no object that could need a missing feature.
  template <typename Other>
  void visit(const PlanOp&, const Other&) {}

  std::vector<int64_t> kinds_of(const PlanOp& op) {
    if (op.has_too_many_kinds())
      missing_.push_back(
          fmt::format("objects of one operation that .Index makes differ in more than their names, "
                      "more than {} of them",
                      PlanOp::kMostKinds));
    return op.kinds();
  }

  // True: something is missing for the pod.
  bool add(const PodSample& sample) {
    missing_.insert(missing_.end(), sample.missing.begin(), sample.missing.end());
    return !sample.missing.empty();
  }

  template <typename Make>
  requires std::is_invocable_v<Make> std::optional<AnySample> add(Make make) {
    try {
      AnySample sample = make();
      if (const auto* pod = std::get_if<PodSample>(&sample)) add(*pod);
      return sample;
    } catch (const UnknownKind& error) {
      missing_.push_back(error.message());
      return std::nullopt;
    }
  }

  template <typename Make>
  void add_update(Make make) {
    const std::optional<AnySample> sample = add(make);
    if (sample && !std::holds_alternative<PodSample>(*sample) &&
        !std::holds_alternative<NodeSample>(*sample))
      missing_.emplace_back("updates of objects other than pods and nodes (updateAny)");
  }

  std::set<std::pair<const Op*, bool>> pods_seen_;  // splitting createPodSets repeats the same Op
  std::vector<std::string> churns_;                 // namespaces of churn operations
  std::vector<std::string> missing_;
};

}  // namespace

std::map<std::string, bool> gates_to_set(const PerfWorkload& workload) {
  std::map<std::string, bool> gates;
  for (const auto& [gate, enabled] : workload.feature_gates)
    if (!config::is_as_by_default(gate, enabled, kDefaultKubeVersion)) gates[gate] = enabled;
  return gates;
}

std::vector<std::string> missing_settings(const TestCase& test, const PerfWorkload& workload) {
  std::vector<std::string> missing;
  for (const auto& [gate, enabled] : gates_to_set(workload))
    if (!config::can_set(gate, enabled, kDefaultKubeVersion))
      missing.push_back(fmt::format("feature gate {}={}", gate, enabled));
  for (const std::string& setting : test.missing) missing.push_back(setting);
  for (const Op& op : test.ops)
    for (const std::string& needed : op.missing) missing.push_back(needed);
  return missing;
}

std::vector<std::string> missing_in(const Plan& plan) { return Survey(plan).take(); }

bool fits_empty_node(const model::ResourceList& requests, const model::Node& node) {
  const auto allocatable = [&](std::string_view resource) {
    for (const auto& [name, amount] : node.allocatable)
      if (name == resource) return model::resource_amount(name, amount);
    return int64_t{0};
  };
  if (allocatable("pods") < 1) return false;
  return std::ranges::all_of(requests, [&](const auto& request) {
    return model::resource_amount(request.first, request.second) <= allocatable(request.first);
  });
}

}  // namespace berth::loadgen::scheduler_perf
