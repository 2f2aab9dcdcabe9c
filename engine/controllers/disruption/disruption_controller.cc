#include "engine/controllers/disruption/disruption_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;

// The time that a pod whose eviction was granted may take to terminate.
constexpr Time kDeletionTimeout = 2min;
// The time for which a pod that does not terminate may have the condition DisruptionTarget.
constexpr Time kStaleAfter = 2min;
// A budget that is to be looked at later goes through the queue for repeated work.
constexpr Time kRecheckDelay = 5ms;

}  // namespace

void DisruptionController::budget_changed(const Budget& budget, Time now) {
  enqueue(put(budget), now);
}

void DisruptionController::budget_known(const Budget& budget) { put(budget); }

DisruptionController::Position DisruptionController::put(const Budget& budget) {
  const Position at =
      selection_.put_budget(budget.namespace_name, budget.name, budget.spec.selector);
  if (budgets_.size() <= at) budgets_.resize(at + 1);
  budgets_[at].budget = budget;
  return at;
}

void DisruptionController::budget_gone(std::string_view namespace_name, std::string_view name) {
  const auto at = selection_.find_budget(namespace_name, name);
  if (!at) return;
  if (budgets_[*at].recheck) rechecks_.erase({*budgets_[*at].recheck, *at});
  queue_.erase(*at);
  budgets_[*at] = {};
  selection_.remove_budget(*at);
}

void DisruptionController::pod_changed(const PodView& pod, Time now) {
  const Position at = selection_.put_pod(pod);
  enqueue_first_of(at, now);
  watch_stale(at, pod.disrupted_since, now);
}

void DisruptionController::pod_gone(model::StringId namespace_name, model::StringId name,
                                    Time now) {
  const auto at = selection_.find_pod(namespace_name, name);
  if (!at) return;
  enqueue_first_of(*at, now);
  forget_stale(*at);
  selection_.remove_pod(*at);
}

void DisruptionController::enqueue(Position budget, Time now) {
  queue_.insert(budget);
  queued_at_ = now;
}

void DisruptionController::enqueue_first_of(Position pod, Time now) {
  const auto& budgets = selection_.budgets_of(pod);
  if (!budgets.empty()) enqueue(budgets.front(), now);
}

void DisruptionController::watch_stale(Position pod, std::optional<Time> since, Time now) {
  forget_stale(pod);
  if (!since) return;
  if (stale_.size() <= pod) stale_.resize(pod + 1);
  stale_[pod] = std::max(now, *since + kStaleAfter);
  clearances_.emplace(*stale_[pod], pod);
}

void DisruptionController::forget_stale(Position pod) {
  if (pod >= stale_.size() || !stale_[pod]) return;
  clearances_.erase({*stale_[pod], pod});
  stale_[pod].reset();
}

std::optional<Time> DisruptionController::next() const {
  std::optional<Time> first;
  const auto at = [&](Time time) { first = first ? std::min(*first, time) : time; };
  if (!queue_.empty()) at(queued_at_);
  if (!rechecks_.empty()) at(rechecks_.begin()->first);
  if (!clearances_.empty()) at(clearances_.begin()->first);
  return first;
}

void DisruptionController::run_due(Time now) {
  while (clear_stale(now) || take_rechecks(now) || !queue_.empty()) {
    if (queue_.empty()) continue;
    const Position budget = *queue_.begin();
    queue_.erase(queue_.begin());
    sync(budget, now);
  }
}

// The writer may call back, so what is done is forgotten first.
bool DisruptionController::clear_stale(Time now) {
  if (clearances_.empty() || clearances_.begin()->first > now) return false;
  const Position pod = clearances_.begin()->second;
  forget_stale(pod);
  writer_.clear_disruption_target(selection_.namespace_of(pod), selection_.name_of(pod));
  return true;
}

bool DisruptionController::take_rechecks(Time now) {
  if (rechecks_.empty() || rechecks_.begin()->first > now) return false;
  const Position budget = rechecks_.begin()->second;
  rechecks_.erase(rechecks_.begin());
  budgets_[budget].recheck.reset();
  enqueue(budget, now);
  return true;
}

// If it fails, the former numbers stay, but nothing is allowed.
void DisruptionController::sync(Position budget, Time now) {
  const Expectation expected = expectation(budget);
  if (const auto* failure = std::get_if<std::string>(&expected)) {
    BudgetStatus status = budgets_[budget].budget.status;
    status.disruptions_allowed = 0;
    put_condition(status, false, kSyncFailed, *failure, now);
    return write(budget, std::move(status));
  }
  write(budget, status_of(budget, std::get<Expected>(expected), now));
}

