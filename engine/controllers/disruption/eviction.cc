#include "engine/controllers/disruption/eviction.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace berth::controllers {
namespace {

constexpr size_t kMostDisruptedPods = 2000;
constexpr int32_t kRetryAfter = 10;  // seconds

struct Preconditions {
  std::optional<std::string> uid, resource_version;
};

ApiStatus success() {
  constexpr int32_t kCreated = 201;
  return {.code = kCreated};
}

ApiStatus not_found(const std::string& pod) {
  constexpr int32_t kNotFound = 404;
  return {.code = kNotFound,
          .reason = "NotFound",
          .message = fmt::format("pods \"{}\" not found", pod),
          .kind = "pods",
          .name = pod};
}

ApiStatus conflict(const std::string& pod, std::string_view why) {
  constexpr int32_t kConflict = 409;
  return {.code = kConflict,
          .reason = "Conflict",
          .message = fmt::format("Operation cannot be fulfilled on Pod \"{}\": {}", pod, why),
          .kind = "Pod",
          .name = pod};
}

ApiStatus forbidden(const Budget& budget, std::string_view why) {
  constexpr int32_t kForbidden = 403;
  return {.code = kForbidden,
          .reason = "Forbidden",
          .message =
              fmt::format("poddisruptionbudget.policy \"{}\" is forbidden: {}", budget.name, why),
          .group = "policy",
          .kind = "poddisruptionbudget",
          .name = budget.name};
}

ApiStatus several_budgets() {
  constexpr int32_t kInternal = 500;
  return {.code = kInternal,
          .message =
              "This pod has more than one PodDisruptionBudget, which the eviction "
              "subresource does not support."};
}

ApiStatus too_many_requests(std::string cause, int32_t retry_after_seconds) {
  constexpr int32_t kTooManyRequests = 429;
  return {.code = kTooManyRequests,
          .reason = "TooManyRequests",
          .message = "Cannot evict pod as it would violate the pod's disruption budget.",
          .causes = {{"DisruptionBudget", std::move(cause)}},
          .retry_after_seconds = retry_after_seconds};
}

ApiStatus still_processed(const Budget& budget) {
  return too_many_requests(
      fmt::format("The disruption budget {} is still being processed by the server.", budget.name),
      kRetryAfter);
}

// After a failed sync the numbers mean nothing.
std::string why_nothing_is_allowed(const Budget& budget) {
  const BudgetStatus& status = budget.status;
  const DisruptionAllowed* no =
      status.condition && !status.condition->allowed && !status.condition->message.empty()
          ? &*status.condition
          : nullptr;
  if (no != nullptr && no->reason == kSyncFailed)
    return fmt::format(
        "The disruption budget {} does not allow evicting pods currently because it failed sync: "
        "{}",
        budget.name, no->message);
  if (status.current_healthy <= status.desired_healthy)
    return fmt::format("The disruption budget {} needs {} healthy pods and has {} currently",
                       budget.name, status.desired_healthy, status.current_healthy);
  const std::string text =
      fmt::format("The disruption budget {} does not allow evicting pods currently", budget.name);
  return no == nullptr ? text : fmt::format("{} ({}): {}", text, no->reason, no->message);
}

// Nothing: the budget allows a disruption.
std::optional<ApiStatus> refusal(const Budget& budget) {
  const BudgetStatus& status = budget.status;
  if (status.observed_generation < budget.generation) return still_processed(budget);
  if (status.disruptions_allowed < 0)
    return forbidden(budget, "pdb disruptions allowed is negative");
  if (status.disrupted_pods.size() > kMostDisruptedPods)
    return forbidden(budget,
                     "DisruptedPods map too big - too many evictions not confirmed by PDB "
                     "controller");
  if (status.disruptions_allowed == 0) return too_many_requests(why_nothing_is_allowed(budget), 0);
  return std::nullopt;
}

Budget with_disrupted(Budget budget, const std::string& pod, Time now) {
  if (--budget.status.disruptions_allowed == 0) put_condition(budget.status, now);
  budget.status.disrupted_pods.insert_or_assign(pod, whole_seconds(now));
  return budget;
}

std::optional<ApiStatus> violation(const std::string& name, const Preconditions& wanted,
                                   const EvictablePod& pod) {
  if (wanted.uid && *wanted.uid != pod.uid)
    return conflict(name, fmt::format("the UID in the precondition ({}) does not match the UID in "
                                      "record ({}). The object might have been deleted and then "
                                      "recreated",
                                      *wanted.uid, pod.uid));
  if (wanted.resource_version && *wanted.resource_version != pod.resource_version)
    return conflict(
        name, fmt::format("the ResourceVersion in the precondition ({}) does not match the "
                          "ResourceVersion in record ({}). The object might have been modified",
                          *wanted.resource_version, pod.resource_version));
  return std::nullopt;
}

// The condition and the deletion are two writes. The first one does not heed empty preconditions,
// and gives the pod a new version, which replaces the one that was asked for.
ApiStatus mark_and_delete(const EvictionRequest& request, Preconditions wanted,
                          EvictionTarget& target, Time now) {
  if (!request.dry_run) {
    Preconditions given = wanted;
    if (given.uid && given.uid->empty()) given.uid.reset();
    if (given.resource_version && given.resource_version->empty()) given.resource_version.reset();
    if (auto conflict = violation(request.pod, given, *target.read())) return *conflict;
    target.put_condition({"DisruptionTarget", "True", "EvictionByEvictionAPI",
                          "Eviction API: evicting", whole_seconds(now)});
    if (wanted.resource_version) wanted.resource_version = target.read()->resource_version;
  }
  if (auto conflict = violation(request.pod, wanted, *target.read())) return *conflict;
  if (!request.dry_run) target.remove(request.grace_seconds);
  return success();
}

bool needs_no_budget(const EvictablePod& pod) {
  return pod.finished() || pod.terminating || pod.phase == model::PodPhase::kPending;
}

bool costs_nothing(const EvictablePod& pod, const Budget& budget) {
  if (pod.ready) return false;
  if (budget.spec.unhealthy_pods == UnhealthyPods::kAlwaysAllow) return true;
  const BudgetStatus& status = budget.status;
  return status.current_healthy >= status.desired_healthy && status.desired_healthy > 0;
}

// As if the client had asked for the version that was judged: a pod that has become ready since
// then is protected.
Preconditions for_judged(const Preconditions& wanted, const EvictablePod& pod) {
  return {wanted.uid, pod.resource_version};
}

ApiStatus evict_under(const Budget& budget, const EvictionRequest& request,
                      const Preconditions& wanted, const EvictablePod& pod, EvictionTarget& target,
                      Time now) {
  if (costs_nothing(pod, budget)) {
    const ApiStatus busy = still_processed(budget);
    const ApiStatus answer = mark_and_delete(request, for_judged(wanted, pod), target, now);
    return !answer.success() && !wanted.resource_version ? busy : answer;
  }
  if (auto refused = refusal(budget)) return *refused;
  if (!request.dry_run) target.write_status(with_disrupted(budget, request.pod, now));
  return mark_and_delete(request, wanted, target, now);
}

}  // namespace

ApiStatus evict(const EvictionRequest& request, EvictionTarget& target, Time now) {
  const std::optional<EvictablePod> pod = target.read();
  if (!pod) return not_found(request.pod);
  const Preconditions wanted{request.uid, request.resource_version};
  if (needs_no_budget(*pod)) {
    const bool may_change = !pod->finished() && !pod->terminating && !wanted.resource_version;
    return mark_and_delete(request, may_change ? for_judged(wanted, *pod) : wanted, target, now);
  }
  const std::vector<const Budget*> budgets = target.budgets();
  if (budgets.empty()) return mark_and_delete(request, wanted, target, now);
  if (budgets.size() > 1) return several_budgets();
  return evict_under(*budgets.front(), request, wanted, *pod, target, now);
}

}  // namespace berth::controllers
