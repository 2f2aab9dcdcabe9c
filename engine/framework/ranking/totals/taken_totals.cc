// A decision takes the kept totals if they are those of the rows that it searched.

#include <algorithm>
#include <bit>

#include "engine/framework/ranking/totals/totals.h"

namespace berth::framework {

// A bit for each class that has a feasible row among the searched ones.
uint64_t Totals::present_classes(const SearchResult& found) const {
  const RowClass* const of_rows = classes_.of_rows();
  uint64_t present = 0;
  if (found.took_all()) {
    for (size_t group = 0; group < best_.group_count(); ++group)
      for (uint64_t rest = allowed_ & ~present; rest != 0; rest &= rest - 1) {
        const auto of = static_cast<size_t>(std::countr_zero(rest));
        present |= uint64_t{best_.groups()[group * best_.stride() + of].rows != 0} << of;
      }
    return present;
  }
  found.for_each_block([&](uint32_t block, uint64_t within) {
    if (within == ~uint64_t{0}) present |= best_.present()[block] & allowed_;
  });
  found.for_each_block([&](uint32_t block, uint64_t within) {
    if (within == ~uint64_t{0}) return;
    const uint64_t rows = now_.word(block) & within;
    for (uint64_t rest = best_.present()[block] & allowed_ & ~present; rest != 0;
         rest &= rest - 1) {
      const auto of = static_cast<RowClass>(std::countr_zero(rest));
      const uint64_t mine = rows & equal_bits(of_rows + size_t{block} * kBlock, of);
      present |= uint64_t{mine != 0} << of;
    }
  });
  return present;
}

// The extremes of the searched rows.
Extremes Totals::extremes_of(const Kept& kept, const SearchResult& found) const {
  Extremes all;
  found.for_each_block([&](uint32_t block, uint64_t within) {
    all.add(within == ~uint64_t{0}
                ? extremes_of_allowed(kept.blocks.data() + size_t{block} * stride_)
                : extremes_of_block(kept, block, now_.word(block) & within));
  });
  return all;
}

// Works out the parts of totals that rows of a class share. False: a score cannot be normalised.
bool Totals::add_parts(host::CallContext& calls, const SearchResult& found) {
  if (!by_class()) return true;
  uint64_t scored = 0;
  for (uint64_t rest = present_classes(found); rest != 0; rest &= rest - 1)
    scored |= uint64_t{1} << classes_.score_class(static_cast<RowClass>(std::countr_zero(rest)));
  if (!class_scores_.finish(calls, scored)) return false;
  for (uint64_t rest = allowed_; rest != 0; rest &= rest - 1) {
    const auto of = static_cast<RowClass>(std::countr_zero(rest));
    parts_[of] = class_scores_.parts()[classes_.score_class(of)];
  }
  return true;
}

// True if the totals, which are made with the extremes of all feasible rows, are those of the
// searched rows, too.
bool Totals::hold_for(const SearchResult& found) const {
  const bool all = found.took_all();
  for (const Kept& kept : hooks_) {
    if (!kept.fits) return false;
    if (all || kept.is_same || !kept.normalises()) continue;
    if (extremes_of(kept, found) != kept.used) return false;
  }
  return true;
}

bool Totals::take(host::CallContext& calls, const Verdicts& verdicts, SearchResult& found) {
  if (found.listed || !found.refuser.points_to(verdicts.refusers())) return false;
  if (std::ranges::any_of(hooks_, &Kept::partly)) return false;
  if (!follow(verdicts)) return false;
  allowed_ = classes_.allowed(classes_.knows_filters() ? now_.refused : 0);
  if (!add_parts(calls, found) || !hold_for(found)) return false;
  found.ranked = {.totals = total_.data(),
                  .classes = classes_.of_rows(),
                  .parts = parts_.data(),
                  .allowed = allowed_,
                  .stride = best_.stride(),
                  .blocks = best_.blocks(),
                  .groups = best_.groups(),
                  .present = best_.present()};
  return true;
}

void Totals::describe(const Kept& kept, HookScores& out) {
  out.hook = kept.index;
  out.kind = kept.kind();
  if (kept.is_same) {
    out.uniform = true;
    out.uniform_raw = kept.zero ? 0 : kept.used.minimum;
    out.uniform_final = kept.same;
    return;
  }
  if (kept.raw.zero() && !kept.normalises()) {
    out.uniform = true;  // of 0, both
    return;
  }
  out.bytes_by_row = kept.raw.narrow();
  out.raw_by_row = kept.raw.wide();
  if (!kept.normalises()) out.final_by_row = kept.raw.wide();
  out.minimum = kept.used.minimum;
  out.maximum = kept.used.maximum;
}

std::vector<HookScores> Totals::scores() const {
  std::vector<HookScores> scores;
  for (const Called& called : called_) {
    HookScores& mine = scores.emplace_back();
    if (called.by_class) {
      class_scores_.describe(called.number, mine);
    } else {
      describe(hooks_[called.number], mine);
    }
  }
  return scores;
}

// The raw scores of the rows whose scores are added, wide.
const int64_t* Totals::wide_in(ScoreSums& sums, const Called& called, const RawScores& raw) {
  if (raw.wide() != nullptr) return raw.wide();
  int64_t* const by_row = sums.room(called.index);
  for (auto [begin, end] : sums.ranges()) raw.write(begin, end, by_row);
  return by_row;
}

std::string Totals::add_to(ScoreSums& sums) {
  for (const Called& called : called_) {
    const int64_t* raw = nullptr;
    if (called.by_class) {
      raw = class_scores_.by_row(called.number);
    } else if (!hooks_[called.number].zero) {
      raw = wide_in(sums, called, hooks_[called.number].raw);
    }
    if (std::string error = sums.add(called.index, raw); !error.empty()) return error;
  }
  return {};
}

}  // namespace berth::framework
