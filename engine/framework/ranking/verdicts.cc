#include "engine/framework/ranking/verdicts.h"

#include <algorithm>
#include <array>

#include "engine/base/assert.h"
#include "engine/host/calls/checks/checks.h"

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
  shared_.clear();
  lags_ = false;
  class_verdicts_ = ClassVerdicts(cluster_);
  for (const auto& [index, hook, state] : called_) {
    const FilterCalls calls(*hook, *state, 0);
    if (by_class && !state->failed && RowClasses::suits(hook->bound, *state, cluster_.catalog())) {
      class_verdicts_.add(index, calls);
    } else {
      const bool external = hook->point->depends() == BERTH_DEPENDS_EXTERNAL;
      filters_.push_back({index, calls, hook->bound.inputs_of_row(*state), 0, false, external, {}});
      shared_.add(*state);
      lags_ |= !state->lagging.empty();
    }
  }
}

void Verdicts::refresh() const {
  if (lags_)
    for (const Kept& kept : filters_) kept.calls.hook().bound.refresh(kept.calls.state());
  class_verdicts_.refresh();
}

size_t Verdicts::bytes() const {
  size_t bytes = own_.bytes() + whole_.bytes() +
                 (flips_.rows.capacity() + moves_.rows.capacity()) * sizeof(model::Row) +
                 overlays_.bytes() + class_verdicts_.bytes() + class_rows_.bytes() + left_.bytes();
  for (const Kept& kept : filters_) bytes += kept.verdicts.capacity() + kept.calls.bytes();
  return bytes;
}

void Verdicts::resize(model::Row rows) {
  rows_ = rows;
  const size_t padded = block_end(rows);
  own_.resize(rows);
  if (by_class()) whole_.resize(rows);
  overlays_.resize(padded / kBlock);
  for (Kept& kept : filters_)
    if (kept.refuses()) kept.verdicts.resize(padded);
  asked_.reserve(std::min(rows, kUsualRows));  // so that decisions do not allocate
  changed_.reserve(std::min(rows, kUsualRows));
}

bool Verdicts::ask_all(Kept& kept, RowWork& work) {
  work.clear_errors();
  if (!kept.calls.begin(work.mine())) return false;
  if (kept.calls.answers_zero()) {
    kept.verdicts.clear();
    return true;
  }
  const std::span<uint8_t> answers = work.codes(rows_);
  if (!kept.calls.rows(0, rows_, answers.data(), work)) return false;
  kept.verdicts.clear();  // those of rows that are gone, too
  if (takes(kept, answers)) std::ranges::copy(answers, kept.verdicts.begin());
  return true;
}

// False: neither these answers nor any verdict so far refuses a row. Else there is an array.
bool Verdicts::takes(Kept& kept, std::span<const uint8_t> answers) const {
  if (kept.refuses()) return true;
  if (!host::any_bits(answers, 0xff)) return false;
  kept.verdicts.resize(block_end(rows_));
  return true;
}

bool Verdicts::ask_rows(Kept& kept, RowPart& part, std::span<const model::Row> rows) {
  const std::span<uint8_t> answers = RowPart::room(part.verdicts, rows.size());
  if (!kept.calls.single(rows, answers.data(), part)) return false;
  if (!takes(kept, answers)) return true;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (kept.verdicts[rows[i]] == answers[i]) continue;
    kept.verdicts[rows[i]] = answers[i];
    changed_.push_back(rows[i]);
  }
  return true;
}

bool Verdicts::ask_neighbours(Kept& kept, RowPart& part, RowChanges& changes) {
  const auto& bound = kept.calls.hook().bound;
  const RecentRows::Range& places = changes.neighbours();
  RecentRows& recent = changes.recent();
  if (!bound.gather_recent(kept.calls.state(), recent, places, part.columns)) {
    static_cast<void>(changes.concern(kept.inputs, {}, asked_));  // some rows alone
    return ask_rows(kept, part, asked_);
  }
  // What is read after the call comes from memory meanwhile.
  if (kept.refuses())
    for (const model::Row row : recent.rows(places)) __builtin_prefetch(&kept.verdicts[row]);
  const std::span<uint8_t> answers = RowPart::room(part.verdicts, places.size());
  if (!kept.calls.gathered(answers, part)) return false;
  if (!takes(kept, answers)) return true;
  for (size_t i = 0; i < places.size(); ++i) {
    const size_t place = places.begin + i;
    const model::Row row = recent.row(place);
    if (kept.verdicts[row] == answers[i] || !recent.latest(place)) continue;
    kept.verdicts[row] = answers[i];
    changed_.push_back(row);
  }
  return true;
}

