// A decision takes the kept totals if they are those of the rows that it searched.

#include <algorithm>
#include <bit>

#include "engine/base/assert.h"
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
    const uint64_t rows = open_.now().word(block) & within;
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
Extremes Totals::extremes_of(const KeptScore& kept, const SearchResult& found) const {
  Extremes all;
  found.for_each_block([&](uint32_t block, uint64_t within) {
    all.add(within == ~uint64_t{0}
                ? extremes_of_allowed(kept.blocks.data() + size_t{block} * stride_)
                : kept.raw.extremes(block, open_.now().word(block) & within));
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

// Finds how raw scores of the searched rows become final. Sets took_searched_ if some do so in
// another way than in the totals, which are made with the extremes of all feasible rows. False:
// those of some hook do not become final.
bool Totals::find_finals(const SearchResult& found) {
  took_searched_ = false;
  const bool all = found.took_all();
  for (KeptScore& hook : scores_.kept()) {
    const bool same = all || hook.in_totals.is_same || !hook.normalises();
    const Extremes of = same ? hook.in_totals.of : extremes_of(hook, found);
    if (of == hook.in_totals.of) {
      if (!hook.in_totals.fits) return false;
      continue;
    }
    if (of.minimum > of.maximum) return false;
    if (!took_searched_)
      for (KeptScore& other : scores_.kept()) other.in_searched = other.in_totals;
    took_searched_ = true;
    hook.in_searched = hook.finals(of);
    if (!hook.in_searched.fits) return false;
  }
  return true;
}

// Adds the scores of the blocks that have a searched row, with the extremes of the searched rows.
void Totals::add_searched(const SearchResult& found, SearchedTotals& searched) {
  if (searched.totals.size() < total_.size()) searched.totals.resize(total_.size());
  const size_t bests = open_.blocks() * best_.stride();
  if (searched.blocks.size() < bests) searched.blocks.resize(bests);
  added_.divide(scores_.kept(), &KeptScore::in_searched);
  for (const auto& [first, last] : found.pieces) {
    const model::Row begin = block_begin(first), end = block_end(last);
    added_.add_rows(begin, std::min(end, rows_), searched.totals.data());
    best_.find(searched.totals.data(), classes_.of_rows(), open_.bits(), begin / kBlock,
               end / kBlock, searched.blocks.data());
  }
}

bool Totals::take(host::CallContext& calls, const Verdicts& verdicts, SearchResult& found,
                  SearchedTotals& searched) {
  BERTH_ASSERT(built_);
  if (found.listed || !found.refuser.points_to(verdicts.refusers())) return false;
  if (scores_.partly()) return false;
  if (!follow(verdicts)) return false;
  allowed_ = classes_.allowed(classes_.knows_filters() ? open_.now().refused : 0);
  if (!add_parts(calls, found)) return false;
  if (!find_finals(found)) return false;
  if (took_searched_) add_searched(found, searched);
  const bool one = std::has_single_bit(allowed_);
  const auto first = static_cast<size_t>(one ? std::countr_zero(allowed_) : 0);
  found.ranked = {.totals = took_searched_ ? searched.totals.data() : total_.data(),
                  .classes = one ? nullptr : classes_.of_rows(),
                  .part = one ? parts_[first] : 0,
                  .parts = parts_.data(),
                  .allowed = one ? 1 : allowed_,
                  .stride = best_.stride(),
                  .blocks = (took_searched_ ? searched.blocks.data() : best_.blocks()) + first,
                  .groups = took_searched_ ? nullptr : best_.groups() + first,
                  .present = one ? nullptr : best_.present()};
  return true;
}

void Totals::describe(const KeptScore& hook, HookScores& out) const {
  const FinalScores& finals = took_searched_ ? hook.in_searched : hook.in_totals;
  out.hook = hook.index;
  out.kind = hook.kind();
  if (finals.is_same) {
    out.uniform = true;
    out.uniform_raw = hook.zero ? 0 : finals.of.minimum;
    out.uniform_final = finals.same;
    return;
  }
  if (hook.raw.zero() && !hook.normalises()) {
    out.uniform = true;  // of 0, both
    return;
  }
  out.raw_by_row = hook.raw.by_row();
  out.minimum = finals.of.minimum;
  out.maximum = finals.of.maximum;
}

std::vector<HookScores> Totals::scores() const {
  std::vector<HookScores> scores;
  for (const Called& called : called_) {
    HookScores& mine = scores.emplace_back();
    if (called.by_class) {
      class_scores_.describe(called.number, mine);
    } else {
      describe(scores_.kept()[called.number], mine);
    }
  }
  return scores;
}

// The raw scores of the rows whose scores are added, wide.
const int64_t* Totals::wide_in(ScoreSums& sums, const Called& called, const RawScores& raw) {
  if (raw.wide() != nullptr) return raw.wide();
  int64_t* const by_row = sums.room(called.index);
  for (auto [begin, end] : sums.ranges()) raw.write(begin, end, by_row + begin);
  return by_row;
}

std::string Totals::add_to(ScoreSums& sums) {
  BERTH_ASSERT(built_);
  for (const Called& called : called_) {
    const int64_t* raw = nullptr;
    if (called.by_class) {
      raw = class_scores_.by_row(called.number);
    } else if (!scores_.kept()[called.number].zero) {
      raw = wide_in(sums, called, scores_.kept()[called.number].raw);
    }
    if (std::string error = sums.add(called.index, raw); !error.empty()) return error;
  }
  return {};
}

}  // namespace berth::framework
