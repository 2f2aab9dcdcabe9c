#include "engine/framework/ranking/totals/totals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <limits>
#include <variant>

#include "engine/base/assert.h"
#include "engine/framework/evaluation/evaluator.h"

namespace berth::framework {
namespace {

bool scored(const Extremes& of) { return of.minimum <= of.maximum && !of.unscored; }
bool uniform(const Extremes& of) { return of.minimum == of.maximum; }

}  // namespace

Totals::Finals Totals::Kept::finals(const Extremes& of) const {
  Finals found{.of = of, .is_same = zero || (normalises() && uniform(of))};
  const int64_t raw_of_all = zero ? 0 : of.minimum;
  if (found.is_same) found.same = normalised(kind(), raw_of_all, raw_of_all, raw_of_all);
  found.fits = zero || !normalises() || calls.hook().point->extremes_fit(of.minimum, of.maximum);
  return found;
}

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
  hooks_.clear();
  shared_.clear();
  lags_ = false;
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
    called.number = hooks_.size();
    Kept& kept = hooks_.emplace_back();
    kept.index = called.index;
    kept.calls = calls;
    kept.zero = zero;
    kept.inputs = zero ? 0 : called.hook->bound.inputs_of_row(*called.state);
    kept.odd = kept.kind() == BERTH_NORMALISE_OWN;
    const uint32_t depends = called.hook->point->depends();
    kept.external = depends == BERTH_DEPENDS_EXTERNAL ||
                    (depends == BERTH_DEPENDS_FEASIBLE && called.hook->before == kNoHook);
    if (!zero) shared_.add(*called.state);
    lags_ |= !zero && !called.state->lagging.empty();
    if (zero) kept.all = {.minimum = 0, .maximum = 0};
    most += std::abs(kept.weight()) * kScoreBits;
  }
  fits_ = most <= std::numeric_limits<KeptTotal>::max();
}

void Totals::refresh() const {
  if (lags_)
    for (const Kept& kept : hooks_)
      if (!kept.zero) kept.calls.hook().bound.refresh(kept.calls.state());
  class_scores_.refresh();
}

size_t Totals::bytes() const {
  size_t bytes = total_.capacity() * sizeof(KeptTotal) + open_.capacity() * sizeof(uint64_t) +
                 best_.bytes() + classes_.bytes() + class_scores_.bytes();
  for (const Kept& kept : hooks_)
    bytes += kept.raw.bytes() + kept.blocks.capacity() * sizeof(Extremes) + kept.calls.bytes();
  return bytes;
}

