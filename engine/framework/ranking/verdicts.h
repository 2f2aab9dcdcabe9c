#pragma once

// The verdicts of one set of filters about all rows, kept from one decision to the next: the filter
// half of a ranking. Pods for whom the filters have the same states share it.
//
// It is valid up to a position of the change log. `catch_up` reads the entries since then and calls
// each filter for the rows of which one of its inputs changed; for all rows if an input changed
// that they share, or if so many rows changed that a pass over all is cheaper. Filters that read
// counts by domain are asked once for each class of rows (class_verdicts.h), if the classes are
// few. Where rows moved because nodes came or went, what is kept by row moves with them
// (moved_rows.cc), and only new rows are asked about. A search that looks at few rows may leave the
// changed ones for later (left_rows.h).
//
// A row's own verdict is that of the filters that are asked by row; the row is open if they pass
// it. Its verdict is the own one or that of its class: the filter that comes first in the profile
// counts. So a row is feasible if it is open and its class is not refused, and a class that becomes
// refused, as a zone with too many pods, costs nothing by row: which filter refuses its rows is
// written down when somebody asks.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/framework/evaluation/hook_calls.h"
#include "engine/framework/evaluation/rows/row_filter.h"
#include "engine/framework/kept/row_versions.h"
#include "engine/framework/ranking/class_verdicts.h"
#include "engine/framework/ranking/post_changed.h"
#include "engine/framework/ranking/rows/class_rows.h"
#include "engine/framework/ranking/rows/left_rows.h"
#include "engine/framework/ranking/rows/overlays.h"
#include "engine/framework/ranking/rows/own_verdicts.h"
#include "engine/framework/ranking/rows/row_changes.h"
#include "engine/framework/ranking/rows/row_log.h"
#include "engine/framework/ranking/shared_inputs.h"
#include "engine/framework/ranking/whole_verdicts.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class Verdicts final : private LateVerdicts {
 public:
  // The hooks and states of the filters that are called for rows outlive every use.
  Verdicts(const DecisionContext& cycle, const model::Cluster& cluster);

  // Brings all rows up to date. False: a filter failed or answered ERROR for some row, so that the
  // search has to ask row by row. `few`: the search looks at few of the rows; then false also if a
  // filter has to be asked about all rows again, which costs more than the search does, unless it
  // could have been kept since the last decision.
  // Precondition: the context's filters are those of the constructor.
  [[nodiscard]] bool catch_up(const DecisionContext& cycle, RowWork& work, RowChanges& changes,
                              bool few);
  // Notes the rows that changed since the last catch_up(). True: they are `most` or fewer, and
  // nothing else belongs to single rows, so that a search of few rows may leave them: call
  // catch_up_but_rows() for it.
  [[nodiscard]] bool note_left_rows(RowChanges& changes, size_t most);
  // As catch_up() for a search of few rows, but leaves the rows that changed. Precondition:
  // note_left_rows() returned true since the model was modified, and `none` has no changes.
  [[nodiscard]] bool catch_up_but_rows(const DecisionContext& cycle, RowWork& work,
                                       RowChanges& none);
  // True if the last search read a row that is left: it has to be made again after catch_up().
  bool read_left_row(const SearchResult& found) const { return left_.any_in(found, rows_); }
  // Position in the change log up to which changes of rows were noted, taken or left.
  uint64_t noted() const { return left_.noted(); }
  // Posts calls that catch_up() with the same arguments will make, in a round of the caller's part.
  void post(const DecisionContext& cycle, RowWork& work, RowChanges& changes, bool few);
  // Does so ahead of a decision, as far as it can: asks about the rows that changed, if nothing
  // else did. What is left, and all errors, is found by the next catch_up(). False: not all that
  // changed was asked about. Any thread, while the model is not modified; `part` and `changes` are
  // the thread's.
  bool advance(RowPart& part, RowChanges& changes);
  // True if catch_up() may be called for them on any thread, while the model is not modified and
  // with RowWork of that thread alone.
  bool suits_any_thread() const;
  bool built() const { return built_; }  // the last catch_up(), if any, left verdicts
  // Entries of the change log since the last catch_up() or advance().
  uint64_t behind() const { return cluster_.log().end() - position_; }
  uint64_t position() const { return position_; }  // in the change log, at that time
  // The row has this verdict, because of pods that are nominated to it, until the next catch_up(),
  // which ends overlays that are not held. Precondition: it refuses the row, which has no overlay.
  void overlay(model::Row row, const RowVerdict& verdict);
  // Says that the overlays are all that pods of this kind (KeptRows::number) see in rows up to this
  // version. Kind 0: they hold for this decision alone.
  void overlays_are_of(uint64_t kind, uint64_t version);
  // The kind and the version; kind 0 also where overlays ended since.
  uint64_t overlaid_kind() const { return overlays_.kind(); }
  uint64_t overlaid_version() const { return overlays_.version(); }
  // Ends the overlays of rows with a higher version, and holds the others through the next
  // catch_up(). Precondition: these are the versions of overlaid_kind(), and up to date.
  void hold_overlays(const RowVersions& versions);
  RowVerdict at(model::Row row) const;

  // Takes the rows that the serial loop looks at. Precondition: catch_up() or catch_up_but_rows()
  // returned true for this decision.
  void search(const Search& search, SearchResult& found);

  // Valid until the next catch_up() or catch_up_but_rows(). Rows that are left are as they were.
  FeasibleRows feasible() const;
  const RowLog& flips() const { return flips_; }  // rows that became open, or closed
  // Of the filters that are asked by class; null: there are none.
  const RowClasses* classes() const { return by_class() ? &class_verdicts_.classes() : nullptr; }
  // Rows that are in another of these classes; where rows moved, one row of each block in which
  // classes differ.
  const RowLog& moves() const { return moves_; }
  const Refuser* refusers() const { return by_class() ? whole_.refusers() : own_.refusers(); }
  // Asks for the memory of what is read when the row changes.
  void prefetch(model::Row row) const {
    if (row >= rows_) return;
    for (const Kept& kept : filters_)
      if (kept.refuses()) __builtin_prefetch(&kept.verdicts[row]);
  }
  size_t bytes() const;

  // The filters of the context that are called for rows, and their states, in order.
  template <typename Visit>  // visit(index in the profile's list, TemplateHook&)
  static void for_each_called(const DecisionContext& cycle, Visit&& visit) {
    const auto& hooks = cycle.profile->filter;
    for (size_t i = 0; i < hooks.size(); ++i) {
      if (!cycle.calls(hooks[i])) continue;
      TemplateHook& state = *cycle.filter_states()[i];
      if (state.failed || !state.prepared.passes()) visit(i, state);
    }
  }

 private:
  struct Kept {
    size_t index;  // in the profile's list
    FilterCalls calls;
    model::Changes inputs;          // those of a row
    uint64_t shared = 0;            // stamp of the inputs that all rows share
    bool stale = false;             // no verdict is up to date
    bool external = false;          // an answer holds for one decision
    std::vector<uint8_t> verdicts;  // by row; empty: all rows pass

    bool refuses() const { return !verdicts.empty(); }  // some row, maybe
  };
  // A filter that is called, before it is known how it is asked.
  struct Called {
    size_t index;
    const HookAt<host::Filter>* hook;
    TemplateHook* state;
  };

  // The way in which a filter is asked about changes: not at all, about rows, or about all rows;
  // kLater: about all rows, by a later decision, until which it is stale.
  enum class Asking : uint8_t { kNone, kRows, kNeighbours, kAll, kLater };

  void assign(bool by_class);
  bool by_class() const { return !class_verdicts_.empty(); }
  void refresh() const;
  void reach_end_of_log();
  [[nodiscard]] bool follow(const DecisionContext& cycle, RowWork& work, RowChanges& changes,
                            bool few);
  [[nodiscard]] bool follow_rows(const DecisionContext& cycle, RowWork& work, RowChanges& changes,
                                 bool few);
  [[nodiscard]] bool follow_classes(const DecisionContext& cycle, RowWork& work,
                                    const RowChanges* changes);
  [[nodiscard]] static bool follow_shared(const DecisionContext& cycle, Kept& kept);
  [[nodiscard]] Asking asking(const DecisionContext& cycle, Kept& kept, const RowChanges& changes,
                              bool shared_stay, bool few);
  [[nodiscard]] bool ask(Kept& kept, Asking how, RowWork& work, RowChanges& changes);
  [[nodiscard]] bool ask_all(Kept& kept, RowWork& work);
  [[nodiscard]] bool takes(Kept& kept, std::span<const uint8_t> answers) const;
  [[nodiscard]] bool ask_rows(Kept& kept, RowPart& part, std::span<const model::Row> rows);
  [[nodiscard]] bool ask_neighbours(Kept& kept, RowPart& part, RowChanges& changes);
  [[nodiscard]] bool can_advance(const RowChanges& changes) const;
  [[nodiscard]] bool advance_rows(RowPart& part, RowChanges& changes);
  [[nodiscard]] bool rebuild(const DecisionContext& cycle, RowWork& work);
  void resize(model::Row rows);
  // Moves all that is kept by row (moved_rows.cc). False: some filter reads the numbers of rows.
  [[nodiscard]] bool follow_moves(const RowChanges& changes);
  void move(const model::Renumbering& by, model::BlockBits& classes, model::BlockBits& verdicts);
  void log_blocks(const model::BlockBits& blocks);
  void combine_all(RowWork& work);
  void combine(model::Row row);
  void take_moves();
  void combine_changed();
  void count_all();
  void settle() override { whole_.settle(class_verdicts_, own_, overlays_, rows_); }
  void settle(model::Row row);
  void set(model::Row row, Refuser refuser, uint8_t code);
  void end(const Overlays::One& one);
  void end_overlays();
  bool any_changed_is_overlaid() const;
  uint32_t feasible_rows() const;
  bool any_error() const { return own_.any_error() || (by_class() && class_verdicts_.any_error()); }
  // The row behind the last one of a search that begins at `begin`, ends at `end` and takes
  // `wanted` feasible rows, of which it takes away those that it found.
  static model::Row stop(const FeasibleRows& feasible, model::Row begin, model::Row end,
                         uint32_t& wanted);

  const model::Cluster& cluster_;
  std::vector<Called> called_;
  std::vector<Kept> filters_;  // asked by row
  bool lags_ = false;          // some of them read counts by row, see BoundHook::refresh
  SharedInputs shared_;        // theirs
  ClassVerdicts class_verdicts_;
  model::Row rows_ = 0;
  bool built_ = false;
  bool combined_ = false;   // the verdicts below follow those of the filters
  bool postponed_ = false;  // some filter is stale
  uint64_t position_ = 0;   // in the change log
  LeftRows left_;           // since then
  OwnVerdicts own_;
  RowLog flips_, moves_;
  // With classes.
  ClassRows class_rows_;
  WholeVerdicts whole_;
  Overlays overlays_;
  std::vector<model::Row> asked_, changed_;
  std::vector<MovedRow> moved_;
};

}  // namespace berth::framework
