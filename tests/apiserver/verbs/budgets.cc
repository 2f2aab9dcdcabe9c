#include "tests/apiserver/verbs/budgets.h"

#include <algorithm>
#include <vector>

#include "tests/apiserver/objects/problem.h"

namespace berth::apiserver {
namespace {

using Labels = std::map<std::string, std::string, std::less<>>;

bool matches_expression(const json::value& expression, const Labels& labels) {
  const auto label = labels.find(text_at(expression, "key"));
  const bool has = label != labels.end();
  const std::string_view op = text_at(expression, "operator");
  if (op == "Exists") return has;
  if (op == "DoesNotExist") return !has;
  const json::array* values = array_at(expression, "values");
  const bool among =
      has && values != nullptr && std::ranges::any_of(*values, [&](const json::value& value) {
        return value.is_string() && view(value.get_string()) == label->second;
      });
  return op == "In" ? among : !among;
}

// A budget without a selector selects nothing, an empty one all.
bool selects(const json::value& budget, const Labels& labels) {
  const json::value* selector = find(budget, "spec.selector");
  if (selector == nullptr || !selector->is_object()) return false;
  if (const json::object* wanted = object_at(*selector, "matchLabels")) {
    for (const auto& [name, value] : *wanted) {
      const auto label = labels.find(view(name));
      if (label == labels.end() || !value.is_string()) return false;
      if (view(value.get_string()) != label->second) return false;
    }
  }
  const json::array* expressions = array_at(*selector, "matchExpressions");
  return expressions == nullptr || std::ranges::all_of(*expressions, [&](const auto& expression) {
           return matches_expression(expression, labels);
         });
}

bool runs(const json::value& pod) {
  const std::string_view phase = text_at(pod, "status.phase");
  return phase != "Succeeded" && phase != "Failed" && phase != "Pending" &&
         text_at(pod, "metadata.deletionTimestamp").empty();
}

Problem refused(std::string cause) {
  Problem problem(429, "TooManyRequests",
                  "Cannot evict pod as it would violate the pod's disruption budget.");
  problem.causes.push_back({"DisruptionBudget", std::move(cause), {}});
  return problem;
}

void require_disruption(const json::value& budget) {
  const std::string name(text_at(budget, "metadata.name"));
  if (number_at(budget, "status.observedGeneration", 0) <
      number_at(budget, "metadata.generation", 0)) {
    Problem problem =
        refused("The disruption budget " + name + " is still being processed by the server.");
    problem.retry_after_seconds = 10;
    throw problem;
  }
  if (number_at(budget, "status.disruptionsAllowed", 0) > 0) return;
  throw refused("The disruption budget " + name + " needs " +
                std::to_string(number_at(budget, "status.desiredHealthy", 0)) +
                " healthy pods and has " +
                std::to_string(number_at(budget, "status.currentHealthy", 0)) + " currently");
}

}  // namespace

void take_disruption(Core& core, const Object& pod) {
  if (!runs(pod.tree)) return;
  const Resource& resource = *find_resource("policy", "v1", "poddisruptionbudgets");
  std::vector<Object*> budgets;
  core.store.each(resource, pod.version->prefix(), [&](Object& budget) {
    if (selects(budget.tree, pod.version->labels())) budgets.push_back(&budget);
    return true;
  });
  if (budgets.empty()) return;
  if (budgets.size() > 1) {
    throw Problem(500, "InternalError",
                  "This pod has more than one PodDisruptionBudget, which the eviction subresource "
                  "does not support.");
  }
  Object& budget = *budgets.front();
  require_disruption(budget.tree);
  json::object& status = make_object(budget.tree, "status");
  status["disruptionsAllowed"] = number_at(budget.tree, "status.disruptionsAllowed", 0) - 1;
  make_object(budget.tree, "status.disruptedPods")[pod.version->name()] = core.now_text();
  core.store.write(resource, budget);
}

}  // namespace berth::apiserver