BudgetStatus DisruptionController::status_of(Position budget, const Expected& expected, Time now) {
  const Budget& of = budgets_[budget].budget;
  BudgetStatus status = of.status;
  const int32_t disrupted = kept_disrupted(budget, status, now);
  status.current_healthy = selection_.counts(budget).healthy - disrupted;
  status.desired_healthy = expected.healthy;
  status.expected_pods = expected.pods;
  // Without expected pods nothing is allowed: the first ones are safe before they are counted.
  const bool allows = expected.pods > 0 && status.current_healthy > status.desired_healthy;
  status.disruptions_allowed = allows ? status.current_healthy - status.desired_healthy : 0;
  status.observed_generation = of.generation;
  if (status != of.status || !has_condition(status)) put_condition(status, now);
  return status;
}

// Keeps the pods that are going to terminate yet. Returns how many of them count as healthy without
// this.
int32_t DisruptionController::kept_disrupted(Position budget, BudgetStatus& status, Time now) {
  int32_t healthy = 0;
  std::optional<Time> recheck;
  std::erase_if(status.disrupted_pods, [&](const auto& entry) {
    const auto pod = selection_.find_selected(budget, entry.first);
    const Time end = entry.second + kDeletionTimeout;
    if (!pod || selection_.is_terminating(*pod) || end < now) return true;
    recheck = recheck ? std::min(*recheck, end) : end;
    if (end > now && selection_.is_healthy(*pod)) ++healthy;
    return false;
  });
  if (recheck) recheck_at(budget, *recheck + kRecheckDelay);
  return healthy;
}

// An earlier time stays.
void DisruptionController::recheck_at(Position budget, Time time) {
  std::optional<Time>& known = budgets_[budget].recheck;
  if (known && *known <= time) return;
  if (known) rechecks_.erase({*known, budget});
  known = time;
  rechecks_.emplace(time, budget);
}

DisruptionController::Expectation DisruptionController::expectation(Position budget) const {
  if (const auto problem = selection_.problem(budget); !problem.empty())
    return std::string(problem);
  const BudgetSpec& spec = budgets_[budget].budget.spec;
  const bool by_scale = spec.max_unavailable || (spec.min_available && spec.min_available->percent);
  if (!by_scale) {
    if (!spec.min_available) return Expected{};
    return Expected{selection_.counts(budget).pods, spec.min_available->number};
  }
  const auto scale = expected_scale(budget);
  if (const auto* failure = std::get_if<std::string>(&scale)) return *failure;
  const int32_t pods = std::get<int32_t>(scale);
  if (!spec.max_unavailable) return Expected{pods, scaled(*spec.min_available, pods)};
  const int64_t desired = int64_t{pods} - scaled(*spec.max_unavailable, pods);
  return Expected{pods, static_cast<int32_t>(std::max<int64_t>(desired, 0))};
}

// The sum over what controls the pods, each once. It wraps, as in Go.
std::variant<int32_t, std::string> DisruptionController::expected_scale(Position budget) const {
  const std::string& in = budgets_[budget].budget.namespace_name;
  std::set<std::string_view> counted;  // UIDs
  uint32_t sum = 0;
  for (const auto& [owner, pods] : selection_.counts(budget).owners) {
    const auto answer = scales_.of_owner(selection_.owner(owner), in);
    if (const auto* failure = std::get_if<std::string>(&answer)) return *failure;
    const Workload* workload = std::get<const Workload*>(answer);
    if (workload == nullptr)
      return fmt::format("found no controllers for pod \"{}\"",
                         selection_.first_pod(budget, owner));
    if (counted.insert(workload->uid).second) sum += static_cast<uint32_t>(workload->replicas);
  }
  return static_cast<int32_t>(sum);
}

void DisruptionController::write(Position budget, BudgetStatus status) {
  Entry& entry = budgets_[budget];
  if (entry.budget.status == status) return;
  entry.budget.status = std::move(status);
  writer_.write_status(Budget(entry.budget));
}

std::vector<const Budget*> DisruptionController::budgets_of(model::StringId namespace_name,
                                                            model::StringId name) const {
  std::vector<const Budget*> budgets;
  if (const auto pod = selection_.find_pod(namespace_name, name))
    for (const Position at : selection_.budgets_of(*pod)) budgets.push_back(&budgets_[at].budget);
  return budgets;
}

}  // namespace berth::controllers
