#include "engine/framework/decision/steps/post_filter_step.h"

#include <algorithm>
#include <numeric>

#include "engine/base/assert.h"
#include "engine/base/draw.h"

namespace berth::framework {
namespace {

// Returns the text that a plugin wrote during the call, or else the texts of its reason.
std::string text_of(OpenDecision& open, const HookAt<host::PostFilter>& hook,
                    const berth_call& call, uint32_t reason) {
  std::string text;
  const auto add = [&](std::string_view one) {
    if (!text.empty()) text += ", ";
    text += one;
  };
  for (size_t i = 0; i < open.calls.texts(); ++i) add(open.calls.text(i));
  if (!text.empty() || reason == 0) return text;
  std::vector<std::string> texts;
  berth_call same = call;
  if (host::CallError failure = hook.point->describe(open.calls, same, reason, texts))
    return failure.text();
  for (const std::string& one : texts) add(one);
  return text;
}

}  // namespace

uint8_t PostFilterStep::run(OpenDecision& open) {
  BERTH_ASSERT(open.decision.outcome == Outcome::kUnschedulable);
  Profile& profile = *open.context.profile;
  code_ = BERTH_UNSCHEDULABLE;
  if (profile.post_filter.empty()) {
    if (options_.clears_without_post_filter) open.decision.nominating = Nominating::kClear;
    return code_;
  }
  // A PreFilter that may come to another result once pods are gone does not stop the filters.
  const auto& refused = open.decision.pre_filter;
  const bool tries = !refused || refused->code == BERTH_UNSCHEDULABLE;
  if (refused && tries) {
    open.context.resolve_filters(open.states, open.calls);
    open.context.begin_filters(open.cluster);
  }
  if (tries) open.context.refresh_filters();
  find_codes(open);
  codes_ = by_row_;
  if (options_.tie_break == TieBreak::kName) order_by_name(open.cluster);
  PostFilterResult result;
  for (auto& hook : profile.post_filter) {
    what_ifs_.serve(open.context, hook.bound, tries);
    if (trials_ != nullptr) trials_->now = &what_ifs_;
    const Answer answer = ask(open, hook, result);
    if (trials_ != nullptr) trials_->now = nullptr;
    what_ifs_.finish();
    if (answer == Answer::kOver) break;
  }
  open.decision.post_filter = std::move(result);
  return code_;
}

// Rows that the search did not come to are those that PreFilter left out.
void PostFilterStep::find_codes(const OpenDecision& open) {
  const model::Row rows = open.cluster.nodes().rows();
  const auto& refused = open.decision.pre_filter;
  if (!refused && !open.extended && !open.found.listed && open.found.refused == rows) {
    by_row_ = {&open.found.code[0], rows};
    return;
  }
  found_codes_.assign(rows, refused ? static_cast<uint8_t>(refused->code)
                                    : uint8_t{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE});
  by_row_ = found_codes_;
  if (refused) return;
  open.found.for_each_row([&](model::Row row) { found_codes_[row] = open.found.code[row]; });
  if (open.nominated && open.nominated->outside)
    found_codes_[open.nominated->row] = open.nominated->verdict.code;
  if (!open.extended) return;
  for (const auto& [row, status] : open.extended->by_row) found_codes_[row] = status.code;
}

void PostFilterStep::order_by_name(const model::Cluster& cluster) {
  rows_.resize(by_row_.size());
  std::iota(rows_.begin(), rows_.end(), model::Row{0});
  std::sort(rows_.begin(), rows_.end(), [&](model::Row a, model::Row b) {
    return cluster.node_name(a) < cluster.node_name(b);
  });
  ordered_codes_.resize(rows_.size());
  for (size_t i = 0; i < rows_.size(); ++i) ordered_codes_[i] = by_row_[rows_[i]];
  codes_ = ordered_codes_;
}

uint32_t PostFilterStep::ran(const OpenDecision& open, const HookAt<host::PostFilter>& hook) const {
  if (hook.pre_filter == kNoHook) return 0;
  const bool ran = open.context.pre_filter().ran[hook.pre_filter];
  const bool skipped = open.context.pre_filter().skipped[hook.pre_filter];
  return (ran ? BERTH_RAN_PRE_FILTER : 0) | (ran || skipped ? BERTH_ASKED_PRE_FILTER : 0);
}

// The states of these hooks are of one pod, and PostFilter is rare: none is kept.
PostFilterStep::Answer PostFilterStep::ask(OpenDecision& open, HookAt<host::PostFilter>& hook,
                                           PostFilterResult& result) {
  const std::unique_ptr<TemplateHook> state =
      hook.bound.prepare_anew(*open.context.pod, open.calls);
  host::NominationAnswer answer;
  code_ = BERTH_ERROR;
  if (state->failed) {
    result.texts = {{hook.point->plugin(), state->error}};
    return Answer::kOver;
  }
  hook.bound.refresh(*state);
  const bool by_name = options_.tie_break == TieBreak::kName;
  if (by_name) {
    hook.bound.gather(*state, rows_, nullptr, columns_);
  } else {
    hook.bound.slice(*state, 0, open.cluster.nodes().rows(), columns_);
  }
  berth_call call = BoundHook::call(columns_, codes_.size(), state.get(), ran(open, hook));
  const Request& request = *open.request;
  const uint64_t number = by_name ? 0
                                  : draw(options_.seed, request.pod->arrival, request.attempt,
                                         Purpose::kPreemptionOffset);
  if (host::CallError failure = hook.point->call(open.calls, call, codes_, number, answer)) {
    result.texts = {{hook.point->plugin(), failure.text()}};
    return Answer::kOver;
  }
  code_ = static_cast<uint8_t>(answer.code);
  if (answer.code == BERTH_SUCCESS) return take(open, hook, answer, result);
  if (answer.code == BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE) result.texts.clear();
  if (std::string text = text_of(open, hook, call, answer.reason); !text.empty())
    result.texts.push_back({hook.point->plugin(), std::move(text)});
  if (answer.clears) open.decision.nominating = Nominating::kClear;
  return answer.code == BERTH_UNSCHEDULABLE ? Answer::kNext : Answer::kOver;
}

PostFilterStep::Answer PostFilterStep::take(OpenDecision& open,
                                            const HookAt<host::PostFilter>& hook,
                                            const host::NominationAnswer& answer,
                                            PostFilterResult& result) {
  result.texts.clear();
  open.decision.nominating = Nominating::kKeep;
  if (answer.node == 0) return Answer::kOver;
  const std::string wrong = nominate(open, answer, result);
  if (!wrong.empty()) {
    code_ = BERTH_ERROR;
    hook.point->count_broken(open.calls);
    result = {};
    result.texts.push_back(
        {hook.point->plugin(), "plugin \"" + hook.point->plugin() + "\" " + wrong});
    return Answer::kOver;
  }
  result.plugin = hook.point->plugin();
  open.decision.nominating = Nominating::kSet;
  return Answer::kOver;
}

// Enters a nomination in the result. Returns the plugin's fault if it is no valid one.
std::string PostFilterStep::nominate(OpenDecision& open, const host::NominationAnswer& answer,
                                     PostFilterResult& result) {
  const model::NodeTable& nodes = open.cluster.nodes();
  const model::Slot slot = nodes.find(answer.node);
  if (slot == model::kNoSlot || !nodes.node(slot).present)
    return "nominated \"" + std::string(open.cluster.text(answer.node)) + "\", which is no node";
  result.row = nodes.row_of(slot);
  for (const uint64_t handle : answer.victims) {
    const model::PodId pod = model::PodId::from_handle(handle);
    const bool there =
        open.cluster.pods().contains(pod) && open.cluster.pod(pod).slot == slot &&
        std::find(result.victims.begin(), result.victims.end(), pod) == result.victims.end();
    if (!there)
      return "named a victim that is no pod on the node that it nominates, or named it twice";
    result.victims.push_back(pod);
  }
  return {};
}

}  // namespace berth::framework
