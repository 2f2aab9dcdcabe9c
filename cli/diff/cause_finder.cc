#include "cli/diff/cause_finder.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::cli {
namespace {

bool same_pod(const Attempt& a, const Attempt& b) {
  return a.pod == b.pod && a.attempt == b.attempt;
}

Cause no_profile() {
  return {.kind = Cause::Kind::kProfile, .plugin = {}, .why = "no profile of B serves the pod"};
}

}  // namespace

void TrailKeeper::watch(runtime::Core& core) {
  core_ = &core;
  pods_.emplace(numbers_, core.cluster());
}

void TrailKeeper::take(const runtime::Report& report) {
  BERTH_ASSERT(pods_.has_value());
  pods_->take(report);
}

void TrailKeeper::made(framework::Decider& decider, const framework::Request& request,
                       const framework::Decision& decision) {
  const std::optional<PodNumbers::Number> pod = pods_->number(request.pod->id);
  if (!pod) return;
  const Attempt attempt = trail_.attempt_of(core_->cluster(), *pod, request, decision);
  trail_.add(attempt);
  kept(attempt, decider, request, decision);
}

void CauseFinder::kept(const Attempt& attempt, framework::Decider& decider,
                       const framework::Request& request, const framework::Decision& decision) {
  const Attempt* const theirs = other_.find(attempt.pod, attempt.attempt);
  if (theirs != nullptr && *theirs == attempt) return;
  runtime::SecondOpinion& opinion = *core().opinion();
  const framework::Decision* const other = opinion.decide(request);
  std::optional<Cause> cause = other == nullptr ? no_profile()
                                                : first_rule(core().cluster(), {decider, decision},
                                                             {opinion.decider(), *other});
  if (!cause) return;
  first_cause_ = std::min(first_cause_, trail().all().size() - 1);
  causes_.emplace(attempt.pod, *std::move(cause));
}

const Cause* CauseFinder::cause_of(PodNumbers::Number pod) const {
  const auto at = causes_.find(pod);
  return at == causes_.end() ? nullptr : &at->second;
}

bool CauseFinder::after_a_cause(PodNumbers::Number pod) const {
  return first_cause_ < trail().last_position(pod);
}

bool CauseFinder::order_differs() const {
  return !std::ranges::equal(trail().all(), other_.all(), same_pod);
}

}  // namespace berth::cli
