#include "engine/framework/decision/steps/score_step.h"

namespace berth::framework {
namespace {

// Sets the bits of the feasible rows within [begin, end).
void mark_feasible(const SearchResult& found, model::Row begin, model::Row end, uint64_t* bits) {
  for (model::Row first = begin / 64 * 64; first < end; first += 64) {
    uint64_t within = ~uint64_t{0};
    if (first < begin) within &= ~uint64_t{0} << (begin - first);
    if (end - first < 64) within &= ~(~uint64_t{0} << (end - first));
    bits[first / 64] |= within & found.feasible_of(first / 64);
  }
}

}  // namespace

Next PreScoreStep::run(OpenDecision& open) {
  PodKind* kind = open.states.kind();
  if (kind != nullptr && kind->pre_score.hold()) {
    open.context.kept_pre_score = &kind->pre_score.answers();
    return Next::kGoOn;
  }
  // Without score plugins and extenders, PreScore is skipped. Source: kube-scheduler schedule_one
  // prioritizeNodes.
  const bool skipped = open.context.profile->score.empty() && options_.extenders == nullptr;
  const size_t asked = skipped ? 0 : open.context.profile->pre_score.size();
  if (ask_all(open, asked) == Next::kDecided) return Next::kDecided;
  open.context.resolve_scores(open.states, open.calls);
  if (kind != nullptr && keeps(*open.context.profile, asked, *kind))
    kind->pre_score.keep(open.context.own_pre_score);
  return Next::kGoOn;
}

bool PreScoreStep::answers_hold_for_kind_of(OpenDecision& open) {
  const Profile& profile = *open.context.profile;
  for (const auto& hook : profile.score)
    if (hook.bound.follows_pod()) return false;
  for (auto& hook : open.context.profile->pre_score) {
    if (hook.bound.follows_pod()) return false;
    const TemplateHook& state = open.states.of(hook.bound, *open.context.pod, open.calls);
    if (state.failed) return false;
    if (!state.prepared.passes() && hook.point->depends() != BERTH_DEPENDS_DECLARED) return false;
  }
  return true;
}

// As in PreFilterStep. An answer that follows the feasible rows holds for one decision, unless it
// was known before.
bool PreScoreStep::keeps(const Profile& profile, size_t asked, PodKind& kind) {
  using Keeps = KeptAnswers<PreScoreAnswers>::Keeps;
  if (kind.pre_score.keeps != Keeps::kUnknown) return kind.pre_score.keeps == Keeps::kAlways;
  kind.pre_score.keeps = Keeps::kNever;
  for (const auto& hook : profile.score)
    if (hook.bound.follows_pod()) return false;
  const auto follows = [&](const HookAt<host::PreScore>& hook) -> const TemplateHook* {
    const TemplateHook* state = kind.states[hook.bound.index()];
    return state->prepared.passes() ? nullptr : state;
  };
  for (size_t i = 0; i < asked; ++i) {
    const auto& hook = profile.pre_score[i];
    if (hook.bound.follows_pod()) return false;
    if (hook.point->depends() != BERTH_DEPENDS_DECLARED && follows(hook) != nullptr) return false;
  }
  for (size_t i = 0; i < asked; ++i)
    if (const TemplateHook* state = follows(profile.pre_score[i]))
      kind.pre_score.add(profile.pre_score[i].bound, *state);
  kind.pre_score.keeps = Keeps::kAlways;
  return true;
}

// Asks each of the first `asked` hooks whose inputs changed since its last answer. kDecided: one
// failed.
Next PreScoreStep::ask_all(OpenDecision& open, size_t asked) {
  DecisionContext& context = open.context;
  auto& hooks = context.profile->pre_score;
  PreScoreAnswers& answers = context.own_pre_score;
  answers.ran.assign(hooks.size(), false);
  answers.skipped.assign(hooks.size(), false);
  answers.versions.assign(hooks.size(), 0);
  for (size_t i = 0; i < asked; ++i) {
    auto& hook = hooks[i];
    TemplateHook& state = open.states.of(hook.bound, *context.pod, open.calls);
    if (!state.failed && state.prepared.passes()) {
      answers.skipped[i] = true;
      continue;
    }
    hook.bound.refresh(state);
    const uint64_t stamp = state.failed ? 0 : hook.bound.stamp(state);
    if (open.states.fresh() || state.pre_score.stamp != stamp || state.failed) {
      const std::string error = state.failed ? state.error : ask(open, hook, state, stamp);
      if (!error.empty() || state.failed) {
        open.fail("running PreScore plugin \"" + hook.point->plugin() + "\": " + error);
        return Next::kDecided;
      }
    }
    (state.pre_score.skip ? answers.skipped : answers.ran)[i] = true;
    answers.versions[i] = state.pre_score.version;
  }
  return Next::kGoOn;
}

// Asks for an answer to the inputs with that stamp; an error's text, or empty. An answer that
// follows the feasible rows holds for this decision only.
std::string PreScoreStep::ask(OpenDecision& open, const HookAt<host::PreScore>& hook,
                              TemplateHook& state, uint64_t stamp) {
  host::PreScoreAnswer answer;
  BoundHook::take_columns(state, columns_);
  berth_call call = BoundHook::call(columns_, 1, &state, open.context.ran(hook));
  const bool follows = hook.point->depends() == BERTH_DEPENDS_FEASIBLE;
  const berth_feasible feasible = follows ? feasible_set(open) : berth_feasible{};
  if (host::CallError failure =
          hook.point->call(open.calls, call, follows ? &feasible : nullptr, answer))
    return failure.text();
  state.pre_score.stamp = follows ? 0 : stamp;
  state.pre_score.skip = answer.skip;
  // No two states have a version in common.
  if (answer.changed || state.pre_score.version == 0) state.pre_score.version = ++changes_;
  return {};
}

berth_feasible PreScoreStep::feasible_set(const OpenDecision& open) {
  const SearchResult& found = open.found;
  const model::Row rows = open.cluster.nodes().rows();
  const uint64_t* known = found.took_all() ? found.feasible_rows.words() : nullptr;
  if (known == nullptr) {
    feasible_bits_.assign((rows + 63) / 64, 0);
    for (auto [begin, end] : found.pieces) mark_feasible(found, begin, end, feasible_bits_.data());
    for (model::Row row : found.list) mark_feasible(found, row, row + 1, feasible_bits_.data());
  }
  berth_feasible feasible{};
  feasible.size = sizeof feasible;
  feasible.rows = known != nullptr ? known : feasible_bits_.data();
  feasible.row_count = rows;
  feasible.feasible = found.feasible;
  // Hooks are shared by all deciders of the profile.
  feasible.generation = open.context.profile->count_resolution();
  return feasible;
}

Next ScoreStep::run(OpenDecision& open) {
  const bool objects = open.extended && open.extended->objects_alone;
  Evaluator& evaluator = objects ? objects_ : evaluator_;
  last_ = &evaluator;
  std::string error = evaluator.score(open.context, open.found);
  if (!error.empty()) {
    open.fail(std::move(error));
    return Next::kDecided;
  }
  open.decision.scored = true;
  return Next::kGoOn;
}

}  // namespace berth::framework
