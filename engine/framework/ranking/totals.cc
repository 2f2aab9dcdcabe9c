#include "engine/framework/ranking/totals.h"

#include <algorithm>

#include "engine/framework/evaluation/evaluator.h"

namespace berth::framework {
namespace {

bool in_range(int64_t raw) { return raw >= 0 && raw <= kHighestScore; }

bool scored(const Extremes& of) { return of.minimum <= of.maximum && !of.unscored; }
bool uniform(const Extremes& of) { return of.minimum == of.maximum; }
bool equal(const Extremes& a, const Extremes& b) {
  return a.minimum == b.minimum && a.maximum == b.maximum && a.unscored == b.unscored;
}

void add(const Extremes& more, Extremes& all) {
  all.minimum = std::min(all.minimum, more.minimum);
  all.maximum = std::max(all.maximum, more.maximum);
  all.unscored |= more.unscored;
}

}  // namespace

Totals::Totals(const DecisionContext& cycle, const model::Cluster& cluster) : cluster_(cluster) {
  for_each_called(cycle, [&](size_t index, TemplateHook& state) {
    const auto& hook = cycle.profile->score[index];
    Kept& kept = hooks_.emplace_back();
    kept.index = index;
    kept.calls = ScoreCalls(hook, state, cycle.ran(hook));
    kept.zero = state.prepared.passes();
    kept.inputs = kept.zero ? 0 : hook.bound.inputs_of_row(state);
    kept.odd = hook.point->normalise() == BERTH_NORMALISE_OWN;
    if (kept.zero) kept.all = {.minimum = 0, .maximum = 0};
  });
}

size_t Totals::bytes() const {
  size_t bytes = total_.capacity() * sizeof(int64_t) +
                 (best_.capacity() + groups_.capacity()) * sizeof(BlockBest) +
                 feasible_.capacity() * sizeof(uint64_t) + final_.capacity() * sizeof(int64_t);
  for (const Kept& kept : hooks_)
    bytes += kept.raw.capacity() * sizeof(int64_t) + kept.blocks.capacity() * sizeof(Extremes) +
             kept.calls.bytes();
  return bytes;
}

void Totals::resize(model::Row rows) {
  rows_ = rows;
  const size_t padded = block_end(rows), blocks = padded / kBlock;
  total_.resize(padded, kRefusedTotal);
  best_.resize(blocks, {kRefusedTotal, 0});
  groups_.resize((blocks + kTotalGroup - 1) / kTotalGroup, {kRefusedTotal, 0});
  feasible_.resize(blocks);
  block_is_touched_.resize(blocks);
  for (Kept& kept : hooks_) {
    if (kept.zero) continue;
    kept.raw.resize(padded);
    if (kept.normalises()) kept.blocks.resize(blocks);
  }
}

void Totals::touch(model::Row row) {
  touched_.push_back(row);
  const uint32_t block = row / kBlock;
  if (block_is_touched_[block]) return;
  block_is_touched_[block] = true;
  touched_blocks_.push_back(block);
}

bool Totals::ask_rows(Kept& kept, RowWork& work) {
  answers_.resize(asked_.size());
  if (!kept.calls.single(asked_, answers_.data(), work.mine())) return false;
  for (size_t i = 0; i < asked_.size(); ++i) {
    kept.raw[asked_[i]] = answers_[i];
    kept.odd |= !kept.normalises() && !in_range(answers_[i]);
    touch(asked_[i]);
  }
  kept.asked = true;
  return true;
}

// Asks for the raw scores that may have changed. False: the hook failed. `searched`: the only rows
// to ask about if all are stale; null: no such limit.
bool Totals::ask(const DecisionContext& cycle, Kept& kept, const SearchResult* searched,
                 RowWork& work, const RowChanges& changes, bool rebuilds, bool far) {
  if (kept.zero) return true;
  const auto& hook = kept.calls.hook();
  const TemplateHook& state = kept.calls.state();
  const bool follows = hook.point->depends() == BERTH_DEPENDS_FEASIBLE;
  const uint64_t shared = follows && hook.before == kNoHook ? 0 : hook.bound.shared_stamp(state);
  const uint64_t version = follows && shared != 0 ? cycle.pre_score_versions[hook.before] : 0;
  const uint32_t ran = cycle.ran(hook);
  asked_.clear();
  const bool by_row = !rebuilds && changes.concern(kept.inputs, state.lagging, asked_);
  const bool changed = !by_row || shared == 0 || shared != kept.shared || version != kept.version ||
                       ran != kept.calls.ran();
  const bool all = changed || kept.partly || many(asked_.size(), rows_);
  kept.shared = shared;
  kept.version = version;
  kept.calls.set_ran(ran);
  if (!all) return asked_.empty() || ask_rows(kept, work);

  kept.partly = searched != nullptr && (rebuilds ? far : changed);
  kept.asked = kept.asked_all = true;
  if (!kept.calls.begin(work.mine())) return false;
  if (!kept.partly) {
    if (!kept.calls.rows(0, rows_, kept.raw.data(), work)) return false;
    if (!kept.normalises()) kept.odd = !all_in_range(kept.raw.data(), rows_);
    return true;
  }
  for (auto [begin, end] : searched->pieces)
    if (!kept.calls.rows(block_begin(begin), std::min(block_end(end), rows_), kept.raw.data(),
                         work))
      return false;
  return true;
}

std::string Totals::ask(const DecisionContext& cycle, const SearchResult& found, bool few,
                        RowWork& work, RowChanges& changes) {
  const uint64_t before = position_;
  position_ = cluster_.log().end();
  const model::Row rows = cluster_.nodes().rows();
  // Totals that were not used for long are asked about the searched rows alone. If they are used
  // again soon, they are asked about all rows.
  const bool far = RowChanges::far(cluster_.log(), before, rows);
  const bool rebuilds = !built_ || !changes.read(cluster_.log(), before, rows);
  if (rebuilds || rows != rows_) resize(rows);
  built_ = false;
  work.clear_errors();
  totals_stand_ &= !rebuilds;
  for (Kept& kept : hooks_)
    if (!ask(cycle, kept, few ? &found : nullptr, work, changes, rebuilds, far))
      return score_error(kept.calls.hook().point->plugin(), work.error());
  built_ = true;
  // While nobody follows, rows are touched without end.
  if (touched_.size() > rows_) forget_touched();
  return {};
}

// Gives up the list of touched rows: all rows count as touched.
void Totals::forget_touched() {
  for (const uint32_t block : touched_blocks_) block_is_touched_[block] = false;
  touched_.clear();
  touched_blocks_.clear();
  for (Kept& kept : hooks_) kept.asked = kept.asked_all = true;
}

// Notes the rows that became feasible or refused.
void Totals::take_flips(const Verdicts& verdicts) {
  const RowBits& now = verdicts.feasible();
  if (epoch_ != verdicts.epoch()) {
    for (uint32_t block = 0; block < now.size(); ++block) {
      for (uint64_t differ = now[block] ^ feasible_[block]; differ != 0; differ &= differ - 1)
        touch(block * kBlock + static_cast<model::Row>(std::countr_zero(differ)));
      feasible_[block] = now[block];
    }
    epoch_ = verdicts.epoch();
  } else {
    for (; flips_ < verdicts.flips().size(); ++flips_) {
      const model::Row row = verdicts.flips()[flips_];
      if (bit(now, row) == bit(feasible_, row)) continue;
      feasible_[row / kBlock] ^= uint64_t{1} << row % kBlock;
      touch(row);
    }
  }
  flips_ = verdicts.flips().size();
}

void Totals::follow(const Verdicts& verdicts) {
  const size_t asked = touched_.size();
  take_flips(verdicts);
  const bool flipped = touched_.size() != asked;
  for (Kept& kept : hooks_) {
    follow_extremes(kept, flipped);
    totals_stand_ &= !kept.asked_all;
    kept.asked = kept.asked_all = false;
  }
  follow_totals(verdicts);
  for (const uint32_t block : touched_blocks_) block_is_touched_[block] = false;
  touched_.clear();
  touched_blocks_.clear();
}

Extremes Totals::extremes_of_block(const Kept& kept, uint32_t block, uint64_t within) const {
  Extremes found;
  const int64_t* raw = kept.raw.data() + size_t{block} * kBlock;
  const uint64_t rows = feasible_[block] & within;
  if (rows == ~uint64_t{0}) {
    extremes_of_all(raw, kBlock, found);
    if (!found.unscored) return found;
    found = {};
  }
  for (uint64_t left = rows; left != 0; left &= left - 1) {
    const int64_t score = raw[std::countr_zero(left)];
    if (score == BERTH_NOT_SCORED) {
      found.unscored = true;
      continue;
    }
    found.minimum = std::min(found.minimum, score);
    found.maximum = std::max(found.maximum, score);
  }
  return found;
}

void Totals::follow_extremes(Kept& kept, bool flipped) {
  if (kept.zero || !kept.normalises() || !(kept.asked || flipped)) return;
  if (kept.asked_all) {
    for (uint32_t block = 0; block < kept.blocks.size(); ++block)
      kept.blocks[block] = extremes_of_block(kept, block, ~uint64_t{0});
  } else {
    for (const uint32_t block : touched_blocks_)
      kept.blocks[block] = extremes_of_block(kept, block, ~uint64_t{0});
  }
  kept.all = {};
  for (const Extremes& block : kept.blocks) add(block, kept.all);
}

// Makes the totals those of the raw scores and extremes, if there are totals for all hooks.
void Totals::follow_totals(const Verdicts& verdicts) {
  for (const Kept& kept : hooks_) {
    const bool has = !kept.odd && (!kept.normalises() || scored(kept.all));
    if (!has) {
      totals_stand_ = false;
      return;
    }
    totals_stand_ &= !kept.normalises() || equal(kept.all, kept.used);
  }
  if (!totals_stand_ || many(touched_.size(), rows_)) return add_all(verdicts);
  for (const model::Row row : touched_) {
    int64_t total = kRefusedTotal;
    if (bit(feasible_, row)) {
      total = 0;
      for (const Kept& kept : hooks_)
        total += kept.weight() * (kept.zero ? normalised(kept.kind(), 0, 0, 0) : kept.final(row));
    }
    total_[row] = total;
  }
  for (const uint32_t block : touched_blocks_) follow_best(block);
  for (const uint32_t block : touched_blocks_) follow_group(block / kTotalGroup);
}

void Totals::add_all(const Verdicts& verdicts) {
  begin_totals(verdicts.refusers(), total_.data(), rows_);
  for (Kept& kept : hooks_) {
    kept.used = kept.all;
    if (kept.zero) {
      add_constant(kept.weight() * normalised(kept.kind(), 0, 0, 0), total_.data(), rows_);
    } else if (!kept.normalises()) {
      static_cast<void>(add_raw(kept.raw.data(), kept.weight(), total_.data(), rows_));  // in range
    } else if (uniform(kept.all)) {
      const int64_t same = kept.all.minimum;
      add_constant(kept.weight() * normalised(kept.kind(), same, same, same), total_.data(), rows_);
    } else {
      final_.resize(block_end(rows_));
      add_normalised(kept.kind(), kept.raw.data(), kept.all, kept.weight(), final_.data(),
                     total_.data(), rows_);
    }
  }
  for (uint32_t block = 0; block < best_.size(); ++block) follow_best(block);
  for (uint32_t group = 0; group < groups_.size(); ++group) follow_group(group);
  totals_stand_ = true;
}

void Totals::follow_best(uint32_t block) {
  const int64_t* total = total_.data() + size_t{block} * kBlock;
  const size_t count = std::min<size_t>(kBlock, rows_ - size_t{block} * kBlock);
  BlockBest& best = best_[block];
  highest_of_blocks(total, count, &best.total);
  best.rows = static_cast<uint32_t>(count_equal(total, best.total, count));
}

void Totals::follow_group(uint32_t group) {
  BlockBest& best = groups_[group];
  best = {INT64_MIN, 0};
  const size_t end = std::min(best_.size(), (size_t{group} + 1) * kTotalGroup);
  for (size_t block = size_t{group} * kTotalGroup; block < end; ++block) {
    if (best_[block].total > best.total) best = {best_[block].total, 0};
    if (best_[block].total == best.total) best.rows += best_[block].rows;
  }
}

// The extremes of the searched rows.
Extremes Totals::extremes_of(const Kept& kept, const SearchResult& found) const {
  Extremes all;
  for (auto [begin, end] : found.pieces) {
    for (model::Row row = begin; row < end;) {
      const uint32_t block = row / kBlock;
      const model::Row next = std::min(end, (block + 1) * kBlock);
      if (next - row == kBlock) {
        add(kept.blocks[block], all);
      } else {
        const uint64_t below = next % kBlock == 0 ? ~uint64_t{0} : ~(~uint64_t{0} << next % kBlock);
        add(extremes_of_block(kept, block, below & ~uint64_t{0} << row % kBlock), all);
      }
      row = next;
    }
  }
  return all;
}

bool Totals::take(const DecisionContext& cycle, host::CallContext& calls, const Verdicts& verdicts,
                  SearchResult& found, std::vector<HookScores>& scores) {
  if (found.listed || found.refuser != verdicts.refusers()) return false;
  if (std::ranges::any_of(hooks_, &Kept::partly)) return false;
  follow(verdicts);
  if (!totals_stand_) return false;
  const bool whole = found.took_all();
  scores.clear();
  for (const Kept& kept : hooks_) {
    HookScores& mine = scores.emplace_back();
    mine.hook = kept.index;
    mine.kind = kept.kind();
    if (kept.zero || (kept.normalises() && uniform(kept.used))) {
      mine.uniform = true;
      mine.uniform_raw = kept.zero ? 0 : kept.used.minimum;
      mine.uniform_final =
          normalised(mine.kind, mine.uniform_raw, mine.uniform_raw, mine.uniform_raw);
    } else {
      mine.raw_by_row = kept.raw.data();
      if (!kept.normalises()) mine.final_by_row = kept.raw.data();
      if (kept.normalises() && !whole && !equal(extremes_of(kept, found), kept.used)) return false;
      mine.minimum = kept.used.minimum;
      mine.maximum = kept.used.maximum;
    }
    if (kept.zero || !kept.normalises()) continue;
    const auto& hook = cycle.profile->score[kept.index];
    if (hook.point->check_extremes(calls, {}, kept.used.minimum, kept.used.maximum)) return false;
  }
  found.total = total_.data();
  found.best_of_blocks = best_.data();
  found.best_of_groups = groups_.data();
  return true;
}

std::string Totals::add_to(ScoreSums& sums) const {
  for (const Kept& kept : hooks_)
    if (std::string error = sums.add(kept.index, kept.zero ? nullptr : kept.raw.data());
        !error.empty())
      return error;
  return {};
}

}  // namespace berth::framework
