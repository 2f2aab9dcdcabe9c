#include "engine/validator/trial/row_hook.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "engine/host/calls/checks/checks.h"

namespace berth::validator {
namespace {

using framework::BoundHook;
using framework::CallColumns;
using framework::HookAt;

// Failures to prepare are kept as texts. Those of the contract begin with the plugin; those that a
// plugin reports are its own words.
bool prepare_reported(const Session& session, const framework::TemplateHook& state) {
  if (!state.failed) return false;
  if (state.misused) throw ServiceMisuse(state.error);
  if (state.error.starts_with("plugin \"" + session.library()->name() + "\" "))
    throw Conviction(state.error);
  return true;
}

// As reported(), of functions whose use of services is judged by a check of its own.
bool call_reported(const host::CallError& error) {
  if (error && error.is_misuse()) throw ServiceMisuse(error.text());
  return reported(error);
}

template <typename T>
std::span<T> outputs(Guarded* guarded, std::string_view name, std::vector<T>& own, size_t count) {
  if (guarded != nullptr) return {guarded->output<T>(name, count), count};
  own.resize(count);
  return own;
}

// Sets the mask, and guards what is still in ordinary memory.
void finish(berth_call& call, const Cut& cut, Guarded* guarded) {
  if (!cut.mask.empty()) call.mask = cut.mask.data();
  if (guarded == nullptr) return;
  call.mask = guarded->input("the mask", call.mask, cut.mask.size());
  call.columns = guarded->input("the list of columns", call.columns, call.column_count);
  guarded->protect();
}

class FilterRows final : public RowHook {
 public:
  FilterRows(Session& session, HookAt<host::Filter>& at) : RowHook(session), at_(at) {}

  const host::Hook& hook() const override { return *at_.point; }
  BoundHook& bound() override { return at_.bound; }

  host::CallError call(const Asked& asked, const Cut& cut, host::CallContext& calls,
                       const CallColumns& columns, Guarded* guarded,
                       std::vector<Answer>& answers) const override {
    const size_t count = cut.positions.size();
    std::vector<uint8_t> own;
    std::vector<uint32_t> own_reasons;
    berth_call made = BoundHook::call(columns, count, asked.state.get(), asked.ran);
    const auto verdicts = outputs(guarded, "the array of verdicts", own, count);
    const auto reasons = outputs(guarded, "the array of reasons", own_reasons, count);
    finish(made, cut, guarded);
    if (host::CallError error = at_.point->call(calls, made, verdicts)) return error;
    if (host::CallError error = at_.point->reasons(calls, made, reasons)) return error;
    answers.assign(count, Answer{});
    for (size_t i = 0; i < count; ++i) {
      if (!cut.in_mask(i)) continue;
      answers[i].value = verdicts[i];
      if (verdicts[i] >= BERTH_UNSCHEDULABLE) answers[i].reason = reasons[i];
    }
    return {};
  }

 protected:
  bool ask_before(Asked& asked) override {
    bool skipped = false;
    return pre_filter(asked, at_.pre_filter, skipped) && !skipped;
  }

 private:
  HookAt<host::Filter>& at_;
};

class ScoreRows final : public RowHook {
 public:
  ScoreRows(Session& session, HookAt<host::Score>& at) : RowHook(session), at_(at) {}

  const host::Hook& hook() const override { return *at_.point; }
  BoundHook& bound() override { return at_.bound; }

  host::CallError call(const Asked& asked, const Cut& cut, host::CallContext& calls,
                       const CallColumns& columns, Guarded* guarded,
                       std::vector<Answer>& answers) const override {
    const size_t count = cut.positions.size();
    std::vector<int64_t> own;
    berth_call made = BoundHook::call(columns, count, asked.state.get(), asked.ran);
    const auto raw = outputs(guarded, "the array of scores", own, count);
    finish(made, cut, guarded);
    if (host::CallError error = at_.point->call(calls, made, raw)) return error;
    answers.assign(count, Answer{});
    for (size_t i = 0; i < count; ++i)
      if (cut.in_mask(i)) answers[i].value = raw[i];
    return {};
  }

 protected:
  bool ask_before(Asked& asked) override {
    bool skipped = false;
    if (!pre_filter(asked, at_.pre_filter, skipped)) return false;
    if (at_.pre_filter != framework::kNoHook) asked.ran |= BERTH_ASKED_PRE_FILTER;
    return pre_score(asked, at_.before);
  }