// Sets the own verdict of a row.
void Verdicts::set(model::Row row, Refuser refuser, uint8_t code) {
  if (!own_.set(row, refuser, code)) return;
  if (by_class()) class_rows_.add(class_verdicts_.classes().of_rows()[row], refuser == kFeasible);
  flips_.rows.push_back(row);
}

// Makes one verdict of the row's own and that of its class.
void Verdicts::settle(model::Row row) {
  if (!by_class()) return;
  const RowVerdict verdict = at(row);
  whole_.set(row, verdict.refuser, verdict.code);
}

RowVerdict Verdicts::at(model::Row row) const {
  const Refuser own = own_.refusers()[row];
  if (by_class()) {
    const ClassVerdicts::Verdict& of_class = class_verdicts_.at(row);
    if (of_class.refuser != kFeasible && (own == kFeasible || of_class.refuser < own))
      return {of_class.refuser, of_class.code, {}};
  }
  return {own, own_.codes()[row], {}};
}

// Makes one verdict of those of all filters that are asked by row.
void Verdicts::combine(model::Row row) {
  Refuser refuser = kFeasible;
  uint8_t code = 0;
  for (const Kept& kept : filters_) {
    if (!kept.refuses() || kept.verdicts[row] == BERTH_SUCCESS) continue;
    refuser = static_cast<Refuser>(kept.index + 1);
    code = kept.verdicts[row];
    break;
  }
  set(row, refuser, code);
  settle(row);
}

void Verdicts::combine_all(RowWork& work) {
  Refuser* const refusers = own_.refusers();
  uint8_t* const codes = own_.codes();
  work.over_rows(0, rows_, [&](model::Row from, model::Row to, RowPart&) {
    std::fill(refusers + from, refusers + to, kFeasible);
    std::fill(codes + from, codes + to, uint8_t{0});
    for (const Kept& kept : filters_)
      if (kept.refuses())
        refuse(kept.verdicts.data() + from, static_cast<Refuser>(kept.index + 1), refusers + from,
               codes + from, to - from);
  });
  whole_.all_are_late();
  count_all();
  combined_ = true;
}

// To be called when many own verdicts changed.
void Verdicts::count_all() {
  own_.count(rows_);
  if (by_class()) class_rows_.count(own_.open());
  flips_.forget();
}

// Takes over the rows that are in another class.
void Verdicts::take_moves() {
  class_rows_.grow(class_verdicts_.classes(), rows_);
  for (const auto& [row, was, now] : moved_) {
    class_rows_.move(row, was, now, bit(own_.open(), row));
    moves_.rows.push_back(row);
  }
}

// Takes over the verdicts of classes and rows that changed.
void Verdicts::combine_changed() {
  whole_.are_late(class_verdicts_.changed());
  for (const model::Row row : changed_) combine(row);
  for (const MovedRow& moved : moved_) settle(moved.row);
}

// False: a filter failed. Asks by row from now on if there are too many classes.
bool Verdicts::follow_classes(const DecisionContext& cycle, RowWork& work,
                              const RowChanges* changes) {
  moved_.clear();
  if (!by_class()) return true;
  using Followed = ClassVerdicts::Followed;
  const Followed followed = class_verdicts_.follow(cycle, changes, rows_, moved_, work.mine());
  if (followed == Followed::kMoved) {
    take_moves();
    return true;
  }
  moved_.clear();
  moves_.forget();
  combined_ = false;
  if (followed == Followed::kBuilt) class_rows_.build(class_verdicts_.classes(), rows_);
  if (followed != Followed::kTooMany) return followed == Followed::kBuilt;
  assign(false);
  class_rows_ = {};
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
    static_cast<void>(follow_shared(cycle, kept));
    kept.stale = false;
    if (!ask_all(kept, work)) return false;
  }
  combine_all(work);
  built_ = true;
  return !any_error();
}

