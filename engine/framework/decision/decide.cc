#include "engine/framework/decision/decide.h"

#include "engine/base/assert.h"
#include "engine/framework/decision/decision_watch.h"

namespace berth::framework {
namespace {

// Number of decisions between two checks of the growth of template states.
constexpr uint64_t kCollectEvery = 256;

}  // namespace

void OpenDecision::begin(Profile& profile, const Request& asked) {
  BERTH_ASSERT(cluster.nodes().order().ordered());
  request = &asked;
  decision.begin(asked.start);
  narrowed.reset();
  nominated.reset();
  extended.reset();
  found.begin(cluster.nodes().rows());
  context.kept_pre_filter = nullptr;
  context.kept_pre_score = nullptr;
  context.profile = &profile;
  context.pod = asked.pod;
  context.priority = asked.pod->priority;
  states.begin(states.fresh() ? nullptr : &profile.kind_of(*asked.pod));
}

void OpenDecision::fail(std::string message) {
  decision.outcome = Outcome::kError;
  decision.nominating = Nominating::kClear;
  decision.message = std::move(message);
}

Decider::Decider(model::Cluster& cluster, Evaluator& evaluator, host::CallContext& calls,
                 DecideOptions options, PostFilterOptions post_filter)
    : options_(options),
      kept_(cluster),
      open_(cluster, calls, evaluator.reuse()),
      introduced_(cluster, calls, evaluator.reuse()),
      refusals_(cluster, calls),
      extenders_(options_.extenders),
      nominated_(extenders_),
      search_(evaluator, options_),
      pre_score_(options_),
      score_(cluster, calls, evaluator),
      pick_(options_),
      post_filter_(cluster, post_filter.workers, post_filter.trials, options_) {
  if (evaluator.keeps()) open_.context.keeper = &kept_;
}

Decision& Decider::decide(Profile& profile, const Request& request) {
  BERTH_ASSERT(profile.filter.size() <= kMostFilters);
  // The decision before is over: nothing refers to a template state.
  if (++decisions_ % kCollectEvery == 0 && options_.collects) profile.collect_if_grown();
  if (options_.moment != nullptr)
    options_.moment->begin_decision(request.pod->arrival, request.attempt);
  open_.begin(profile, request);
  run_steps();
  extenders_.end();
  return open_.decision;
}

void Decider::run_steps() {
  if (options_.watch == nullptr) {
    choose();
  } else {
    choose_watched(*options_.watch);
  }
  // Without nodes there is nothing to preempt. Source: kube-scheduler schedule_one schedulingCycle.
  if (open_.decision.outcome == Outcome::kUnschedulable && open_.cluster.nodes().rows() != 0)
    post_filter_.run(open_);
}

void Decider::choose() {
  if (find() == Next::kGoOn) rank();
}

void Decider::choose_watched(DecisionWatch& watch) {
  const Next next = find();
  const bool nodes = open_.cluster.nodes().rows() != 0;
  const bool failed = next == Next::kDecided && open_.decision.outcome == Outcome::kError;
  if (nodes && !failed) watch.searched();
  if (next == Next::kGoOn) {
    rank();
    if (open_.decision.outcome == Outcome::kScheduled) watch.ranked();
  }
  watch.decided(*this, open_.decision);
}

std::optional<DecisionContext> Decider::introduce(Profile& profile, const Request& request) {
  if (options_.extenders != nullptr || profile.is_apart()) return std::nullopt;
  if (open_.cluster.nodes().rows() == 0) return std::nullopt;
  if (!PreFilterStep::answers_hold_for_kinds(profile)) return std::nullopt;
  introduced_.begin(profile, request);
  if (pre_filter_.run(introduced_) == Next::kDecided || introduced_.narrowed) return std::nullopt;
  if (!PreScoreStep::answers_hold_for_kind_of(introduced_)) return std::nullopt;
  if (pre_score_.run(introduced_) == Next::kDecided) return std::nullopt;
  const PodKind& kind = *introduced_.states.kind();
  DecisionContext context;
  context.profile = &profile;
  context.pod = request.pod;
  context.priority = request.pod->priority;
  context.own_pre_filter = kind.pre_filter.answers();
  context.own_pre_score = kind.pre_score.answers();
  BERTH_ASSERT(context.own_pre_filter.number != 0 && context.own_pre_score.number != 0);
  return context;
}

// The feasible rows. kDecided: there are not several, or a plugin failed.
Next Decider::find() {
  if (open_.cluster.nodes().rows() == 0) {
    open_.decision.outcome = Outcome::kUnschedulable;
    open_.decision.nominating = Nominating::kClear;
    open_.decision.message = "no nodes available to schedule pods";
    return Next::kDecided;
  }
  if (pre_filter_.run(open_) == Next::kDecided) return Next::kDecided;
  if (nominated_.run(open_, refusals_.rows()) == Next::kDecided) return Next::kDecided;
  search_.run(open_);
  if (extenders_.filter(open_) == Next::kDecided) return Next::kDecided;
  return settle_.run(open_, refusals_);
}

// The best of several feasible rows.
void Decider::rank() {
  if (pre_score_.run(open_) == Next::kDecided) return;
  if (score_.run(open_) == Next::kDecided) return;
  extenders_.prioritize(open_);
  pick_.run(open_);
}

}  // namespace berth::framework