 private:
  HookAt<host::Score>& at_;
};

}  // namespace

std::vector<uint32_t> RowHook::everything() {
  std::vector<uint32_t> all(bound().positions());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

std::string RowHook::position_name(uint32_t position) {
  if (bound().over_dictionary())
    return "code " + std::to_string(position) + " of " + hook().space();
  return "node " + session_.node_name_at(position);
}

bool RowHook::pre_filter(Asked& asked, size_t index, bool& skipped) {
  if (index == framework::kNoHook) return true;
  auto& at = session_.profile().pre_filter[index];
  asked.pre_filter = at.bound.prepare_anew(session_.pod(asked.pod), session_.calls());
  if (prepare_reported(session_, *asked.pre_filter)) return false;
  if (asked.pre_filter->prepared.passes()) return skipped = true;
  at.bound.refresh(*asked.pre_filter);
  CallColumns columns;
  framework::BoundHook::take_columns(*asked.pre_filter, columns);
  berth_call call = BoundHook::call(columns, 1, asked.pre_filter.get(), 0);
  host::PreFilterAnswer answer;
  if (call_reported(at.point->call(session_.calls(), call, answer))) return false;
  if (answer.code == BERTH_SKIP) return skipped = true;
  asked.ran |= BERTH_RAN_PRE_FILTER;
  return answer.code == BERTH_SUCCESS;
}

bool RowHook::pre_score(Asked& asked, size_t index) {
  if (index == framework::kNoHook) return true;
  auto& at = session_.profile().pre_score[index];
  asked.pre_score = at.bound.prepare_anew(session_.pod(asked.pod), session_.calls());
  if (prepare_reported(session_, *asked.pre_score) || asked.pre_score->prepared.passes())
    return false;
  at.bound.refresh(*asked.pre_score);
  CallColumns columns;
  framework::BoundHook::take_columns(*asked.pre_score, columns);
  const model::Row rows = session_.cluster().nodes().rows();
  std::vector<uint64_t> bits((rows + 63) / 64, ~uint64_t{0});
  if (rows % 64 != 0) bits.back() = (uint64_t{1} << (rows % 64)) - 1;
  const berth_feasible feasible{
      sizeof feasible, 0, bits.data(), rows, rows, session_.profile().count_resolution()};
  const bool follows = at.point->depends() == BERTH_DEPENDS_FEASIBLE;
  berth_call call = BoundHook::call(columns, 1, asked.pre_score.get(), asked.ran);
  host::PreScoreAnswer answer;
  if (call_reported(at.point->call(session_.calls(), call, follows ? &feasible : nullptr, answer)))
    return false;
  asked.ran |= BERTH_RAN_PRE_SCORE;
  return !answer.skip;
}

std::optional<Asked> RowHook::begin(model::PodId pod) {
  Asked asked{.pod = pod, .pre_filter = {}, .pre_score = {}, .state = {}};
  if (!ask_before(asked)) return std::nullopt;
  asked.state = bound().prepare_anew(session_.pod(pod), session_.calls());
  if (prepare_reported(session_, *asked.state) || asked.state->prepared.passes())
    return std::nullopt;
  return asked;
}

void RowHook::gather(const Asked& asked, const Cut& cut, CallColumns& columns,
                     std::vector<std::string>& names) {
  bound().refresh(*asked.state);
  bound().gather(*asked.state, cut.positions, nullptr, columns);
  names.clear();
  for (const model::ColumnId column : asked.state->inputs)
    names.push_back(column != 0 ? session_.cluster().catalog().info(column).id : "");
}

std::optional<std::vector<Answer>> RowHook::ask(const Asked& asked, const Cut& cut) {
  CallColumns columns;
  std::vector<std::string> names;
  gather(asked, cut, columns, names);
  std::optional<Guarded> guarded;
  if (cut.guards) {
    watch_guards();
    guarded.emplace(*cut.guards).take(columns.columns, names);
  }
  std::vector<Answer> answers;
  if (call_reported(
          call(asked, cut, session_.calls(), columns, guarded ? &*guarded : nullptr, answers)))
    return std::nullopt;
  return answers;
}

std::vector<std::unique_ptr<RowHook>> row_hooks(Session& session) {
  std::vector<std::unique_ptr<RowHook>> made;
  for (auto& at : session.profile().filter)
    made.push_back(std::make_unique<FilterRows>(session, at));
  for (auto& at : session.profile().score) made.push_back(std::make_unique<ScoreRows>(session, at));
  return made;
}

std::vector<std::unique_ptr<RowHook>> some_row_hooks(Session& session) {
  auto made = row_hooks(session);
  if (made.empty()) throw NotApplicable("the plugin has neither a Filter nor a Score");
  return made;
}

}  // namespace berth::validator
