#include "engine/framework/ranking/verdicts.h"

#include <algorithm>

namespace berth::framework {

Verdicts::Verdicts(const DecisionContext& cycle, const model::Cluster& cluster)
    : cluster_(cluster), class_verdicts_(cluster) {
  for_each_called(cycle, [&](size_t index, TemplateHook& state) {
    called_.push_back({index, &cycle.profile->filter[index], &state});
  });
  assign(true);
}

// Divides the filters into those that are asked by row and, if `by_class`, those by class.
void Verdicts::assign(bool by_class) {
  filters_.clear();
  class_verdicts_ = ClassVerdicts(cluster_);
  for (const auto& [index, hook, state] : called_) {
    const FilterCalls calls(*hook, *state, 0);
    if (by_class && !state->failed && RowClasses::suits(hook->bound, *state, cluster_.catalog())) {
      class_verdicts_.add(index, calls);
    } else {
      filters_.push_back({index, calls, hook->bound.inputs_of_row(*state), 0, false, {}});
    }
  }
}

void Verdicts::refresh() const {
  for (const Kept& kept : filters_) kept.calls.hook().bound.refresh(kept.calls.state());
  class_verdicts_.refresh();
}

size_t Verdicts::bytes() const {
  size_t bytes = refuser_.capacity() + code_.capacity() + own_refuser_.capacity() +
                 own_code_.capacity() + feasible_.capacity() * sizeof(uint64_t) +
                 flips_.capacity() * sizeof(model::Row) + class_verdicts_.bytes();
  for (const Kept& kept : filters_) bytes += kept.verdicts.capacity() + kept.calls.bytes();
  return bytes;
}

void Verdicts::resize(model::Row rows) {
  rows_ = rows;
  const size_t padded = block_end(rows);
  refuser_.resize(padded);
  code_.resize(padded);
  // A row that comes later at the place of one that is gone has no verdict yet.
  std::fill(refuser_.begin() + rows, refuser_.end(), kFeasible);
  std::fill(code_.begin() + rows, code_.end(), uint8_t{0});
  if (by_class()) {
    own_refuser_.resize(padded);
    own_code_.resize(padded);
  }
  feasible_.resize(padded / kBlock);
  for (Kept& kept : filters_) kept.verdicts.resize(padded);
}

bool Verdicts::ask_all(Kept& kept, RowWork& work) {
  work.clear_errors();
  if (!kept.calls.begin(work.mine())) return false;
  return kept.calls.rows(0, rows_, kept.verdicts.data(), work);
}

bool Verdicts::ask_rows(Kept& kept, RowWork& work, std::span<const model::Row> rows) {
  answers_.resize(rows.size());
  if (!kept.calls.single(rows, answers_.data(), work.mine())) return false;
  for (size_t i = 0; i < rows.size(); ++i) kept.verdicts[rows[i]] = answers_[i];
  return true;
}

void Verdicts::set(model::Row row, Refuser refuser, uint8_t code) {
  const bool was = bit(feasible_, row), is = refuser == kFeasible;
  if (refuser_[row] != kFeasible && code_[row] == BERTH_ERROR) --errors_;
  if (!is && code == BERTH_ERROR) ++errors_;
  refuser_[row] = refuser;
  code_[row] = code;
  if (was == is) return;
  feasible_[row / kBlock] ^= uint64_t{1} << row % kBlock;
  feasible_rows_ += is ? 1u : UINT32_MAX;
  flips_.push_back(row);
}

// Makes one verdict of the row's own and that of its class.
void Verdicts::settle(model::Row row) {
  const ClassVerdicts::Verdict& of_class = class_verdicts_.at(row);
  const Refuser own = own_refuser_[row];
  const bool by_class =
      of_class.refuser != kFeasible && (own == kFeasible || of_class.refuser < own);
  set(row, by_class ? of_class.refuser : own, by_class ? of_class.code : own_code_[row]);
}

// Makes one verdict of those of all filters.
void Verdicts::combine(model::Row row) {
  Refuser refuser = kFeasible;
  uint8_t code = 0;
  for (const Kept& kept : filters_) {
    if (kept.verdicts[row] == BERTH_SUCCESS) continue;
    refuser = static_cast<Refuser>(kept.index + 1);
    code = kept.verdicts[row];
    break;
  }
  if (!by_class()) return set(row, refuser, code);
  own_refuser_[row] = refuser;
  own_code_[row] = code;
  settle(row);
}

void Verdicts::combine_all(RowWork& work) {
  uint8_t* refusers = by_class() ? own_refuser_.data() : refuser_.data();
  uint8_t* codes = by_class() ? own_code_.data() : code_.data();
  const RowClasses& classes = class_verdicts_.classes();
  work.over_rows(0, rows_, [&](model::Row from, model::Row to, RowPart&) {
    std::fill(refusers + from, refusers + to, kFeasible);
    std::fill(codes + from, codes + to, uint8_t{0});
    for (const Kept& kept : filters_)
      refuse(kept.verdicts.data() + from, static_cast<Refuser>(kept.index + 1), refusers + from,
             codes + from, to - from);
    if (!by_class()) return;
    std::copy(refusers + from, refusers + to, refuser_.begin() + from);
    std::copy(codes + from, codes + to, code_.begin() + from);
    for (uint32_t i = 0; i < classes.count(); ++i) {
      const auto& verdict = class_verdicts_.of(static_cast<RowClass>(i));
      if (verdict.refuser != kFeasible)
        settle_class(classes.of_rows() + from, static_cast<RowClass>(i), verdict.refuser,
                     verdict.code, refusers + from, codes + from, refuser_.data() + from,
                     code_.data() + from, to - from);
    }
  });
  count_all();
  combined_ = true;
}

// To be called when many verdicts changed.
void Verdicts::count_all() {
  feasible_rows_ = mark_feasible(refuser_.data(), rows_, feasible_.data());
  errors_ = 0;
  if (any_error(refuser_.data(), code_.data(), rows_))
    errors_ = static_cast<uint32_t>(
        std::count(code_.begin(), code_.begin() + rows_, uint8_t{BERTH_ERROR}));
  ++epoch_;
  flips_.clear();
}

// Takes over the verdicts of classes and rows that changed.
void Verdicts::combine_changed() {
  const RowClasses& classes = class_verdicts_.classes();
  for (const RowClass one : class_verdicts_.changed()) {
    const auto& verdict = class_verdicts_.of(one);
    settle_class(classes.of_rows(), one, verdict.refuser, verdict.code, own_refuser_.data(),
                 own_code_.data(), refuser_.data(), code_.data(), rows_);
  }
  if (!class_verdicts_.changed().empty()) count_all();
  for (const model::Row row : changed_) combine(row);
  for (const model::Row row : moved_) settle(row);
}

// False: a filter failed. Asks by row from now on if there are too many classes.
bool Verdicts::follow_classes(const DecisionContext& cycle, RowWork& work,
                              const RowChanges* changes) {
  moved_.clear();
  if (!by_class()) return true;
  using Followed = ClassVerdicts::Followed;
  const Followed followed = class_verdicts_.follow(cycle, changes, rows_, moved_, work.mine());
  if (followed == Followed::kMoved) return true;
  combined_ = false;
  if (followed != Followed::kTooMany) return followed == Followed::kBuilt;
  assign(false);
  refresh();
  resize(rows_);
  for (Kept& kept : filters_) kept.stale = true;
  return true;
}

bool Verdicts::rebuild(const DecisionContext& cycle, RowWork& work) {
  built_ = false;
  resize(cluster_.nodes().rows());
  if (!follow_classes(cycle, work, nullptr)) return false;
  for (Kept& kept : filters_) {
    if (kept.calls.state().failed) return false;
    const auto& hook = kept.calls.hook();
    kept.calls.set_ran(cycle.ran(hook));
    kept.shared = hook.bound.shared_stamp(kept.calls.state());
    kept.stale = false;
    if (!ask_all(kept, work)) return false;
  }
  combine_all(work);
  built_ = true;
  return errors_ == 0;
}

void Verdicts::end_overlays() {
  for (size_t i = overlaid_.size(); i-- > 0;)
    set(overlaid_[i].row, overlaid_[i].refuser, overlaid_[i].code);
  overlaid_.clear();
}

void Verdicts::overlay(model::Row row, const RowVerdict& verdict) {
  overlaid_.push_back({row, refuser_[row], code_[row]});
  set(row, verdict.refuser, verdict.code);
}

// Asks the filters by row. False: one failed.
bool Verdicts::follow_rows(const DecisionContext& cycle, RowWork& work, const RowChanges& changes,
                           bool few) {
  for (Kept& kept : filters_) {
    const auto& hook = kept.calls.hook();
    const TemplateHook& state = kept.calls.state();
    const uint64_t shared = hook.bound.shared_stamp(state);
    const uint32_t ran = cycle.ran(hook);
    asked_.clear();
    const bool by_row = changes.concern(kept.inputs, state.lagging, asked_);
    const bool changed = shared == 0 || shared != kept.shared || ran != kept.calls.ran() || !by_row;
    const bool all = changed || kept.stale || many(asked_.size(), rows_);
    kept.calls.set_ran(ran);
    kept.shared = shared;
    kept.stale = changed && few;
    postponed_ |= kept.stale;
    combined_ &= !all;
    if (kept.stale) continue;
    if (all ? !ask_all(kept, work) : !asked_.empty() && !ask_rows(kept, work, asked_)) return false;
    changed_.insert(changed_.end(), asked_.begin(), asked_.end());
  }
  return true;
}

bool Verdicts::catch_up(const DecisionContext& cycle, RowWork& work, RowChanges& changes,
                        bool few) {
  refresh();
  const uint64_t before = position_;
  position_ = cluster_.log().end();
  const model::Row rows = cluster_.nodes().rows();
  // Rows that are overlaid may be gone, too; a rebuild forgets them.
  if (!built_ || !changes.read(cluster_.log(), before, rows)) {
    overlaid_.clear();
    built_ = false;
    // Verdicts that were not used for long are made only if they are used again soon.
    if (few && RowChanges::far(cluster_.log(), before, rows)) return false;
    return rebuild(cycle, work);
  }
  end_overlays();
  changed_.clear();
  // No filter may be asked by row; new rows count nevertheless.
  for (model::Row row = rows_; row < rows; ++row) changed_.push_back(row);
  if (rows != rows_) resize(rows);
  constexpr size_t kMostFlips = 1024;
  if (flips_.size() > kMostFlips) {
    flips_.clear();
    ++epoch_;
  }
  postponed_ = false;
  built_ = follow_classes(cycle, work, &changes) && follow_rows(cycle, work, changes, few);
  if (!built_ || postponed_) return false;
  if (combined_) {
    combine_changed();
  } else {
    combine_all(work);
  }
  return errors_ == 0;
}

model::Row Verdicts::stop(model::Row begin, model::Row end, uint32_t& wanted) const {
  for (model::Row row = begin; row < end;) {
    uint64_t word = feasible_[row / kBlock] & ~uint64_t{0} << row % kBlock;
    const model::Row next = row / kBlock * kBlock + kBlock;
    if (next > end) word &= ~(~uint64_t{0} << end % kBlock);
    const auto count = static_cast<uint32_t>(std::popcount(word));
    if (count > wanted) {
      for (; wanted != 0; --wanted) word &= word - 1;
      return row / kBlock * kBlock + static_cast<model::Row>(std::countr_zero(word));
    }
    wanted -= count;
    row = next;
  }
  return end;
}

void Verdicts::search(const Search& search, SearchResult& found) {
  found.refuser = refuser_.data();
  found.code = code_.data();
  found.feasible_bits = feasible_.data();
  uint32_t wanted = search.wanted;
  model::Row end = rows_, wrapped = search.start;
  if (feasible_rows_ > wanted) {
    end = stop(search.start, rows_, wanted);
    wrapped = end < rows_ ? 0 : stop(0, search.start, wanted);
  }
  if (end != search.start) found.pieces.emplace_back(search.start, end);
  if (wrapped != 0) found.pieces.emplace_back(0, wrapped);
  found.feasible = std::min(feasible_rows_, search.wanted);
  found.refused = end - search.start + wrapped - found.feasible;
}

}  // namespace berth::framework
