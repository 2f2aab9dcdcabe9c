#include "engine/framework/ranking/class_verdicts.h"

#include <bit>

namespace berth::framework {

void ClassVerdicts::add(size_t index, const FilterCalls& calls) {
  filters_.push_back({index, calls, classes_.add(calls.hook().bound, calls.state())});
}

// False: the filter failed.
bool ClassVerdicts::ask(const DecisionContext& cycle, Filter& filter, RowPart& part) {
  const auto& hook = filter.calls.hook();
  const uint64_t shared = hook.bound.shared_stamp(filter.calls.state());
  const uint64_t stamp = classes_.stamp(filter.number);
  const uint32_t ran = cycle.ran(hook);
  if (shared == filter.shared && stamp == filter.stamp && ran == filter.calls.ran()) return true;
  filter.shared = shared;
  filter.stamp = stamp;
  filter.calls.set_ran(ran);
  asked_ = true;
  classes_.columns(filter.number, part.columns);
  return filter.calls.gathered({filter.verdicts.data(), classes_.count()}, part);
}

void ClassVerdicts::combine() {
  refused_ = errors_ = 0;
  for (uint32_t i = 0; i < classes_.count(); ++i) {
    const auto one = static_cast<RowClass>(i);
    Verdict now;
    for (const Filter& filter : filters_) {
      if (filter.verdicts[one] == BERTH_SUCCESS) continue;
      now = {static_cast<Refuser>(filter.index + 1), filter.verdicts[one]};
      break;
    }
    changed_ |= uint64_t{i < known_ && now != verdicts_[one]} << i;
    refused_ |= uint64_t{now.refuser != kFeasible} << i;
    errors_ |= uint64_t{now.refuser != kFeasible && now.code == BERTH_ERROR} << i;
    verdicts_[one] = now;
  }
}

bool ClassVerdicts::any_error() const {
  for (uint64_t rest = errors_; rest != 0; rest &= rest - 1)
    if (classes_.rows_in(static_cast<RowClass>(std::countr_zero(rest))) != 0) return true;
  return false;
}

ClassVerdicts::Followed ClassVerdicts::follow(const DecisionContext& cycle,
                                              const RowChanges* changes, model::Row rows,
                                              std::vector<MovedRow>& moved, RowPart& part) {
  changed_ = 0;
  auto followed = RowClasses::Followed::kBuilt;
  if (changes != nullptr) {
    followed = classes_.follow(*changes, rows, moved);
  } else if (!classes_.build(rows)) {
    followed = RowClasses::Followed::kTooMany;
  }
  if (followed == RowClasses::Followed::kTooMany) return Followed::kTooMany;
  const bool built = followed == RowClasses::Followed::kBuilt;
  if (built) known_ = 0;
  asked_ = built;
  classes_.read_counts();
  for (Filter& filter : filters_)
    if (filter.calls.state().failed || !ask(cycle, filter, part)) return Followed::kFailed;
  if (asked_) combine();
  known_ = classes_.count();
  return built ? Followed::kBuilt : Followed::kMoved;
}

}  // namespace berth::framework
