#include "engine/framework/kept/row_versions.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::framework {
namespace {

// Calls visit(hook, state) for each filter that is called and does not pass every row.
template <typename Visit>
void for_each_filter(const DecisionContext& context, Visit&& visit) {
  const auto& filters = context.profile->filter;
  for (size_t i = 0; i < filters.size(); ++i) {
    const TemplateHook* state = context.filter_states()[i];
    if (state != nullptr && !(!state->failed && state->prepared.passes()))
      visit(filters[i], *state);
  }
}

bool contains(const std::vector<uint32_t>& numbers, uint32_t number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

}  // namespace

bool RowVersions::can_follow(const DecisionContext& context) {
  BERTH_ASSERT(context.filters_resolved());
  bool can = true;
  for_each_filter(context, [&](const HookAt<host::Filter>& hook, const TemplateHook& state) {
    can &=
        !state.failed && hook.point->depends() == BERTH_DEPENDS_DECLARED && hook.overlay == kNoHook;
  });
  return can;
}

RowVersions::RowVersions(const model::Cluster& cluster, const DecisionContext& context)
    : cluster_(cluster),
      position_(cluster.log().end()),
      follows_(model::change::kPods | model::change::kNominated | model::change::kPodFacts) {
  follow_columns(context);
  shared_ = shared_stamp(context);
}

void RowVersions::follow_columns(const DecisionContext& context) {
  const model::Catalog& catalog = cluster_.catalog();
  for_each_filter(context, [&](const HookAt<host::Filter>& hook, const TemplateHook& state) {
    if (hook.bound.over_dictionary()) follows_ |= catalog.info(hook.bound.space()).changes;
    for (size_t i = 0; i < state.inputs.size(); ++i) {
      if (state.sources[i].column == nullptr) continue;
      const model::ColumnInfo& info = catalog.info(state.inputs[i]);
      if (info.table == model::Table::kNodes) follows_ |= info.changes;
      if (info.attribute == model::Attribute::kNodeCount) row_queries_.push_back(info.number);
      if (info.table == model::Table::kCounts) whole_queries_.push_back(info.number);
    }
  });
}

// Generations only grow, so the sum differs whenever one of them does.
uint64_t RowVersions::shared_stamp(const DecisionContext& context) const {
  uint64_t sum = cluster_.budgets().allowed().generation();
  for_each_filter(context, [&](const HookAt<host::Filter>& hook, const TemplateHook& state) {
    sum += hook.bound.shared_stamp(state);
  });
  return sum;
}

void RowVersions::follow(const DecisionContext& context) {
  const model::ChangeLog& log = cluster_.log();
  ++now_;
  resize(cluster_.nodes().rows());
  if (own_ < rows_.size()) change(own_);
  const uint64_t shared = shared_stamp(context);
  bool every_row = shared != shared_ || !log.holds(position_);
  for (uint64_t at = position_; !every_row && at < log.end(); ++at) every_row = !take(log.at(at));
  if (every_row) change_all();
  shared_ = shared;
  position_ = log.end();
  own_ = model::kNoRow;
  const model::PodRecord& pod = *context.pod;
  if (!pod.nominated) return;
  const model::Slot slot = cluster_.nodes().find(pod.nominated_node);
  if (slot == model::kNoSlot) return;
  own_ = cluster_.nodes().row_of(slot);
  if (own_ < rows_.size()) change(own_);
}

// False: every row changed.
bool RowVersions::take(const model::ChangeLog::Entry& entry) {
  switch (entry.table) {
    case model::Table::kNodes:
      if ((entry.changes & follows_) == 0) return true;
      if (entry.row == model::kEveryRow) return false;
      // Rows that are gone have an entry about every row behind this one.
      if (entry.row < rows_.size()) change(entry.row);
      return true;
    case model::Table::kCounts:
      return !contains(whole_queries_, entry.row) &&
             !((entry.changes & model::change::kDomains) != 0 && contains(row_queries_, entry.row));
    default:
      return true;  // a value of a shared column
  }
}

void RowVersions::resize(model::Row rows) {
  const auto before = static_cast<model::Row>(rows_.size());
  rows_.resize(rows, now_);
  blocks_.resize((rows + kBlock - 1) / kBlock, now_);
  if (before < rows) change(before);  // the block that was not full
}

void RowVersions::change(model::Row row) {
  rows_[row] = now_;
  blocks_[row / kBlock] = now_;
}

void RowVersions::change_all() {
  std::fill(rows_.begin(), rows_.end(), now_);
  std::fill(blocks_.begin(), blocks_.end(), now_);
}

}  // namespace berth::framework