// Records the inputs that all rows share. False: none changed since the last call.
bool Verdicts::follow_shared(const DecisionContext& cycle, Kept& kept) {
  const auto& hook = kept.calls.hook();
  const uint64_t shared = hook.bound.shared_stamp(kept.calls.state());
  const uint32_t ran = cycle.ran(hook);
  const bool differs = shared == 0 || shared != kept.shared || ran != kept.calls.ran();
  kept.shared = shared;
  kept.calls.set_ran(ran);
  return differs;
}

// Finds how a filter is asked; for kRows, asked_ are the rows. `shared_stay`: the inputs that all
// rows share did not change. `few`: see catch_up().
Verdicts::Asking Verdicts::asking(const DecisionContext& cycle, Kept& kept,
                                  const RowChanges& changes, bool shared_stay, bool few) {
  const auto& lagging = kept.calls.state().lagging;
  const bool same = shared_stay && !kept.external;
  if (same && !kept.stale && !changes.may_concern(kept.inputs, lagging)) return Asking::kNone;
  asked_.clear();
  const bool near = changes.concerns_neighbours(kept.inputs, lagging);
  const bool by_row = near || changes.concern(kept.inputs, lagging, asked_);
  const bool changed = (!same && follow_shared(cycle, kept)) || !by_row;
  if (changed && few) return Asking::kLater;
  if (changed || kept.stale || many(asked_.size(), rows_)) return Asking::kAll;
  if (near) return changes.neighbours().size() == 0 ? Asking::kNone : Asking::kNeighbours;
  return asked_.empty() ? Asking::kNone : Asking::kRows;
}

bool Verdicts::ask(Kept& kept, Asking how, RowWork& work, RowChanges& changes) {
  switch (how) {
    case Asking::kRows:
      return ask_rows(kept, work.mine(), asked_);
    case Asking::kNeighbours:
      return ask_neighbours(kept, work.mine(), changes);
    case Asking::kAll:
      return ask_all(kept, work);
    case Asking::kNone:
    case Asking::kLater:
      break;
  }
  return true;
}

// Asks the filters by row. False: one failed.
bool Verdicts::follow_rows(const DecisionContext& cycle, RowWork& work, RowChanges& changes,
                           bool few) {
  const bool shared_stay = shared_.stay(cycle, false);
  for (Kept& kept : filters_) {
    const Asking how = asking(cycle, kept, changes, shared_stay, few);
    if (how == Asking::kNone) continue;
    kept.stale = how == Asking::kLater;
    postponed_ |= kept.stale;
    combined_ &= how != Asking::kAll && how != Asking::kLater;
    if (!ask(kept, how, work, changes)) return false;
  }
  return true;
}

void Verdicts::post(const DecisionContext& cycle, RowWork& work, RowChanges& changes, bool few) {
  refresh();
  const bool usable = built_ && rows_ == cluster_.nodes().rows() &&
                      changes.read(cluster_.nodes(), cluster_.log(), position_) &&
                      changes.rows_are_named();
  if (!usable) return;
  for (const Kept& kept : filters_) {
    if (kept.stale) continue;
    if (!kept.external) {
      post_changed(cycle, kept, changes, rows_, asked_, work.mine());
    } else if (!few) {
      post_all(kept, rows_, work, work.mine());
    }
  }
}

bool Verdicts::note_left_rows(RowChanges& changes, size_t most) {
  const model::Row rows = cluster_.nodes().rows();
  // An error may be of a row that is left, and gone. What is left for too long cannot be read.
  const bool usable = built_ && combined_ && overlays_.empty() && rows_ == rows && !any_error() &&
                      !RowChanges::far(cluster_.log(), position_, rows / 2);
  if (!usable) return false;
  refresh();
  return left_.note(changes, cluster_, most);
}

bool Verdicts::catch_up_but_rows(const DecisionContext& cycle, RowWork& work, RowChanges& none) {
  BERTH_ASSERT(built_ && combined_ && overlays_.empty());
  changed_.clear();
  return follow(cycle, work, none, true);
}

void Verdicts::reach_end_of_log() {
  position_ = cluster_.log().end();
  left_.clear(position_);
}

