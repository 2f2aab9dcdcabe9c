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

void Totals::Kept::use(const Extremes& of) {
  used = of;
  is_same = zero || (normalises() && uniform(of));
  const int64_t raw_of_all = zero ? 0 : of.minimum;
  if (is_same) same = normalised(kind(), raw_of_all, raw_of_all, raw_of_all);
}

Totals::Totals(const DecisionContext& cycle, const model::Cluster& cluster)
    : cluster_(cluster), class_scores_(cluster) {
  for_each_called(cycle, [&](size_t index, TemplateHook& state) {
    called_.push_back({index, &cycle.profile->score[index], &state, false, 0});
  });
  assign(true);
}

// Divides the scores into those that are asked by row and, if `by_class`, those by class.
void Totals::assign(bool by_class) {
  hooks_.clear();
  class_scores_ = ClassScores(cluster_);
  for (Called& called : called_) {
    const ScoreCalls calls(*called.hook, *called.state, 0);
    const bool zero = called.state->prepared.passes();
    called.by_class =
        by_class && !zero && ClassScores::suits(*called.hook, *called.state, cluster_.catalog());
    if (called.by_class) {
      called.number = class_scores_.add(called.index, calls);
      continue;
    }
    called.number = hooks_.size();
    Kept& kept = hooks_.emplace_back();
    kept.index = called.index;
    kept.calls = calls;
    kept.zero = zero;
    kept.inputs = zero ? 0 : called.hook->bound.inputs_of_row(*called.state);
    kept.odd = kept.kind() == BERTH_NORMALISE_OWN;
    if (zero) kept.all = {.minimum = 0, .maximum = 0};
  }
}

void Totals::refresh() const {
  for (const Kept& kept : hooks_)
    if (!kept.zero) kept.calls.hook().bound.refresh(kept.calls.state());
  class_scores_.refresh();
}

size_t Totals::bytes() const {
  size_t bytes = total_.capacity() * sizeof(int64_t) +
                 (best_.capacity() + groups_.capacity()) * sizeof(BlockBest) +
                 feasible_.capacity() * sizeof(uint64_t) + final_.capacity() * sizeof(int64_t) +
                 class_scores_.bytes();
  for (const Kept& kept : hooks_)
    bytes += kept.raw.capacity() * sizeof(int64_t) + kept.blocks.capacity() * sizeof(Extremes) +
             kept.calls.bytes();
  return bytes;
}

void Totals::resize(model::Row rows) {
  rows_ = rows;
  const size_t padded = block_end(rows), blocks = padded / kBlock;
  const size_t groups = (blocks + kTotalGroup - 1) / kTotalGroup;
  total_.resize(padded);
  best_.resize(blocks * stride_, {INT64_MIN, 0});
  groups_.resize(groups * stride_, {INT64_MIN, 0});
  group_classes_.resize(groups);
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
  touch_block(row / kBlock);
}

void Totals::touch_block(uint32_t block) {
  if (block_is_touched_[block]) return;
  block_is_touched_[block] = true;
  touched_blocks_.push_back(block);
}

// Brings classes and their scores up to date. False: a score failed. Sets `rebuilds` if all scores
// have to be asked by row from now on.
bool Totals::follow_classes(const DecisionContext& cycle, RowWork& work, const RowChanges* changes,
                            bool& rebuilds, std::string& error) {
  if (!by_class()) return true;
  using Followed = ClassScores::Followed;
  moved_.clear();
  const Followed followed = class_scores_.follow(cycle, changes, rows_, moved_, work.mine(), error);
  for (const model::Row row : moved_) touch_block(row / kBlock);
  if (followed == Followed::kMoved) return true;
  best_stands_ = false;
  if (followed != Followed::kTooMany) return followed == Followed::kBuilt;
  assign(false);
  refresh();
  stride_ = 1;
  resize(rows_);
  totals_stand_ = false;
  rebuilds = true;
  return true;
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
  const uint64_t version = follows && shared != 0 ? cycle.pre_score().versions[hook.before] : 0;
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
  refresh();
  const uint64_t before = position_;
  position_ = cluster_.log().end();
  const model::Row rows = cluster_.nodes().rows();
  // Totals that were not used for long are asked about the searched rows alone. If they are used
  // again soon, they are asked about all rows.
  const bool far = RowChanges::far(cluster_.log(), before, rows);
  bool rebuilds = !built_ || !changes.read(cluster_.log(), before, rows);
  const model::Row known = rows_;
  if (rebuilds || rows != rows_) resize(rows);
  for (model::Row row = known; row < rows && !rebuilds; ++row) touch(row);
  built_ = false;
  work.clear_errors();
  std::string error;
  if (!follow_classes(cycle, work, rebuilds ? nullptr : &changes, rebuilds, error)) return error;
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
  totals_stand_ = best_stands_ = false;
  for (Kept& kept : hooks_) kept.asked = kept.asked_all = true;
}

// True if the total of a row is worked out only while it is feasible.
bool Totals::follows_feasible() const {
  return std::ranges::any_of(hooks_,
                             [](const Kept& kept) { return kept.normalises() && !kept.is_same; });
}

