#include "engine/framework/evaluation/rows/row_filter.h"

#include "engine/framework/evaluation/nominated.h"

namespace berth::framework {

std::string filter_error(const std::string& plugin, std::string_view text) {
  return ("running \"" + plugin + "\" filter plugin: ").append(text);
}

std::string score_error(const std::string& plugin, const std::string& text) {
  return "running Score plugins: plugin \"" + plugin + "\" failed with: " + text;
}

void RowFilter::begin_trial(const DecisionContext& context, model::Row row) {
  if (resolution_ != context.resolution || profile_ != context.profile) find_followers(context);
  for (Kept& kept : kept_) kept.passed = kept.gathered = false;
  trial_ = false;
  nominated_here_ = sees_nominated(context, row);
  trial_ = true;
}

void RowFilter::find_followers(const DecisionContext& context) {
  profile_ = context.profile;
  resolution_ = context.resolution;
  kept_.resize(profile_->filter.size());
  for (size_t i = 0; i < kept_.size(); ++i) kept_[i].follows = follows_pods(context, i);
}

bool RowFilter::sees_nominated(const DecisionContext& context, model::Row row) const {
  if (trial_) return nominated_here_;
  return !cluster_.nodes().nominations().slots().empty() && any_nominated(cluster_, row, context);
}

RowVerdict RowFilter::check(const DecisionContext& context, model::Row row) {
  if (sees_nominated(context, row)) {
    nominated_.begin(context, row);
    nominated_.add_nominated();
    RowVerdict with = pass(context, row, &nominated_);
    if (with.refuser != kFeasible) return with;
  }
  return pass(context, row, nullptr);
}

RowVerdict RowFilter::check(const DecisionContext& context, const ChangedRow& changed) {
  const model::Row row = changed.row();
  if (sees_nominated(context, row)) {
    nominated_.copy_from(changed);
    nominated_.add_nominated();
    RowVerdict with = pass(context, row, &nominated_);
    if (with.refuser != kFeasible) return with;
  }
  return pass(context, row, &changed);
}

RowVerdict RowFilter::pass(const DecisionContext& context, model::Row row,
                           const ChangedRow* changed) {
  const auto& filters = context.profile->filter;
  // A row that could not be changed has no verdicts.
  const bool keeps = trial_ && changed != nullptr && changed->error().empty();
  for (size_t i = 0; i < filters.size(); ++i) {
    if (!context.calls(filters[i]) || (keeps && kept_[i].passed)) continue;
    RowVerdict result;
    result.code = verdict(context, i, row, changed, result.error);
    if (result.code == BERTH_SUCCESS) {
      if (keeps) kept_[i].passed = !kept_[i].follows;
      continue;
    }
    result.refuser = static_cast<Refuser>(i + 1);
    return result;
  }
  return {};
}

berth_call RowFilter::call(const DecisionContext& context, size_t filter, model::Row row,
                           const ChangedRow* changed) {
  const auto& hook = context.profile->filter[filter];
  const TemplateHook& state = *context.filter_states()[filter];
  const Overlay* overlay = changed != nullptr ? &changed->overlay() : nullptr;
  uint32_t position = row;
  if (hook.bound.over_dictionary()) {
    const model::Column& codes = hook.bound.space_column();
    position = overlay != nullptr ? overlay->code(hook.bound.space(), codes.view())
                                  : codes.values<uint32_t>()[row];
  }
  CallColumns* columns = &columns_;
  if (overlay == nullptr) {
    hook.bound.gather(state, {&position, 1}, nullptr, columns_);
  } else if (trial_) {
    columns = &kept_[filter].columns;
    hook.bound.gather_row(state, position, *overlay, kept_[filter].gathered, *columns);
    kept_[filter].gathered = true;
  } else {
    hook.bound.gather_row(state, position, *overlay, false, columns_);
  }
  berth_call made = BoundHook::call(*columns, 1, &state, context.ran(hook));
  if (changed != nullptr)
    if (const void* scratch = changed->state(filter)) made.state = scratch;
  return made;
}

uint8_t RowFilter::verdict(const DecisionContext& context, size_t filter, model::Row row,
                           const ChangedRow* changed, std::string& error) {
  std::optional<berth_call> made;
  return verdict(context, filter, row, changed, error, made);
}

uint8_t RowFilter::verdict(const DecisionContext& context, size_t filter, model::Row row,
                           const ChangedRow* changed, std::string& error,
                           std::optional<berth_call>& made) {
  const auto& hook = context.profile->filter[filter];
  const TemplateHook& state = *context.filter_states()[filter];
  if (changed != nullptr && !changed->error().empty()) {
    error = changed->error();
    return BERTH_ERROR;
  }
  if (state.failed) {
    error = filter_error(hook.point->plugin(), state.error);
    return BERTH_ERROR;
  }
  if (state.prepared.passes()) return BERTH_SUCCESS;
  made = call(context, filter, row, changed);
  uint8_t verdict = 0;
  if (host::CallError failure = hook.point->call(calls_, *made, {&verdict, 1})) {
    error = filter_error(hook.point->plugin(),
                         failure.text_about([&](size_t) { return hook.bound.node_text(row); }));
    return BERTH_ERROR;
  }
  if (verdict == BERTH_ERROR) error = filter_error(hook.point->plugin(), calls_.error_text());
  return verdict;
}

std::vector<std::string> RowFilter::reasons(const DecisionContext& context, size_t filter,
                                            model::Row row) {
  if (!any_nominated(cluster_, row, context))
    return texts(context, filter, call(context, filter, row, nullptr));
  nominated_.begin(context, row);
  nominated_.add_nominated();
  return texts_with_nominated(context, filter, row, nullptr);
}

std::vector<std::string> RowFilter::reasons(const DecisionContext& context, size_t filter,
                                            const ChangedRow& changed) {
  const model::Row row = changed.row();
  if (!any_nominated(cluster_, row, context))
    return texts(context, filter, call(context, filter, row, &changed));
  nominated_.copy_from(changed);
  nominated_.add_nominated();
  return texts_with_nominated(context, filter, row, &changed);
}

std::vector<std::string> RowFilter::texts_with_nominated(const DecisionContext& context,
                                                         size_t filter, model::Row row,
                                                         const ChangedRow* without) {
  std::string error;
  std::optional<berth_call> made;
  const bool passes = verdict(context, filter, row, &nominated_, error, made) == BERTH_SUCCESS;
  if (passes) made = call(context, filter, row, without);
  if (!made) made = call(context, filter, row, &nominated_);  // the filter failed without a call
  return texts(context, filter, *made);
}

std::vector<std::string> RowFilter::texts(const DecisionContext& context, size_t filter,
                                          berth_call one) {
  const auto& hook = context.profile->filter[filter];
  std::vector<std::string> texts;
  uint32_t reason = 0;
  host::CallError failure = hook.point->reasons(calls_, one, {&reason, 1});
  if (!failure) failure = hook.point->describe(calls_, one, reason, texts);
  if (failure) texts.assign(1, failure.text());
  return texts;
}

std::vector<host::Item> RowFilter::numbers(const DecisionContext& context, size_t filter,
                                           model::Row row, const ChangedRow* changed,
                                           host::NumbersSource& source) {
  const auto& hook = context.profile->filter[filter];
  const TemplateHook& state = *context.filter_states()[filter];
  std::vector<host::Item> items;
  if (state.failed || (changed != nullptr && !changed->error().empty())) return items;
  berth_call one = call(context, filter, row, changed);
  // After a failure there are no items.
  static_cast<void>(hook.point->numbers(calls_, one, source, items));
  return items;
}

}  // namespace berth::framework