// Takes these changes. False: as catch_up().
bool Verdicts::follow(const DecisionContext& cycle, RowWork& work, RowChanges& changes, bool few) {
  postponed_ = false;
  built_ = follow_classes(cycle, work, &changes) && follow_rows(cycle, work, changes, few);
  if (!built_ || postponed_) return false;
  if (combined_) {
    // A filter answers otherwise about a row whose declared inputs stayed: nothing can be held.
    if (any_changed_is_overlaid()) end_overlays();
    combine_changed();
  } else {
    overlays_.forget();
    combine_all(work);
  }
  return !any_error();
}

bool Verdicts::catch_up(const DecisionContext& cycle, RowWork& work, RowChanges& changes,
                        bool few) {
  refresh();
  const bool holds = overlays_.take_hold();
  const uint64_t before = position_;
  reach_end_of_log();
  const model::Row rows = cluster_.nodes().rows();
  // Rows that are overlaid may be gone, too; a rebuild forgets them.
  if (built_ && changes.read(cluster_.nodes(), cluster_.log(), before)) {
    if (!holds) end_overlays();
    BERTH_ASSERT(overlays_.empty() || changes.renumberings().empty());
    built_ = follow_moves(changes);
  } else {
    built_ = false;
  }
  if (!built_) {
    overlays_.forget();
    // Verdicts that were not used for long are made only if they are used again soon.
    if (few && RowChanges::far(cluster_.log(), before, rows)) return false;
    return rebuild(cycle, work);
  }
  changed_.clear();
  // No filter may be asked by row; new rows count nevertheless.
  changes.for_each_new([&](model::Row row) { changed_.push_back(row); });
  if (rows != rows_) resize(rows);
  flips_.shorten(rows);
  moves_.shorten(rows);
  return follow(cycle, work, changes, few);
}

model::Row Verdicts::stop(const FeasibleRows& feasible, model::Row begin, model::Row end,
                          uint32_t& wanted) {
  if (feasible.words() != nullptr) return pass_rows(feasible.words(), begin, end, wanted);
  constexpr model::Row kBlocks = 16;  // at once
  std::array<uint64_t, kBlocks> words;
  const FeasibleRows rows = feasible;  // which the compiler keeps in registers
  while (begin < end) {
    const model::Row block = begin / kBlock, first = block * kBlock;
    const model::Row next = std::min(end, first + kBlocks * kBlock);
    rows.write_words(block, (next - first + kBlock - 1) / kBlock, words.data());
    const model::Row found = first + pass_rows(words.data(), begin - first, next - first, wanted);
    if (found != next) return found;
    begin = next;
  }
  return end;
}

FeasibleRows Verdicts::feasible() const {
  FeasibleRows rows{.open = own_.open().data()};
  if (!by_class()) return rows;
  rows.classes = class_rows_.words();
  rows.stride = class_rows_.stride();
  rows.count = class_verdicts_.classes().count();
  rows.refuse(class_verdicts_.refused());
  return rows;
}

uint32_t Verdicts::feasible_rows() const {
  const uint64_t refused = by_class() ? class_verdicts_.refused() : 0;
  return own_.open_rows() - (refused == 0 ? 0 : class_rows_.open_in(refused));
}

void Verdicts::search(const Search& search, SearchResult& found) {
  BERTH_ASSERT(built_ && combined_);
  found.feasible_rows = feasible();
  LateVerdicts* late = by_class() ? this : nullptr;
  found.refuser.point_to(by_class() ? whole_.refusers() : own_.refusers(), late);
  found.code.point_to(by_class() ? whole_.codes() : own_.codes(), late);
  const uint32_t feasible = feasible_rows();
  uint32_t wanted = search.wanted;
  model::Row end = rows_, wrapped = search.start;
  if (feasible > wanted) {
    end = stop(found.feasible_rows, search.start, rows_, wanted);
    wrapped = end < rows_ ? 0 : stop(found.feasible_rows, 0, search.start, wanted);
  }
  if (end != search.start) found.pieces.emplace_back(search.start, end);
  if (wrapped != 0) found.pieces.emplace_back(0, wrapped);
  found.feasible = std::min(feasible, search.wanted);
  found.refused = end - search.start + wrapped - found.feasible;
}

}  // namespace berth::framework
