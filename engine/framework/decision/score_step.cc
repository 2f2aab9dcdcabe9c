#include "engine/framework/decision/score_step.h"

#include "engine/base/draw.h"

namespace berth::framework {

Next PreScoreStep::run(OpenDecision& open) {
  DecisionContext& context = open.context;
  auto& hooks = context.profile->pre_score;
  context.pre_score_ran.assign(hooks.size(), false);
  context.pre_score_skipped.assign(hooks.size(), false);
  context.pre_score_versions.assign(hooks.size(), 0);
  // Without score plugins and extenders, PreScore is skipped. Source: kube-scheduler schedule_one
  // prioritizeNodes.
  const bool skipped = context.profile->score.empty() && options_.extenders == nullptr;
  const size_t asked = skipped ? 0 : hooks.size();
  for (size_t i = 0; i < asked; ++i) {
    auto& hook = hooks[i];
    TemplateHook& state = open.states.of(hook.bound, *context.pod, open.calls);
    std::string error = state.error;
    if (!state.failed) error = ask(open, hook, state, hook.bound.stamp(state));
    if (!error.empty() || state.failed) {
      open.fail("running PreScore plugin \"" + hook.point->plugin() + "\": " + error);
      return Next::kDecided;
    }
    (state.pre_score.skip ? context.pre_score_skipped : context.pre_score_ran)[i] = true;
    context.pre_score_versions[i] = state.pre_score.version;
  }
  context.resolve_scores(open.states, open.calls);
  return Next::kGoOn;
}

// As in PreFilterStep. An answer that follows the feasible rows holds for this decision only.
std::string PreScoreStep::ask(OpenDecision& open, const HookAt<host::PreScore>& hook,
                              TemplateHook& state, uint64_t stamp) {
  if (!open.states.fresh() && state.pre_score.stamp == stamp) return {};
  host::PreScoreAnswer answer;
  hook.bound.gather_pods(&state, {&open.context.pod, 1}, {}, columns_);
  berth_call call = BoundHook::call(columns_, 1, &state, open.context.ran(hook));
  berth_feasible feasible = feasible_set(open);
  const bool follows = hook.point->depends() == BERTH_DEPENDS_FEASIBLE;
  if (host::CallError failure =
          hook.point->call(open.calls, call, follows ? &feasible : nullptr, answer))
    return failure.text();
  state.pre_score.stamp = follows ? 0 : stamp;
  state.pre_score.skip = answer.skip;
  if (answer.changed) state.pre_score.version = ++changes_;
  return {};
}

berth_feasible PreScoreStep::feasible_set(const OpenDecision& open) {
  const SearchResult& found = open.found;
  const model::Row rows = open.cluster.nodes().rows();
  feasible_bits_.assign((rows + 63) / 64, 0);
  found.for_each_row([&](model::Row row) {
    if (found.refuser[row] == kFeasible) feasible_bits_[row / 64] |= uint64_t{1} << row % 64;
  });
  berth_feasible feasible{};
  feasible.size = sizeof feasible;
  feasible.rows = feasible_bits_.data();
  feasible.row_count = rows;
  feasible.feasible = found.feasible;
  feasible.generation = ++feasible_generation_;
  return feasible;
}

Next ScoreStep::run(OpenDecision& open) {
  const bool objects = open.extended && open.extended->objects_alone;
  Evaluator& evaluator = objects ? objects_ : evaluator_;
  std::string error = evaluator.score(open.context, open.found, open.scores);
  if (!error.empty()) {
    open.fail(std::move(error));
    return Next::kDecided;
  }
  open.decision.scored = true;
  return Next::kGoOn;
}

std::optional<model::Row> PickStep::preferred_row(const model::Cluster& cluster) const {
  if (preferred_ == 0) return std::nullopt;
  const model::NodeTable& nodes = cluster.nodes();
  for (uint64_t i = 0; i < best_.count(); ++i)
    if (nodes.node(nodes.slot_of(best_.at(i))).name == preferred_) return best_.at(i);
  return std::nullopt;
}

void PickStep::run(OpenDecision& open) {
  Decision& decision = open.decision;
  decision.outcome = Outcome::kScheduled;
  best_.find(open.found);
  if (const std::optional<model::Row> preferred = preferred_row(open.cluster)) {
    decision.row = *preferred;
    return;
  }
  if (options_.tie_break == TieBreak::kName) {
    const model::Cluster& cluster = open.cluster;
    decision.row = best_.first_by(
        [&](model::Row a, model::Row b) { return cluster.node_name(a) < cluster.node_name(b); });
    return;
  }
  const Request& request = *open.request;
  decision.draw = draw(options_.seed, request.pod->arrival, request.attempt, Purpose::kTieBreak);
  decision.row = best_.at(below(decision.draw, best_.count()));
}

}  // namespace berth::framework
