#include "engine/framework/ranking/verdicts.h"

#include <algorithm>

namespace berth::framework {

Verdicts::Verdicts(const DecisionContext& cycle, const model::Cluster& cluster)
    : cluster_(cluster) {
  for_each_called(cycle, [&](size_t index, TemplateHook& state) {
    const auto& hook = cycle.profile->filter[index];
    filters_.push_back({index,
                        FilterCalls(hook, state, cycle.ran(hook)),
                        hook.bound.inputs_of_row(state),
                        0,
                        false,
                        {}});
  });
}

size_t Verdicts::bytes() const {
  size_t bytes = refuser_.capacity() + code_.capacity() + feasible_.capacity() * sizeof(uint64_t) +
                 flips_.capacity() * sizeof(model::Row);
  for (const Kept& kept : filters_) bytes += kept.verdicts.capacity() + kept.calls.bytes();
  return bytes;
}

void Verdicts::resize(model::Row rows) {
  rows_ = rows;
  const size_t padded = block_end(rows);
  refuser_.resize(padded);
  code_.resize(padded);
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

void Verdicts::combine(model::Row row) {
  for (const Kept& kept : filters_)
    if (const uint8_t verdict = kept.verdicts[row]; verdict != BERTH_SUCCESS)
      return set(row, static_cast<Refuser>(kept.index + 1), verdict);
  set(row, kFeasible, 0);
}

void Verdicts::combine_all(RowWork& work) {
  work.over_rows(0, rows_, [&](model::Row from, model::Row to, RowPart&) {
    std::fill(refuser_.begin() + from, refuser_.begin() + to, kFeasible);
    std::fill(code_.begin() + from, code_.begin() + to, uint8_t{0});
    for (const Kept& kept : filters_)
      refuse(kept.verdicts.data() + from, static_cast<Refuser>(kept.index + 1),
             refuser_.data() + from, code_.data() + from, to - from);
  });
  feasible_rows_ = mark_feasible(refuser_.data(), rows_, feasible_.data());
  errors_ = 0;
  if (any_error(refuser_.data(), code_.data(), rows_))
    errors_ = static_cast<uint32_t>(
        std::count(code_.begin(), code_.begin() + rows_, uint8_t{BERTH_ERROR}));
  ++epoch_;
  flips_.clear();
  combined_ = true;
}

bool Verdicts::rebuild(const DecisionContext& cycle, RowWork& work) {
  built_ = false;
  resize(cluster_.nodes().rows());
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

bool Verdicts::catch_up(const DecisionContext& cycle, RowWork& work, RowChanges& changes,
                        bool few) {
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
  if (rows != rows_) resize(rows);  // the changes list the new rows
  constexpr size_t kMostFlips = 1024;
  if (flips_.size() > kMostFlips) {
    flips_.clear();
    ++epoch_;
  }
  changed_.clear();
  bool postponed = false;
  for (Kept& kept : filters_) {
    const auto& hook = kept.calls.hook();
    const TemplateHook& state = kept.calls.state();
    const uint64_t shared = hook.bound.shared_stamp(state);
    const uint32_t ran = cycle.ran(hook);
    asked_.clear();
    const bool by_row = changes.concern(kept.inputs, state.lagging, asked_);
    const bool changed = shared == 0 || shared != kept.shared || ran != kept.calls.ran() || !by_row;
    const bool all = changed || kept.stale || many(asked_.size(), rows);
    kept.calls.set_ran(ran);
    kept.shared = shared;
    kept.stale = changed && few;
    postponed |= kept.stale;
    combined_ &= !all;
    if (kept.stale) continue;
    built_ = all ? ask_all(kept, work) : asked_.empty() || ask_rows(kept, work, asked_);
    if (!built_) return false;
    changed_.insert(changed_.end(), asked_.begin(), asked_.end());
  }
  if (postponed) return false;
  if (combined_) {
    for (const model::Row row : changed_) combine(row);
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
