#include "engine/framework/verification/verifier.h"

#include <algorithm>

namespace berth::framework {
namespace {

DecideOptions quiet(DecideOptions options) {
  options.watch = nullptr;
  options.collects = false;
  return options;
}

template <typename Point>
bool external(const HookAt<Point>& hook) {
  return hook.point->depends() == BERTH_DEPENDS_EXTERNAL;
}

template <typename Point>
bool any_external(const std::vector<HookAt<Point>>& hooks) {
  return std::ranges::any_of(hooks, [](const auto& hook) { return external(hook); });
}

}  // namespace

Verifier::Verifier(model::Cluster& cluster, const DecideOptions& decide, host::Trials* trials,
                   uint64_t every)
    : cluster_(cluster),
      options_(quiet(decide)),
      pace_(every, decide.seed),
      evaluator_(cluster, calls_),
      decider_(cluster, evaluator_, calls_, options_, PostFilterOptions{nullptr, trials}) {}

std::vector<host::CallContext*> Verifier::calls() {
  std::vector<host::CallContext*> all = decider_.what_if_calls();
  all.push_back(&calls_);
  return all;
}

// Before the first decision is verified: a search that ends once enough nodes are feasible, and
// that finds all of them so.
void Verifier::estimate(const Profile& profile) {
  const uint32_t rows = cluster_.nodes().rows();
  const int32_t percentage =
      profile.percentage_of_nodes_to_score().value_or(options_.percentage_of_nodes_to_score);
  const uint64_t searched = nodes_to_find(options_.forced_percentage.value_or(percentage), rows);
  pace_.took(searched * (profile.filter.size() + profile.score.size()));
}

// False: something took part that may answer differently the second time.
bool Verifier::follows_inputs(const Decided& mine) const {
  const Extenders* extenders = options_.extenders;
  if (extenders != nullptr &&
      (extenders->filters() || extenders->prioritizes() || extenders->preempts()))
    return false;
  const DecisionContext& cycle = mine.decider.cycle();
  const Profile& profile = *cycle.profile;
  const Decision& decision = mine.decision;
  if (any_external(profile.pre_filter)) return false;
  if (decision.post_filter && any_external(profile.post_filter)) return false;
  if (decision.pre_filter || cluster_.nodes().rows() == 0) return true;
  // An error may have ended the decision anywhere.
  const bool failed = decision.outcome == Outcome::kError;
  const auto takes_part = [&](const auto& hook) {
    return external(hook) && (failed || cycle.calls(hook));
  };
  if (std::ranges::any_of(profile.filter, takes_part)) return false;
  if (!decision.scored && !failed) return true;
  return !any_external(profile.pre_score) && std::ranges::none_of(profile.score, takes_part);
}

// Of the profile's hooks, in all contexts so far.
uint64_t Verifier::calls_made(Profile& profile) {
  uint64_t sum = 0;
  const std::vector<host::CallContext*> contexts = calls();
  profile.for_each_hook([&](const BoundHook& hook) {
    for (const host::CallContext* context : contexts)
      sum += context->counts(hook.hook().id()).calls;
  });
  return sum;
}

std::optional<Difference> Verifier::verify(Profile& profile, const Request& request,
                                           const Decided& mine) {
  if (!follows_inputs(mine)) {
    ++counts_.not_compared;
    return std::nullopt;
  }
  ++counts_.verified;
  const uint64_t before = calls_made(profile);
  const Decision& reference = decider_.decide(profile, request);
  std::optional<Difference> difference = first_difference(cluster_, mine, {decider_, reference});
  decider_.drop_states();
  pace_.took(calls_made(profile) - before);
  return difference;
}

}  // namespace berth::framework
