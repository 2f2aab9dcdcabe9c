#include "engine/controllers/workloads/job.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace berth::controllers {
namespace {

using model::FailureRule;

bool meets_exit_code(const FailureRule& rule, const JobFailure& failure) {
  if (!failure.exit_code || *failure.exit_code == 0) return false;
  if (!rule.container.empty() &&
      std::ranges::find(failure.containers, rule.container) == failure.containers.end())
    return false;
  const bool named =
      std::ranges::find(rule.exit_codes, *failure.exit_code) != rule.exit_codes.end();
  return rule.operation == "In" ? named : rule.operation == "NotIn" && !named;
}

bool meets(const FailureRule& rule, const JobFailure& failure) {
  if (rule.operation) return meets_exit_code(rule, failure);
  return failure.disrupted && std::ranges::any_of(rule.conditions, [](const auto& condition) {
           return condition.first == "DisruptionTarget" && condition.second == "True";
         });
}

// Without a rule that is met, failures count.
FailureRule::Action action_of(const std::vector<FailureRule>& rules, const JobFailure& failure) {
  const auto rule =
      std::ranges::find_if(rules, [&](const FailureRule& one) { return meets(one, failure); });
  return rule == rules.end() ? FailureRule::Action::kCount : rule->action;
}

}  // namespace

JobRules::JobRules(model::JobSpec spec, Time now)
    : spec_(std::move(spec)),
      started_(now),
      over_(spec_.over),
      succeeded_(spec_.succeeded),
      failed_(spec_.failed) {}

// The deadline counts from when the Job goes on.
void JobRules::suspend(bool suspended, Time now) {
  if (spec_.suspended && !suspended) started_ = now;
  spec_.suspended = suspended;
}

void JobRules::succeeded(Time at, uint64_t index) {
  if (spec_.indexed) {
    if (!is_over(index)) succeeded_indices_.insert(index);
  } else {
    ++succeeded_;
  }
  failures_after_success_ = 0;
  last_failure_.reset();
  last_success_ = at;
}

void JobRules::failed(const JobFailure& failure) {
  const FailureRule::Action action = action_of(spec_.failure_rules, failure);
  if (action == FailureRule::Action::kFailJob) fails_ = true;
  if (action != FailureRule::Action::kIgnore) ++failed_;
  if (last_success_ && failure.at <= *last_success_) return;
  ++failures_after_success_;
  last_failure_ = failure.at;
}

bool JobRules::is_over(uint64_t index) const {
  return succeeded_indices_.contains(index) ||
         std::ranges::any_of(spec_.over_indices, [&](const auto& range) {
           return range.first <= index && index <= range.second;
         });
}

uint64_t JobRules::successes() const {
  if (!spec_.indexed) return succeeded_;
  uint64_t count = succeeded_indices_.size();
  for (const auto& [first, last] : spec_.over_indices) count += last - first + 1;
  return count;
}

std::optional<Time> JobRules::deadline() const {
  if (!spec_.active_deadline_seconds || spec_.suspended) return std::nullopt;
  return started_ + std::chrono::seconds(*spec_.active_deadline_seconds);
}

bool JobRules::has_failed(Time now) const {
  const std::optional<Time> end = deadline();
  return fails_ || failed_ > spec_.backoff_limit || (end && now >= *end);
}

uint64_t JobRules::wanted(uint64_t active, uint64_t parallelism) const {
  if (spec_.suspended) return 0;
  if (!spec_.completions) return successes() > 0 ? active : parallelism;
  return std::min(parallelism, *spec_.completions - std::min(*spec_.completions, successes()));
}

std::optional<Time> JobRules::backoff_until() const {
  if (failures_after_success_ == 0) return std::nullopt;
  Time pause = kFirstBackoff;
  for (uint64_t i = 1; i < failures_after_success_ && pause < kLongestBackoff; ++i) pause *= 2;
  return *last_failure_ + std::min(pause, kLongestBackoff);
}

std::vector<uint64_t> JobRules::next_indices(const JobPods& pods, uint64_t count) const {
  std::vector<uint64_t> indices;
  auto range = spec_.over_indices.begin();
  const auto end = spec_.over_indices.end();
  for (uint64_t i = 0; i < *spec_.completions && indices.size() < count; ++i) {
    while (range != end && range->second < i) ++range;
    if (range != end && range->first <= i) {
      if (range->second >= *spec_.completions) break;
      i = range->second;
      continue;
    }
    if (!succeeded_indices_.contains(i) && !pods.active_indices.contains(i) &&
        !(spec_.replaces_failed_alone && pods.terminating_indices.contains(i)))
      indices.push_back(i);
  }
  return indices;
}

JobPlan JobRules::plan(const JobPods& pods, uint64_t parallelism, Time now) {
  JobPlan plan;
  if (over_) return plan;
  if (has_failed(now)) {
    over_ = true;
    plan.deletions = pods.active;
    return plan;
  }
  plan.again = deadline();
  const uint64_t want = wanted(pods.active, parallelism);
  if (pods.active > want) {
    plan.deletions = pods.active - want;
    return plan;
  }
  const uint64_t done = successes();
  if (pods.active == 0 && !spec_.suspended &&
      (spec_.completions ? done >= *spec_.completions : done > 0)) {
    over_ = true;
    plan.again.reset();
    return plan;
  }
  const uint64_t held = pods.active + (spec_.replaces_failed_alone ? pods.terminating : 0);
  if (want <= held) return plan;
  if (const std::optional<Time> until = backoff_until(); until && *until > now) {
    plan.again = plan.again ? std::min(*plan.again, *until) : *until;
    return plan;
  }
  plan.creations = want - held;
  if (!spec_.indexed) return plan;
  plan.indices = next_indices(pods, plan.creations);
  plan.creations = plan.indices.size();
  return plan;
}

}  // namespace berth::controllers
