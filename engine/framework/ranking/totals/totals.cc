#include "engine/framework/ranking/totals/totals.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "engine/base/assert.h"

namespace berth::framework {
namespace {

bool scored(const Extremes& of) { return of.minimum <= of.maximum && !of.unscored; }

}  // namespace

Totals::Totals(const DecisionContext& cycle, const model::Cluster& cluster)
    : cluster_(cluster), class_scores_(cluster) {
  for_each_called(cycle, [&](size_t index, TemplateHook& state) {
    called_.push_back({index, &cycle.profile->score[index], &state, false, 0});
    failed_ |= state.failed;
  });
  if (!failed_) assign(true);
}

// Divides the scores into those that are asked by row and, if `by_class`, those by class.
void Totals::assign(bool by_class) {
  scores_.clear();
  class_scores_ = ClassScores(cluster_);
  parts_.fill(0);
  int64_t most = 0;
  for (Called& called : called_) {
    const ScoreCalls calls(*called.hook, *called.state, 0);
    const bool zero = called.state->prepared.passes();
    called.by_class =
        by_class && !zero && ClassScores::suits(*called.hook, *called.state, cluster_.catalog());
    if (called.by_class) {
      called.number = class_scores_.add(called.index, calls);
      continue;
    }
    called.number = scores_.add(called.index, calls, zero);
    most += std::abs(called.hook->weight) * kScoreBits;
  }
  fits_ = most <= std::numeric_limits<KeptTotal>::max();
}

void Totals::refresh() const {
  scores_.refresh();
  class_scores_.refresh();
}

bool Totals::suits_any_thread() const {
  return !failed_ && !by_class() && scores_.suits_any_thread();
}

void Totals::post(const DecisionContext& cycle, bool few, RowWork& work, RowChanges& changes) {
  scores_.post(cycle, few, work, changes);
}

bool Totals::post_ahead(const DecisionContext& cycle, uint64_t position, RowPart& part,
                        RowChanges& changes) {
  refresh();
  if (position_ < position || !can_advance()) return false;
  if (!changes.read(cluster_.nodes(), cluster_.log(), position_) || !changes.rows_are_named())
    return false;
  if (!scores_.can_advance(changes)) return false;
  scores_.post_ahead(cycle, part, changes);
  return true;
}

size_t Totals::bytes() const {
  return total_.capacity() * sizeof(KeptTotal) + open_.bytes() + best_.bytes() + classes_.bytes() +
         class_scores_.bytes() + scores_.bytes();
}

void Totals::resize(model::Row rows) {
  rows_ = rows;
  const size_t padded = block_end(rows), blocks = padded / kBlock;
  if (blocks < open_.blocks()) stand_.extremes = false;  // without those of blocks that go
  total_.resize(padded);
  best_.resize(blocks);
  open_.resize(blocks);
  scores_.resize(rows, padded);
  for (KeptScore& kept : scores_.kept())
    if (!kept.zero && kept.normalises()) kept.blocks.resize(blocks * stride_);
}

// Brings classes and their scores up to date. False: a score failed. Sets `rebuilds` if all scores
// have to be asked by row from now on.
bool Totals::follow_classes(const DecisionContext& cycle, RowWork& work, const RowChanges* changes,
                            bool& rebuilds, std::string& error) {
  if (!by_class()) return true;
  using Followed = ClassScores::Followed;
  const Followed followed = class_scores_.follow(cycle, changes, rows_, moved_, work.mine(), error);
  if (followed == Followed::kMoved) return true;
  stand_.classes = false;
  if (followed != Followed::kTooMany) return followed == Followed::kBuilt;
  assign(false);
  refresh();
  resize(rows_);
  stand_.totals = false;
  rebuilds = true;
  return true;
}

std::string Totals::ask_but_rows(const DecisionContext& cycle, const SearchResult& found,
                                 RowWork& work, RowChanges& none) {
  BERTH_ASSERT(built_ && rows_ == cluster_.nodes().rows());
  built_ = false;
  work.clear_errors();
  return ask_hooks(cycle, &found, work, none, false, false);
}

// Takes these changes. `searched`, `rebuilds`, `far`: see ask().
std::string Totals::ask_hooks(const DecisionContext& cycle, const SearchResult* searched,
                              RowWork& work, RowChanges& changes, bool rebuilds, bool far) {
  std::string error;
  if (!follow_classes(cycle, work, rebuilds ? nullptr : &changes, rebuilds, error)) return error;
  stand_.totals &= !rebuilds;
  error = scores_.ask(cycle, searched, work, changes, rebuilds, far);
  if (!error.empty()) return error;
  built_ = true;
  // While nobody follows, rows are touched without end.
  if (scores_.touched().rows().size() + moved_.size() > rows_) forget_touched();
  return {};
}

std::string Totals::ask(const DecisionContext& cycle, const SearchResult& found, bool few,
                        RowWork& work, RowChanges& changes) {
  BERTH_ASSERT(!failed_);
  refresh();
  const uint64_t before = position_;
  position_ = cluster_.log().end();
  const model::Row rows = cluster_.nodes().rows();
  // Totals that were not used for long are asked about the searched rows alone. If they are used
  // again soon, they are asked about all rows.
  const bool far = RowChanges::far(cluster_.log(), before, rows);
  bool rebuilds =
      !built_ || !changes.read(cluster_.nodes(), cluster_.log(), before) || !follow_moves(changes);
  if (rebuilds) forget_touched();
  if (rebuilds || rows != rows_) resize(rows);
  if (!rebuilds)
    changes.for_each_new([&](model::Row row) {
      scores_.touched().touch(row);
      scores_.touched().touch_block(row / kBlock);
    });
  built_ = false;
  work.clear_errors();
  host::Together::Round round(work.mine().together);
  if (!rebuilds && cycle.profile->is_apart()) {
    post(cycle, few, work, changes);
    round.send();
  }
  return ask_hooks(cycle, few ? &found : nullptr, work, changes, rebuilds, far);
}

// Takes over rows that are in another class. False: there are none.
bool Totals::take_moves(const Verdicts& verdicts) {
  const RowLog& moves = verdicts.moves();
  bool stand = moves_.follow(moves) && stand_.classes;
  bool moved = false;
  for (size_t i = 0; i < moved_.size() && stand; ++i) {
    stand = classes_.move(moved_[i].row);
    scores_.touched().touch_block(moved_[i].row / kBlock);
  }
  for (; stand && moves_.seen < moves.rows.size(); ++moves_.seen) {
    const model::Row row = moves.rows[moves_.seen];
    stand = classes_.move(row);
    scores_.touched().touch_block(row / kBlock);
    moved = true;
  }
  moves_.reach(moves);
  moved_.clear();
  if (stand) return moved;
  classes_.build(verdicts.classes(), by_class() ? &class_scores_.classes() : nullptr, rows_);
  stand_.classes = true;
  best_.forget();
  stand_.extremes = false;
  open_.forget();
  return true;
}

// Notes the rows that became open or closed. False: there are none. `moved`: some rows are in
// another class.
bool Totals::take_flips(const Verdicts& verdicts, bool moved) {
  TouchedRows& touched = scores_.touched();
  const bool recounts = follows_open();
  const auto flip = [&](uint32_t block, uint64_t rows) {
    touched.touch_block(block);
    if (!recounts) return;
    for (rows &= open_[block]; rows != 0; rows &= rows - 1) {
      const model::Row row = block * kBlock + static_cast<model::Row>(std::countr_zero(rows));
      if (touched.touch(row)) __builtin_prefetch(&total_[row]);
    }
  };
  return open_.follow(verdicts.flips(), !classes_.knows_filters(), moved, flip);
}

// follow_totals() reads their totals, if they are few.
void Totals::prefetch_touched() const {
  if (!fits_ || scores_.touched().rows().size() > rows_ / kMostTouched) return;
  for (const model::Row row : scores_.touched().rows()) __builtin_prefetch(&total_[row]);
}

bool Totals::follow(const Verdicts& verdicts) {
  open_.set_now(verdicts.feasible());
  prefetch_touched();
  const bool moved = take_moves(verdicts);
  const bool flipped = take_flips(verdicts, moved) || moved;
  divide_extremes();
  if (std::ranges::any_of(scores_.kept(),
                          [](const KeptScore& kept) { return kept.normalises() && kept.asked; }))
    scores_.touched().touch_blocks_of_rows();
  for (KeptScore& kept : scores_.kept()) {
    follow_extremes(kept, flipped);
    stand_.totals &= !kept.asked_all;
    kept.asked = kept.asked_all = false;
  }
  stand_.extremes = true;
  const bool good = follow_totals();
  if (good) {
    best_.follow(total_.data(), classes_.of_rows(), classes_.count(), open_.bits(),
                 scores_.touched().blocks());
  } else {
    best_.forget();
  }
  scores_.touched().clear();
  return good;
}

// Makes places for the extremes of each class of filters.
void Totals::divide_extremes() {
  const uint32_t stride = classes_.knows_filters() ? open_.now().stride : 1;
  if (stride == stride_) return;
  stride_ = stride;
  stand_.extremes = false;
  for (KeptScore& kept : scores_.kept())
    if (!kept.zero && kept.normalises()) kept.blocks.resize(open_.blocks() * stride);
}

// Works out the extremes of the block's open rows by class. False: they are as they were.
bool Totals::follow_extremes_of_block(KeptScore& kept, uint32_t block) {
  bool differs = false;
  for (uint32_t of = 0; of < stride_; ++of) {
    uint64_t rows = open_[block];
    if (stride_ > 1) rows &= open_.now().classes[size_t{block} * stride_ + of];
    const Extremes now = kept.raw.extremes(block, rows);
    Extremes& known = kept.blocks[size_t{block} * stride_ + of];
    differs |= now != known;
    known = now;
  }
  return differs;
}

void Totals::follow_extremes(KeptScore& kept, bool flipped) {
  if (kept.zero || !kept.normalises()) return;
  bool differs = kept.asked_all || !stand_.extremes;
  if (differs) {
    for (uint32_t block = 0; block < open_.blocks(); ++block)
      static_cast<void>(follow_extremes_of_block(kept, block));
  } else if (kept.asked || flipped) {
    for (const uint32_t block : scores_.touched().blocks())
      differs |= follow_extremes_of_block(kept, block);
  }
  if (differs) {
    kept.of_classes.assign(stride_, {});
    for (size_t i = 0; i < kept.blocks.size(); ++i)
      kept.of_classes[i % stride_].add(kept.blocks[i]);
  }
  kept.all = extremes_of_allowed(kept.of_classes.data());
}

// Of the classes that are not refused.
Extremes Totals::extremes_of_allowed(const Extremes* by_class) const {
  if (stride_ == 1)
    return open_.now().refused == 0 || !classes_.knows_filters() ? by_class[0] : Extremes{};
  Extremes all;
  for (uint64_t rest = open_.now().allowed(); rest != 0; rest &= rest - 1)
    all.add(by_class[std::countr_zero(rest)]);
  return all;
}

// Makes the totals those of the raw scores and extremes. False: some hook has no totals here.
bool Totals::follow_totals() {
  if (!fits_) return false;
  for (const KeptScore& kept : scores_.kept()) {
    const bool has = !kept.odd && (!kept.normalises() || scored(kept.all));
    if (!has) {
      stand_.totals = false;
      return false;
    }
    stand_.totals &= !kept.normalises() || kept.all == kept.in_totals.of;
  }
  if (!stand_.totals || scores_.touched().rows().size() > rows_ / kMostTouched) {
    add_all();
    return true;
  }
  added_.divide(scores_.kept(), &KeptScore::in_totals);
  const RowClass* of_rows = classes_.of_rows();
  for (const model::Row row : scores_.touched().rows()) {
    const bool is_open = bit(open_.bits(), row);
    if (!is_open && added_.normalises()) continue;
    const int64_t total = added_.of_row(row);
    if (total == total_[row]) continue;
    if (is_open)
      best_.change(row, of_rows == nullptr ? RowClass{0} : of_rows[row], total_[row], total);
    total_[row] = static_cast<KeptTotal>(total);
  }
  return true;
}

// Precondition: scores that are not normalised are in range.
void Totals::add_all() {
  for (KeptScore& kept : scores_.kept()) kept.in_totals = kept.finals(kept.all);
  added_.divide(scores_.kept(), &KeptScore::in_totals);
  added_.add_rows(0, rows_, total_.data());
  stand_.totals = true;
  best_.forget();
}

// Gives up the list of touched rows: all rows count as touched.
void Totals::forget_touched() {
  scores_.forget_touched();
  moved_.clear();
  stand_.totals = stand_.classes = false;
}

}  // namespace berth::framework