// Notes the rows that became feasible or refused. False: there are none.
bool Totals::take_flips(const Verdicts& verdicts) {
  const RowBits& now = verdicts.feasible();
  const bool recounts = follows_feasible();
  bool flipped = false;
  const auto take = [&](uint32_t block, uint64_t differ) {
    flipped = true;
    feasible_[block] ^= differ;
    touch_block(block);
    if (!recounts) return;
    for (differ &= feasible_[block]; differ != 0; differ &= differ - 1)
      touched_.push_back(block * kBlock + static_cast<model::Row>(std::countr_zero(differ)));
  };
  if (epoch_ != verdicts.epoch()) {
    for (uint32_t block = 0; block < now.size(); ++block)
      if (const uint64_t differ = now[block] ^ feasible_[block]; differ != 0) take(block, differ);
    epoch_ = verdicts.epoch();
  } else {
    for (; flips_ < verdicts.flips().size(); ++flips_) {
      const model::Row row = verdicts.flips()[flips_];
      if (bit(now, row) != bit(feasible_, row)) take(row / kBlock, uint64_t{1} << row % kBlock);
    }
  }
  flips_ = verdicts.flips().size();
  return flipped;
}

bool Totals::follow(const Verdicts& verdicts) {
  const bool flipped = take_flips(verdicts);
  for (Kept& kept : hooks_) {
    follow_extremes(kept, flipped);
    totals_stand_ &= !kept.asked_all;
    kept.asked = kept.asked_all = false;
  }
  const bool good = follow_totals();
  if (good) follow_best();
  best_stands_ &= good;
  for (const uint32_t block : touched_blocks_) block_is_touched_[block] = false;
  touched_.clear();
  touched_blocks_.clear();
  return good;
}