void Totals::resize(model::Row rows) {
  rows_ = rows;
  const size_t padded = block_end(rows), blocks = padded / kBlock;
  if (blocks < open_.size()) stand_.extremes = false;  // without those of blocks that go
  total_.resize(padded);
  best_.resize(blocks);
  open_.resize(blocks);
  // So that decisions do not allocate: each of these lists grows with the rows that changed between
  // two decisions of a kind of pods, which differ from turn to turn.
  touched_.resize(blocks, std::min<size_t>(rows_, 1024));
  asked_.reserve(std::min(rows_, kUsualRows));
  for (Kept& kept : hooks_) {
    if (kept.zero) continue;
    kept.raw.resize(padded);
    if (kept.normalises()) kept.blocks.resize(blocks * stride_);
  }
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

// Records the inputs that all rows share. False: none changed since the last call.
bool Totals::follow_shared(const DecisionContext& cycle, Kept& kept) {
  const auto& hook = kept.calls.hook();
  const bool follows = hook.point->depends() == BERTH_DEPENDS_FEASIBLE;
  const uint64_t shared =
      follows && hook.before == kNoHook ? 0 : hook.bound.shared_stamp(kept.calls.state());
  const uint64_t version = follows && shared != 0 ? cycle.pre_score().versions[hook.before] : 0;
  const uint32_t ran = cycle.ran(hook);
  const bool differs =
      shared == 0 || shared != kept.shared || version != kept.version || ran != kept.calls.ran();
  kept.shared = shared;
  kept.version = version;
  kept.calls.set_ran(ran);
  return differs;
}

// Asks for the raw scores that may have changed. False: the hook failed. `searched`: the only rows
// to ask about if all are stale; null: no such limit. `same`: the inputs that all rows share did
// not change.
bool Totals::ask(const DecisionContext& cycle, Kept& kept, const SearchResult* searched,
                 RowWork& work, RowChanges& changes, bool same, bool rebuilds, bool far) {
  const TemplateHook& state = kept.calls.state();
  asked_.clear();
  const bool near = !rebuilds && changes.concerns_neighbours(kept.inputs, state.lagging);
  const bool by_row = near || (!rebuilds && changes.concern(kept.inputs, state.lagging, asked_));
  const bool changed = (!same && follow_shared(cycle, kept)) || !by_row;
  const bool all = changed || kept.partly || (!near && many(asked_.size(), rows_));
  if (!all && near) return ask_neighbours(kept, work.mine(), changes);
  if (!all) return asked_.empty() || ask_rows(kept, work.mine());

  const bool was_partly = kept.partly;
  kept.partly = searched != nullptr && (rebuilds ? far : changed);
  if (!kept.calls.begin(work.mine())) return false;
  if (!kept.partly && !was_partly && !rebuilds) return ask_again(kept, work);
  kept.asked = kept.asked_all = true;
  if (!kept.partly) {
    if (!ask_all(kept, 0, rows_, work)) return false;
    if (!kept.normalises()) kept.odd = !kept.raw.in_range(rows_);
    return true;
  }
  for (auto [begin, end] : searched->pieces)
    if (!ask_all(kept, block_begin(begin), std::min(block_end(end), rows_), work)) return false;
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
  const bool shared_stay = shared_.stay(cycle, true) && !rebuilds;
  for (Kept& kept : hooks_) {
    if (kept.zero || (shared_stay && stays(kept, changes))) continue;
    if (!ask(cycle, kept, searched, work, changes, shared_stay && !kept.external, rebuilds, far))
      return score_error(kept.calls.hook().point->plugin(), work.error());
  }
  built_ = true;
  // While nobody follows, rows are touched without end.
  if (touched_.rows().size() + moved_.size() > rows_) forget_touched();
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
      touch(row);
      touched_.touch_block(row / kBlock);
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
    touched_.touch_block(moved_[i].row / kBlock);
  }
  for (; stand && moves_.seen < moves.rows.size(); ++moves_.seen) {
    const model::Row row = moves.rows[moves_.seen];
    stand = classes_.move(row);
    touched_.touch_block(row / kBlock);
    moved = true;
  }
  moves_.reach(moves);
  moved_.clear();
  if (stand) return moved;
  classes_.build(verdicts.classes(), by_class() ? &class_scores_.classes() : nullptr, rows_);
  stand_.classes = true;
  best_.forget();
  stand_.extremes = false;
  flips_ = {};  // other rows may count as open
  return true;
}

// Notes the rows that became open or closed. False: there are none. `moved`: some rows are in
// another class. Where classes of filters are not told apart, rows of refused ones count as closed.
bool Totals::take_flips(const Verdicts& verdicts, bool moved) {
  const RowLog& log = verdicts.flips();
  const bool whole = !classes_.knows_filters();
  const bool recounts = follows_open();
  bool flipped = false;
  const auto now = [&](size_t block) { return whole ? now_.word(block) : now_.open[block]; };
  const auto take = [&](uint32_t block, uint64_t differ) {
    flipped = true;
    open_[block] ^= differ;
    touched_.touch_block(block);
    if (!recounts) return;
    for (differ &= open_[block]; differ != 0; differ &= differ - 1)
      touch(block * kBlock + static_cast<model::Row>(std::countr_zero(differ)));
  };
  if (!flips_.follow(log) || (whole && (moved || refused_ != now_.refused))) {
    for (uint32_t block = 0; block < open_.size(); ++block)
      if (const uint64_t differ = now(block) ^ open_[block]; differ != 0) take(block, differ);
  } else {
    for (size_t i = flips_.seen; i < log.rows.size(); ++i) {
      const model::Row row = log.rows[i];
      const uint64_t mask = uint64_t{1} << row % kBlock;
      if (((now(row / kBlock) ^ open_[row / kBlock]) & mask) != 0) take(row / kBlock, mask);
    }
  }
  flips_.reach(log);
  refused_ = now_.refused;
  return flipped;
}

bool Totals::follow(const Verdicts& verdicts) {
  now_ = verdicts.feasible();
  const bool moved = take_moves(verdicts);
  const bool flipped = take_flips(verdicts, moved) || moved;
  divide_extremes();
  if (std::ranges::any_of(hooks_, [](const Kept& kept) { return kept.normalises() && kept.asked; }))
    touched_.touch_blocks_of_rows();
  for (Kept& kept : hooks_) {
    follow_extremes(kept, flipped);
    stand_.totals &= !kept.asked_all;
    kept.asked = kept.asked_all = false;
  }
  stand_.extremes = true;
  const bool good = follow_totals();
  if (good) {
    best_.follow(total_.data(), classes_.of_rows(), classes_.count(), open_, touched_.blocks());
  } else {
    best_.forget();
  }
  touched_.clear();
  return good;
}

