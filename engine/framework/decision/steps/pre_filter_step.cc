#include "engine/framework/decision/steps/pre_filter_step.h"

#include <algorithm>

#include "engine/base/sort_once.h"
#include "engine/base/text/joined.h"
#include "engine/framework/decision/refusals.h"

namespace berth::framework {
namespace {

void find_rows(const model::NodeTable& nodes, Narrowed& narrowed) {
  narrowed.rows.clear();
  for (model::StringId name : narrowed.names) {
    model::Slot slot = nodes.find(name);
    if (slot == model::NodeTable::kNoSlot) continue;
    model::Row row = nodes.row_of(slot);
    if (row != model::kNoRow) narrowed.rows.push_back(row);
  }
  std::sort(narrowed.rows.begin(), narrowed.rows.end());
}

// Intersects the names with those of earlier plugins. False if nothing is left. Names of nodes that
// do not exist count: they make the search find nothing, but do not make the set of names empty.
bool narrow(OpenDecision& open, const std::string& plugin,
            const std::vector<model::StringId>& names) {
  const bool first = !open.narrowed;
  if (first) open.narrowed.emplace();
  Narrowed& narrowed = *open.narrowed;
  auto at = std::lower_bound(narrowed.plugins.begin(), narrowed.plugins.end(), plugin);
  narrowed.plugins.insert(at, plugin);
  std::vector<model::StringId> sorted = names;
  sort_once(sorted);
  if (first) {
    narrowed.names = std::move(sorted);
  } else {
    std::erase_if(narrowed.names, [&](model::StringId name) {
      return !std::binary_search(sorted.begin(), sorted.end(), name);
    });
  }
  find_rows(open.cluster.nodes(), narrowed);
  return !narrowed.names.empty();
}

std::string empty_set_reason(const Narrowed& narrowed) {
  const auto& plugins = narrowed.plugins;
  if (plugins.size() == 1) return "node(s) didn't satisfy plugin " + plugins[0];
  return "node(s) didn't satisfy plugin(s) " + joined_plugins(plugins) + " simultaneously";
}

// A plugin that ends the decision at once is the only refuser; else those that narrowed the search
// count, too.
Next refuse(OpenDecision& open, PreFilterRefusal refusal) {
  const bool alone =
      refusal.code == BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE && !refusal.plugin.empty();
  if (open.narrowed && !alone)
    for (const std::string& plugin : open.narrowed->plugins)
      open.decision.refused_by.add(plugin, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);
  open.decision.refused_by.add(refusal.plugin, refusal.code);
  open.decision.outcome = Outcome::kUnschedulable;
  open.decision.message = fit_error(open.cluster.nodes().rows(), joined(refusal.reasons, ", "));
  open.decision.pre_filter = std::move(refusal);
  return Next::kDecided;
}

}  // namespace

Next PreFilterStep::run(OpenDecision& open) {
  PodKind* kind = open.states.kind();
  if (kind != nullptr && kind->pre_filter.hold()) {
    open.context.kept_pre_filter = &kind->pre_filter.answers();
  } else {
    if (ask_all(open) == Next::kDecided) return Next::kDecided;
    open.context.resolve_filters(open.states, open.calls);
    if (kind != nullptr && !open.narrowed && keeps(*open.context.profile, *kind))
      kind->pre_filter.keep(open.context.own_pre_filter);
  }
  open.context.begin_filters(open.cluster);
  return Next::kGoOn;
}

bool PreFilterStep::answers_hold_for_kinds(const Profile& profile) {
  for (const auto& hook : profile.filter)
    if (hook.bound.follows_pod()) return false;
  for (const auto& hook : profile.pre_filter)
    if (hook.bound.follows_pod() || hook.point->depends() != BERTH_DEPENDS_DECLARED) return false;
  return true;
}

// True if the answers are kept for the kind.
bool PreFilterStep::keeps(const Profile& profile, PodKind& kind) {
  using Keeps = KeptAnswers<PreFilterAnswers>::Keeps;
  if (kind.pre_filter.keeps != Keeps::kUnknown) return kind.pre_filter.keeps == Keeps::kAlways;
  kind.pre_filter.keeps = Keeps::kNever;
  if (!answers_hold_for_kinds(profile)) return false;
  for (const auto& hook : profile.pre_filter)
    kind.pre_filter.add(hook.bound, *kind.states[hook.bound.index()]);
  kind.pre_filter.keeps = Keeps::kAlways;
  return true;
}

// Asks each hook whose inputs changed since its last answer. kDecided: one failed, or refused the
// pod.
Next PreFilterStep::ask_all(OpenDecision& open) {
  DecisionContext& context = open.context;
  auto& hooks = context.profile->pre_filter;
  PreFilterAnswers& answers = context.own_pre_filter;
  answers.ran.assign(hooks.size(), false);
  answers.skipped.assign(hooks.size(), false);
  std::optional<PreFilterRefusal> last;  // after an Unschedulable the others run; the last counts
  for (size_t i = 0; i < hooks.size(); ++i) {
    auto& hook = hooks[i];
    TemplateHook& state = open.states.of(hook.bound, *context.pod, open.calls);
    if (!state.failed && state.prepared.passes()) {
      answers.skipped[i] = true;
      continue;
    }
    hook.bound.refresh(state);
    const PreFilterCache& answer = state.pre_filter;
    // A fresh state has no answer yet.
    const uint64_t stamp = state.failed ? 0 : hook.bound.stamp(state);
    if (open.states.fresh() || answer.stamp != stamp || state.failed) {
      const std::string error = state.failed ? state.error : ask(open, hook, state, stamp);
      if (!error.empty() || state.failed) {
        open.fail("running PreFilter plugin \"" + hook.point->plugin() + "\": " + error);
        return Next::kDecided;
      }
    }
    if (answer.code == BERTH_SKIP) {
      answers.skipped[i] = true;
      continue;
    }
    answers.ran[i] = answer.code == BERTH_SUCCESS;
    if (answer.code != BERTH_SUCCESS) {
      last = describe(open, hook, state);
      if (answer.code == BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE) break;
      continue;
    }
    if (answer.narrows && !narrow(open, hook.point->plugin(), answer.node_names)) {
      last = PreFilterRefusal{
          {}, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, {empty_set_reason(*open.narrowed)}};
      break;
    }
  }
  return last ? refuse(open, *std::move(last)) : Next::kGoOn;
}

// Asks for the state's answer to the inputs with that stamp. An error's text, or empty.
std::string PreFilterStep::ask(OpenDecision& open, const HookAt<host::PreFilter>& hook,
                               TemplateHook& state, uint64_t stamp) {
  PreFilterCache& answer = state.pre_filter;
  host::PreFilterAnswer made;
  hook.bound.gather_pods(&state, {&open.context.pod, 1}, {}, columns_);
  berth_call call = BoundHook::call(columns_, 1, &state, 0);
  if (host::CallError failure = hook.point->call(open.calls, call, made)) return failure.text();
  answer.stamp = stamp;
  answer.code = made.code;
  answer.reason = made.reason;
  answer.narrows = made.narrows;
  answer.node_names.assign(made.node_names.begin(), made.node_names.end());
  return {};
}

PreFilterRefusal PreFilterStep::describe(OpenDecision& open, const HookAt<host::PreFilter>& hook,
                                         const TemplateHook& state) {
  const PreFilterCache& answer = state.pre_filter;
  PreFilterRefusal refusal{hook.point->plugin(), static_cast<uint8_t>(answer.code), {}};
  hook.bound.gather_pods(&state, {&open.context.pod, 1}, {}, columns_);
  berth_call call = BoundHook::call(columns_, 1, &state, 0);
  if (host::CallError failure =
          hook.point->describe(open.calls, call, answer.reason, refusal.reasons))
    refusal.reasons.assign(1, failure.text());
  return refusal;
}

}  // namespace berth::framework