Extremes Totals::extremes_of_block(const Kept& kept, uint32_t block, uint64_t within) const {
  const int64_t* raw = kept.raw.data() + size_t{block} * kBlock;
  const uint64_t rows = feasible_[block] & within;
  if (rows != ~uint64_t{0}) return framework::extremes_of(raw, rows);
  Extremes found;
  extremes_of_all(raw, kBlock, found);
  return found.unscored ? framework::extremes_of(raw, rows) : found;
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

// Makes the totals those of the raw scores and extremes. False: some hook has no totals here.
bool Totals::follow_totals() {
  for (const Kept& kept : hooks_) {
    const bool has = !kept.odd && (!kept.normalises() || scored(kept.all));
    if (!has) {
      totals_stand_ = false;
      return false;
    }
    totals_stand_ &= !kept.normalises() || equal(kept.all, kept.used);
  }
  if (!totals_stand_ || many(touched_.size(), rows_)) {
    add_all();
    return true;
  }
  const bool feasible_alone = follows_feasible();
  for (const model::Row row : touched_) {
    if (feasible_alone && !bit(feasible_, row)) continue;
    int64_t total = 0;
    for (const Kept& kept : hooks_) total += kept.weight() * kept.final(row);
    total_[row] = total;
  }
  return true;
}

void Totals::add_all() {
  std::fill(total_.begin(), total_.begin() + rows_, 0);
  for (Kept& kept : hooks_) {
    kept.use(kept.all);
    if (kept.is_same) {
      add_constant(kept.weight() * kept.same, total_.data(), rows_);
    } else if (!kept.normalises()) {
      static_cast<void>(add_raw(kept.raw.data(), kept.weight(), total_.data(), rows_));  // in range
    } else {
      final_.resize(block_end(rows_));
      add_normalised(kept.kind(), kept.raw.data(), kept.all, kept.weight(), final_.data(),
                     total_.data(), rows_);
    }
  }
  totals_stand_ = true;
  best_stands_ = false;
}

// Makes the best totals those of the totals.
void Totals::follow_best() {
  const uint32_t classes = by_class() ? class_scores_.classes().count() : 1;
  if (classes > stride_) {
    stride_ = std::bit_ceil(classes);
    best_stands_ = false;
  }
  if (!best_stands_) {
    best_.assign(feasible_.size() * stride_, {INT64_MIN, 0});
    groups_.assign(group_classes_.size() * stride_, {INT64_MIN, 0});
    for (uint32_t block = 0; block < feasible_.size(); ++block) follow_block(block);
    best_stands_ = true;
  } else {
    for (const uint32_t block : touched_blocks_) follow_block(block);
  }
  for (uint32_t group = 0; group < group_classes_.size(); ++group) {
    if (group_classes_[group] == 0) continue;
    follow_group(group, group_classes_[group]);
    group_classes_[group] = 0;
  }
}

void Totals::follow_block(uint32_t block) {
  const int64_t* total = total_.data() + size_t{block} * kBlock;
  BlockBest* best = best_.data() + size_t{block} * stride_;
  std::array<BlockBest, RowClasses::kMost> now;
  uint32_t classes = 1;
  if (by_class()) {
    classes = class_scores_.classes().count();
    const RowClass* of_rows = class_scores_.classes().of_rows() + size_t{block} * kBlock;
    best_of(total, of_rows, feasible_[block], now.data(), classes);
  } else {
    now[0] = best_of(total, feasible_[block]);
  }
  for (uint32_t of = 0; of < classes; ++of) {
    if (best[of].total == now[of].total && best[of].rows == now[of].rows) continue;
    best[of] = now[of];
    group_classes_[block / kTotalGroup] |= uint64_t{1} << of;
  }
}

void Totals::follow_group(uint32_t group, uint64_t classes) {
  const size_t begin = size_t{group} * kTotalGroup;
  const size_t end = std::min(feasible_.size(), begin + kTotalGroup);
  for (; classes != 0; classes &= classes - 1) {
    const auto of = static_cast<size_t>(std::countr_zero(classes));
    BlockBest best{INT64_MIN, 0};
    for (size_t block = begin; block < end; ++block) {
      const BlockBest& one = best_[block * stride_ + of];
      if (one.total > best.total) best = {one.total, 0};
      if (one.total == best.total) best.rows += one.rows;
    }
    groups_[group * stride_ + of] = best;
  }
}

// A bit for each class that has a feasible row among the searched ones.
uint64_t Totals::present_classes(const SearchResult& found) const {
  const uint32_t classes = class_scores_.classes().count();
  uint64_t present = 0;
  const auto add_known = [&](const BlockBest* known) {
    for (uint32_t of = 0; of < classes; ++of) present |= uint64_t{known[of].rows != 0} << of;
  };
  if (found.took_all()) {
    for (size_t group = 0; group < group_classes_.size(); ++group)
      add_known(groups_.data() + group * stride_);
    return present;
  }
  found.for_each_block([&](uint32_t block, uint64_t within) {
    if (within == ~uint64_t{0}) return add_known(best_.data() + size_t{block} * stride_);
    const RowClass* of_rows = class_scores_.classes().of_rows() + size_t{block} * kBlock;
    for (uint64_t rows = feasible_[block] & within; rows != 0; rows &= rows - 1)
      present |= uint64_t{1} << of_rows[std::countr_zero(rows)];
  });
  return present;
}

// The extremes of the searched rows.
Extremes Totals::extremes_of(const Kept& kept, const SearchResult& found) const {
  Extremes all;
  found.for_each_block([&](uint32_t block, uint64_t within) {
    add(within == ~uint64_t{0} ? kept.blocks[block] : extremes_of_block(kept, block, within), all);
  });
  return all;
}

// False: the totals do not hold for the searched rows.
bool Totals::describe(const DecisionContext& cycle, host::CallContext& calls, const Kept& kept,
                      const SearchResult& found, HookScores& out) const {
  out.hook = kept.index;
  out.kind = kept.kind();
  if (kept.is_same) {
    out.uniform = true;
    out.uniform_raw = kept.zero ? 0 : kept.used.minimum;
    out.uniform_final = kept.same;
  } else {
    out.raw_by_row = kept.raw.data();
    if (!kept.normalises()) out.final_by_row = kept.raw.data();
    if (kept.normalises() && !found.took_all() && !equal(extremes_of(kept, found), kept.used))
      return false;
    out.minimum = kept.used.minimum;
    out.maximum = kept.used.maximum;
  }
  if (kept.zero || !kept.normalises()) return true;
  const auto& hook = cycle.profile->score[kept.index];
  return !hook.point->check_extremes(calls, {}, kept.used.minimum, kept.used.maximum);
}

bool Totals::take(const DecisionContext& cycle, host::CallContext& calls, const Verdicts& verdicts,
                  SearchResult& found, std::vector<HookScores>& scores) {
  if (found.listed || found.refuser != verdicts.refusers()) return false;
  if (std::ranges::any_of(hooks_, &Kept::partly)) return false;
  if (!follow(verdicts)) return false;
  if (by_class() && !class_scores_.finish(calls, present_classes(found))) return false;
  scores.clear();
  for (const Called& called : called_) {
    HookScores& mine = scores.emplace_back();
    if (called.by_class) {
      class_scores_.describe(called.number, mine);
    } else if (!describe(cycle, calls, hooks_[called.number], found, mine)) {
      return false;
    }
  }
  found.totals = total_.data();
  found.ranked = {.stride = stride_, .blocks = best_.data(), .groups = groups_.data()};
  if (by_class()) {
    found.ranked.classes = class_scores_.classes().of_rows();
    found.ranked.class_count = class_scores_.classes().count();
    found.ranked.parts = class_scores_.parts();
  }
  return true;
}

std::string Totals::add_to(ScoreSums& sums) {
  for (const Called& called : called_) {
    const int64_t* raw = nullptr;
    if (called.by_class) {
      raw = class_scores_.by_row(called.number);
    } else if (!hooks_[called.number].zero) {
      raw = hooks_[called.number].raw.data();
    }
    if (std::string error = sums.add(called.index, raw); !error.empty()) return error;
  }
  return {};
}

}  // namespace berth::framework
