// Every hook, called as a host calls it. What is wrong with an answer by itself, the host's checks
// of calls find (host/calls).

#include <algorithm>
#include <array>

#include "engine/validator/families/families.h"
#include "engine/validator/trial/pod_calls.h"
#include "engine/validator/trial/row_hook.h"

namespace berth::validator {
namespace {

using framework::BoundHook;
using framework::CallColumns;

// Knows which terms there are, and names no pods.
class PlainSource final : public host::NumbersSource {
 public:
  explicit PlainSource(const model::Cluster& cluster) : cluster_(cluster) {}
  std::string term(uint32_t term) override {
    const bool known = term != 0 && term <= cluster_.terms().count();
    return known ? "term " + std::to_string(term) : std::string();
  }
  host::SomePods pods(uint32_t, uint64_t) override { return {}; }

 private:
  const model::Cluster& cluster_;
};

void describe(Session& session, const host::Hook& hook, const CallColumns& columns,
              const framework::TemplateHook* state, uint32_t reason) {
  berth_call call = BoundHook::call(columns, 1, state, 0);
  std::vector<std::string> texts;
  reported(hook.describe(session.calls(), call, reason, texts));
}

// The texts of a position's refusal, and the numbers behind its answer.
void explain(Session& session, RowHook& hook, const Asked& asked, uint32_t position,
             const Answer& answer) {
  CallColumns columns;
  std::vector<std::string> names;
  hook.gather(asked, {.positions = {position}}, columns, names);
  berth_call call = BoundHook::call(columns, 1, asked.state.get(), asked.ran);
  PlainSource source(session.cluster());
  std::vector<host::Item> items;
  if (hook.hook().point() == Point::kScore) {
    const auto& score = static_cast<const host::Score&>(hook.hook());
    reported(score.numbers(session.calls(), call, source, items));
    return;
  }
  if (answer.value >= BERTH_UNSCHEDULABLE)
    describe(session, hook.hook(), columns, asked.state.get(), answer.reason);
  const auto& filter = static_cast<const host::Filter&>(hook.hook());
  reported(filter.numbers(session.calls(), call, source, items));
}

void call_row_hooks(Session& session) {
  for (const auto& hook : row_hooks(session))
    for (const model::PodId pod : session.pods()) {
      const auto asked = hook->begin(pod);
      if (!asked) continue;
      const std::vector<uint32_t> all = hook->everything();
      const auto answers = hook->ask(*asked, {.positions = all});
      // Some positions, and the first that were refused.
      size_t refused = 0;
      for (size_t i = 0; answers && i < all.size(); ++i) {
        refused += (*answers)[i].reason != 0 ? 1 : 0;
        if (i % 20 == 0 || ((*answers)[i].reason != 0 && refused <= 5))
          explain(session, *hook, *asked, all[i], (*answers)[i]);
      }
    }
}

void call_hints(Session& session) {
  for (auto& at : session.profile().hints)
    for (const model::PodId pod : session.pods()) {
      const auto state = at.bound.prepare_anew(session.pod(pod), session.calls());
      if (state->failed) continue;
      CallColumns columns, object;
      framework::BoundHook::take_columns(*state, columns);
      hint_columns(session, *state, 0, columns, object);
      berth_event event{};
      event.size = sizeof event;
      event.kind = BERTH_ON_NODE;
      event.action = BERTH_DID_ADD;
      event.node = session.cluster().nodes().node(session.cluster().nodes().slot_of(0)).name;
      event.after = object.columns.data();
      berth_call call = BoundHook::call(columns, 1, state.get(), 0);
      uint8_t helps = 0;
      if ((at.point->actions(BERTH_ON_NODE) & BERTH_DID_ADD) != 0)
        reported(at.point->call(session.calls(), call, event, helps));
    }
}

void call_overlays(Session& session) {
  for (auto& at : session.profile().filter) {
    if (at.overlay == framework::kNoHook) continue;
    auto& overlay = session.profile().overlay_state[at.overlay];
    for (const model::PodId pod : session.pods()) {
      const auto state = at.bound.prepare_anew(session.pod(pod), session.calls());
      if (state->failed || state->prepared.state() == nullptr) continue;
      void* scratch = nullptr;
      if (reported(overlay.point->begin(session.calls(), state->prepared.state(), scratch)))
        continue;
      PodCall other(session, overlay.bound, {session.pods().front()});
      reported(overlay.point->add_pod(session.calls(), scratch, other.call, 0));
      reported(overlay.point->remove_pod(session.calls(), scratch, other.call, 0));
      reported(overlay.point->reset(session.calls(), scratch, state->prepared.state()));
      reported(overlay.point->end(session.calls(), scratch));
    }
  }
}

// Every node was refused for good, so that nothing can be nominated.
void call_post_filters(Session& session) {
  const std::vector<uint8_t> codes(session.cluster().nodes().rows(),
                                   uint8_t{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE});
  for (auto& at : session.profile().post_filter)
    for (const model::PodId pod : session.pods()) {
      const auto state = at.bound.prepare_anew(session.pod(pod), session.calls());
      if (state->failed) continue;
      at.bound.refresh(*state);
      CallColumns columns;
      framework::BoundHook::take_columns(*state, columns);
      berth_call call = BoundHook::call(columns, codes.size(), state.get(), BERTH_ASKED_PRE_FILTER);
      host::NominationAnswer answer;
      reported(at.point->call(session.calls(), call, codes, 1, answer));
    }
}

void check_hooks(const Subject& subject) {
  Session session(subject);
  call_every_hook(session);
}

// Scores of one pod, normalised by the plugin or by the host, which checks the range.
void check_range(Session& session, framework::HookAt<host::Score>& at, const void* state,
                 const std::vector<Answer>& answers) {
  std::vector<int64_t> raw;
  for (const Answer& answer : answers)
    if (answer.value != BERTH_NOT_SCORED) raw.push_back(answer.value);
  if (raw.empty()) return;
  const auto [least, most] = std::ranges::minmax(raw);
  if (at.point->normalise() != BERTH_NORMALISE_OWN) {
    reported(at.point->check_extremes(session.calls(), raw, least, most));
    return;
  }
  std::vector<int64_t> all(raw.size()), one(1);
  reported(at.point->normalise_own(session.calls(), state, raw, least, most, all));
  for (size_t i = 0; i < raw.size(); ++i) {
    reported(at.point->normalise_own(session.calls(), state, {&raw[i], 1}, least, most, one));
    if (one[0] == all[i]) continue;
    throw Conviction("normalise_own makes " + std::to_string(all[i]) + " of the raw score " +
                     std::to_string(raw[i]) + " among " + std::to_string(raw.size()) +
                     " scores, and " + std::to_string(one[0]) + " of it alone, with minimum " +
                     std::to_string(least) + " and maximum " + std::to_string(most));
  }
}

void check_scores(const Subject& subject) {
  Session session(subject);
  if (session.profile().score.empty()) throw NotApplicable("the plugin has no Score");
  size_t scored = 0;
  for (const auto& hook : row_hooks(session)) {
    if (hook->hook().point() != Point::kScore) continue;
    for (const model::PodId pod : session.pods()) {
      const auto asked = hook->begin(pod);
      if (!asked) continue;
      const auto answers = hook->ask(*asked, {.positions = hook->everything()});
      if (!answers) continue;
      ++scored;
      check_range(session, session.profile().score.front(), asked->state->prepared.state(),
                  *answers);
    }
  }
  if (scored == 0) throw NotApplicable("the plugin scores no pod of the made-up cluster");
}

constexpr std::array<Check, 2> kCallChecks = {{
    {"calls.hooks",
     "Each function returns, without an exception or a crash, writes every output of the mask, and "
     "writes values that its extension point allows.",
     "abi/include/berth/abi/hook.h", "life.start", check_hooks},
    {"calls.scores",
     "Final scores are in 0..100, and normalising is a function of the raw score, the minimum and "
     "the maximum alone.",
     "abi/include/berth/abi/score.h", "calls.hooks", check_scores},
}};

}  // namespace

void call_every_hook(Session& session) {
  call_queue_hooks(session);
  call_hints(session);
  call_row_hooks(session);
  call_post_filters(session);
  call_overlays(session);
  call_binding_hooks(session);
}

std::span<const Check> call_checks() { return kCallChecks; }

}  // namespace berth::validator