// Makes places for the extremes of each class of filters.
void Totals::divide_extremes() {
  const uint32_t stride = classes_.knows_filters() ? now_.stride : 1;
  if (stride == stride_) return;
  stride_ = stride;
  stand_.extremes = false;
  for (Kept& kept : hooks_)
    if (!kept.zero && kept.normalises()) kept.blocks.resize(open_.size() * stride);
}

// Works out the extremes of the block's open rows by class. False: they are as they were.
bool Totals::follow_extremes_of_block(Kept& kept, uint32_t block) {
  bool differs = false;
  for (uint32_t of = 0; of < stride_; ++of) {
    uint64_t rows = open_[block];
    if (stride_ > 1) rows &= now_.classes[size_t{block} * stride_ + of];
    const Extremes now = kept.raw.extremes(block, rows);
    Extremes& known = kept.blocks[size_t{block} * stride_ + of];
    differs |= now != known;
    known = now;
  }
  return differs;
}

void Totals::follow_extremes(Kept& kept, bool flipped) {
  if (kept.zero || !kept.normalises()) return;
  bool differs = kept.asked_all || !stand_.extremes;
  if (differs) {
    for (uint32_t block = 0; block < open_.size(); ++block)
      static_cast<void>(follow_extremes_of_block(kept, block));
  } else if (kept.asked || flipped) {
    for (const uint32_t block : touched_.blocks()) differs |= follow_extremes_of_block(kept, block);
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
    return now_.refused == 0 || !classes_.knows_filters() ? by_class[0] : Extremes{};
  Extremes all;
  for (uint64_t rest = now_.allowed(); rest != 0; rest &= rest - 1)
    all.add(by_class[std::countr_zero(rest)]);
  return all;
}

// Makes the totals those of the raw scores and extremes. False: some hook has no totals here.
bool Totals::follow_totals() {
  if (!fits_) return false;
  for (const Kept& kept : hooks_) {
    const bool has = !kept.odd && (!kept.normalises() || scored(kept.all));
    if (!has) {
      stand_.totals = false;
      return false;
    }
    stand_.totals &= !kept.normalises() || kept.all == kept.in_totals.of;
  }
  if (!stand_.totals || touched_.rows().size() > rows_ / kMostTouched) {
    add_all();
    return true;
  }
  const int64_t same = divide(&Kept::in_totals);
  const RowClass* of_rows = classes_.of_rows();
  for (const model::Row row : touched_.rows()) {
    const bool is_open = bit(open_, row);
    if (!is_open && !normalised_.empty()) continue;
    int64_t total = same;
    for (const Plain& plain : plain_) total += plain.weight * (*plain.raw)[row];
    for (const Kept* kept : normalised_) total += kept->weight() * kept->final(row);
    if (total == total_[row]) continue;
    if (is_open)
      best_.change(row, of_rows == nullptr ? RowClass{0} : of_rows[row], total_[row], total);
    total_[row] = static_cast<KeptTotal>(total);
  }
  return true;
}

// Divides the scores by how they are added, and adds those that are equal for all rows.
KeptTotal Totals::divide(Finals Kept::*with) {
  plain_.clear();
  normalised_.clear();
  int64_t same = 0;
  for (const Kept& kept : hooks_) {
    if ((kept.*with).is_same) {
      same += kept.weight() * (kept.*with).same;
    } else if (kept.normalises()) {
      normalised_.push_back(&kept);
    } else if (!kept.raw.zero()) {
      plain_.push_back({&kept.raw, kept.weight()});
    }
  }
  return static_cast<KeptTotal>(same);
}

// Adds the scores of some rows, as divide() divided them. `total`: by row.
void Totals::add_rows(model::Row begin, model::Row end, KeptTotal same, Finals Kept::*with,
                      KeptTotal* total) const {
  constexpr model::Row kPiece = 1024;  // stays in the first cache
  std::array<int64_t, kPiece> room;
  for (; begin < end; begin += kPiece) {
    const model::Row rows = std::min(kPiece, end - begin);
    KeptTotal* const piece = total + begin;
    fill_totals(same, piece, rows);
    for (const auto& [raw, by] : plain_) {
      const auto weight = static_cast<KeptTotal>(by);
      std::visit([&](const auto* scores) { add_raw(scores + begin, weight, piece, rows); },
                 raw->by_row());
    }
    for (const Kept* kept : normalised_)
      add_normalised(kept->kind(), kept->raw.wide(begin, begin + rows, room.data()),
                     (kept->*with).of, static_cast<KeptTotal>(kept->weight()), piece, rows);
  }
}

// Precondition: scores that are not normalised are in range.
void Totals::add_all() {
  for (Kept& kept : hooks_) kept.in_totals = kept.finals(kept.all);
  add_rows(0, rows_, divide(&Kept::in_totals), &Kept::in_totals, total_.data());
  stand_.totals = true;
  best_.forget();
}

}  // namespace berth::framework
