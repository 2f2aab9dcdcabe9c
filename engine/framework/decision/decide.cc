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
    post_filter();
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
  if (pre_filter() == Next::kDecided) return Next::kDecided;
  if (filter() == Next::kDecided) return Next::kDecided;
  if (extenders_.filter(open_) == Next::kDecided) return Next::kDecided;
  return settle_.run(open_, refusals_);
}

// The best of several feasible rows.
void Decider::rank() {
  if (pre_score() == Next::kDecided) return;
  if (score() == Next::kDecided) return;
  extenders_.prioritize(open_);
  pick_.run(open_);
}

Next Decider::pre_filter() {
  const PointTimer timer(points_);
  const Next next = pre_filter_.run(open_);
  const Profile& profile = *open_.context.profile;
  timer.end(TimedPoint::kPreFilter, profile, profile.pre_filter, [&]() -> uint8_t {
    if (next == Next::kGoOn) return BERTH_SUCCESS;
    return open_.decision.pre_filter ? open_.decision.pre_filter->code : uint8_t{BERTH_ERROR};
  });
  return next;
}

// The node that a batch names for the pod.
void Decider::hint() {
  const bool told = points_ != nullptr && open_.request->batch_miss.has_value();
  const Time begun = told ? points_->now() : Time{};
  const BatchMiss miss = hint_.run(open_, refusals_.rows());
  if (told) points_->batch_asked(*open_.context.profile, miss, points_->now() - begun);
}

// The nominated node, or the hint, is filtered before all others. kDecided: it is taken.
Next Decider::filter() {
  hint();
  const PointTimer timer(points_);
  const Next next = nominated_.run(open_, refusals_.rows());
  if (next == Next::kGoOn) search_.run(open_);
  const Profile& profile = *open_.context.profile;
  timer.end(TimedPoint::kFilter, profile, profile.filter,
            [&]() -> uint8_t { return open_.found.error ? BERTH_ERROR : BERTH_SUCCESS; });
  return next;
}

Next Decider::pre_score() {
  const PointTimer timer(points_);
  const Next next = pre_score_.run(open_);
  const Profile& profile = *open_.context.profile;
  timer.end(TimedPoint::kPreScore, profile, profile.pre_score,
            [&]() -> uint8_t { return next == Next::kGoOn ? BERTH_SUCCESS : BERTH_ERROR; });
  return next;
}

Next Decider::score() {
  const PointTimer timer(points_);
  const Next next = score_.run(open_);
  const Profile& profile = *open_.context.profile;
  timer.end(TimedPoint::kScore, profile, profile.score,
            [&]() -> uint8_t { return next == Next::kGoOn ? BERTH_SUCCESS : BERTH_ERROR; });
  return next;
}

void Decider::post_filter() {
  const PointTimer timer(points_);
  const uint8_t code = post_filter_.run(open_);
  const Profile& profile = *open_.context.profile;
  timer.end(TimedPoint::kPostFilter, profile, profile.post_filter, [&] { return code; });
}

}  // namespace berth::framework
