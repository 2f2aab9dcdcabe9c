#pragma once

// The scores of one set of Score hooks about all rows, and their totals, kept from one decision to
// the next: the scoring half of a ranking.
//
// Raw scores are brought up to date as verdicts are (verdicts.h). A row's total is the sum of the
// scores that are asked by row; where scores are asked by class (class_scores.h), the part of the
// row's class comes on top. The part is added when a row is picked, so a count that changes the
// scores of a zone changes one number.
//
// A total changes if a raw score of its row does, and if the extremes of a score that is normalised
// change: then all of them do. For each block of 64 rows, and for each 64 blocks, the best total of
// the open rows (verdicts.h) of each class is kept, and the extremes of scores that are normalised.
// So a changed row, and a row that becomes open or closed, costs a look at its block and at the
// blocks' numbers. A class that becomes refused, or no longer, is left out of the pick, or no
// longer.
//
// Totals take 32 bits. Where the weights of scores are so large that a total may not fit, none are
// kept, and each decision adds the scores of the rows that it searched.
//
// Totals are made with the extremes of all feasible rows. A decision that looks at fewer rows may
// use them if the extremes there are the same, which is most often so. Else it adds the raw scores
// of the rows that it searched once more, with the extremes of these (SearchedTotals). Totals of
// refused rows are not kept.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "engine/framework/evaluation/hook_calls.h"
#include "engine/framework/evaluation/scores/score_sums.h"
#include "engine/framework/ranking/rows/row_changes.h"
#include "engine/framework/ranking/shared_inputs.h"
#include "engine/framework/ranking/totals/best_totals.h"
#include "engine/framework/ranking/totals/class_scores.h"
#include "engine/framework/ranking/totals/raw_scores.h"
#include "engine/framework/ranking/totals/total_classes.h"
#include "engine/framework/ranking/totals/touched_rows.h"
#include "engine/framework/ranking/verdicts.h"

namespace berth::framework {

// Where more than one of so many rows is touched, all totals are added: whole columns take less
// time.
inline constexpr model::Row kMostTouched = 32;

// The totals of the rows of one search, whose extremes are not those of all feasible rows. Arrays
// are as those of Totals; what belongs to blocks without a searched row is unspecified.
struct SearchedTotals {
  std::vector<KeptTotal> totals;
  std::vector<BlockBest> blocks;
};

// Belongs to the thread that owns the model.
class Totals {
 public:
  // The hooks and states of the scores that are called outlive every use.
  Totals(const DecisionContext& cycle, const model::Cluster& cluster);
  // True if some score could not be prepared: then there are no totals, and ask() is not called.
  bool failed() const { return failed_; }

  // Brings the raw scores up to date: of the searched rows, and of all others unless a hook would
  // have to be asked about all of them while the search looked at few. An error's text, or empty.
  // Precondition: the context's scores are those of the constructor.
  [[nodiscard]] std::string ask(const DecisionContext& cycle, const SearchResult& found, bool few,
                                RowWork& work, RowChanges& changes);
  // The same for a search that left changed rows: raw scores of these rows may be of an earlier
  // state of the model. Precondition: leaves_noted_rows(), and `none` has no changes.
  [[nodiscard]] std::string ask_but_rows(const DecisionContext& cycle, const SearchResult& found,
                                         RowWork& work, RowChanges& none);
  // True if the rows that changed since the last ask() are among those that these verdicts leave.
  bool leaves_noted_rows(const Verdicts& verdicts) const {
    refresh();  // which may change more
    return built_ && rows_ == cluster_.nodes().rows() && position_ >= verdicts.position() &&
           verdicts.noted() == cluster_.log().end();
  }
  // Brings counts by row up to date that the scores read, so that the change log names these rows.
  void refresh() const;
  // Posts calls that ask() or advance() will make, in a round of the caller's part. The two
  // versions are for these two. False: advance() would do nothing, or would ask about changes that
  // are older than those since `position` in the change log.
  void post(const DecisionContext& cycle, bool few, RowWork& work, RowChanges& changes);
  [[nodiscard]] bool post_ahead(const DecisionContext& cycle, uint64_t position, RowPart& part,
                                RowChanges& changes);
  // Does so ahead of a decision, as far as it can, and brings the totals up to date: see
  // Verdicts::advance(). Precondition: that of these verdicts returned true since the model was
  // modified.
  void advance(const Verdicts& verdicts, RowPart& part, RowChanges& changes);
  // True if ask() may be called for them on any thread, while the model is not modified and with
  // RowWork of that thread alone.
  bool suits_any_thread() const;
  // If there are kept totals, points `found` to those of the searched rows and returns true.
  // `searched` outlives the use of `found`. Precondition: ask() succeeded for this decision, and
  // `found` is what Verdicts::search() took from these verdicts, always the same.
  [[nodiscard]] bool take(host::CallContext& calls, const Verdicts& verdicts, SearchResult& found,
                          SearchedTotals& searched);
  // The scores behind these totals. Precondition: the last take() returned true.
  std::vector<HookScores> scores() const;
  // Adds the raw scores of all hooks for the rows of ScoreSums::begin(). An error's text, or empty.
  // Precondition: ask() succeeded for this decision.
  [[nodiscard]] std::string add_to(ScoreSums& sums);
  // Asks for the memory of what is read when the row changes.
  void prefetch(model::Row row) const {
    if (row >= rows_) return;
    for (const Kept& kept : hooks_)
      if (!kept.zero) kept.raw.prefetch(row);
  }
  size_t bytes() const;

  // The scores of the context that are called, and their states, in order.
  template <typename Visit>  // visit(index in the profile's list, TemplateHook&)
  static void for_each_called(const DecisionContext& cycle, Visit&& visit) {
    const auto& hooks = cycle.profile->score;
    for (size_t i = 0; i < hooks.size(); ++i)
      if (cycle.calls(hooks[i])) visit(i, *cycle.score_states()[i]);
  }

 private:
  // A score that is called, in order.
  struct Called {
    size_t index;  // in the profile's list
    const HookAt<host::Score>* hook;
    TemplateHook* state;
    bool by_class;
    size_t number;  // in hooks_ or class_scores_
  };
  // How raw scores of a hook become final ones: with the extremes of some rows.
  struct Finals {
    Extremes of;
    bool is_same = true;  // all scores are `same`
    int64_t same = 0;
    bool fits = true;  // the extremes can be normalised
  };
  // A score that is asked by row.
  struct Kept {
    size_t index;  // in the profile's list
    ScoreCalls calls;
    bool zero;              // 0 for all rows
    bool external = false;  // a score holds for one decision
    model::Changes inputs = 0;
    uint64_t shared = 0;     // see Verdicts
    uint64_t version = 0;    // of the answer of PreScore that the scores follow
    bool asked = false;      // some raw scores are new since follow()
    bool asked_all = false;  // all of them
    bool partly = false;     // those of searched rows alone are up to date
    bool odd = false;        // some score is out of range, or has no total here
    RawScores raw;
    // Of scores that are normalised, of open rows: at block * stride_ + class of the filters.
    std::vector<Extremes> blocks;
    std::vector<Extremes> of_classes;
    Extremes all;  // of feasible rows
    Finals in_totals;
    Finals in_searched;  // in SearchedTotals, if the last take() gave them out

    uint32_t kind() const { return calls.hook().point->normalise(); }
    int64_t weight() const { return calls.hook().weight; }
    bool normalises() const { return kind() != BERTH_NORMALISE_NONE; }
    int64_t final(model::Row row) const {
      if (in_totals.is_same) return in_totals.same;
      if (!normalises()) return raw[row];
      // Rows of refused classes may hold anything.
      const int64_t within = std::clamp(raw[row], in_totals.of.minimum, in_totals.of.maximum);
      return normalised(kind(), within, in_totals.of.minimum, in_totals.of.maximum);
    }
    Finals finals(const Extremes& of) const;
  };

  // Says which sums are right. Rows and blocks that are touched are excepted, and rows that moved.
  struct Standing {
    bool totals = false, extremes = false, classes = false;
  };

  void assign(bool by_class);
  bool by_class() const { return !class_scores_.empty(); }
  [[nodiscard]] std::string ask_hooks(const DecisionContext& cycle, const SearchResult* searched,
                                      RowWork& work, RowChanges& changes, bool rebuilds, bool far);
  [[nodiscard]] bool follow_classes(const DecisionContext& cycle, RowWork& work,
                                    const RowChanges* changes, bool& rebuilds, std::string& error);
  void resize(model::Row rows);
  // Moves all that is kept by row (moved_rows.cc). False: some score reads the numbers of rows.
  [[nodiscard]] bool follow_moves(const RowChanges& changes);
  void move(const model::Renumbering& by, model::BlockBits& differ);
  // True if no row's score differs. Precondition: the inputs that rows share stay.
  static bool stays(const Kept& kept, const RowChanges& changes) {
    return !kept.external && !kept.partly &&
           !changes.may_concern(kept.inputs, kept.calls.state().lagging);
  }
  [[nodiscard]] bool ask(const DecisionContext& cycle, Kept& kept, const SearchResult* searched,
                         RowWork& work, RowChanges& changes, bool same, bool rebuilds, bool far);
  [[nodiscard]] static bool follow_shared(const DecisionContext& cycle, Kept& kept);
  [[nodiscard]] bool ask_all(Kept& kept, model::Row begin, model::Row end, RowWork& work);
  [[nodiscard]] bool ask_rows(Kept& kept, RowPart& part);
  [[nodiscard]] bool ask_neighbours(Kept& kept, RowPart& part, RowChanges& changes);
  [[nodiscard]] bool can_advance() const {
    return built_ && !by_class() && rows_ == cluster_.nodes().rows();
  }
  [[nodiscard]] bool can_advance(const RowChanges& changes) const;
  [[nodiscard]] bool advance_rows(RowPart& part, RowChanges& changes);
  void take_answer(Kept& kept, model::Row row, int64_t raw);
  [[nodiscard]] bool ask_again(Kept& kept, RowWork& work);
  // Brings extremes and totals up to date. False: some rows have no total here.
  [[nodiscard]] bool follow(const Verdicts& verdicts);
  [[nodiscard]] bool take_moves(const Verdicts& verdicts);
  [[nodiscard]] bool take_flips(const Verdicts& verdicts, bool moved);
  void touch(model::Row row) {
    if (touched_.touch(row)) __builtin_prefetch(&total_[row]);  // follow_totals() reads it
  }
  // True if the total of a row is worked out only while it is open.
  bool follows_open() const {
    return std::ranges::any_of(
        hooks_, [](const Kept& hook) { return hook.normalises() && !hook.in_totals.is_same; });
  }
  void divide_extremes();
  void follow_extremes(Kept& kept, bool flipped);
  [[nodiscard]] bool follow_extremes_of_block(Kept& kept, uint32_t block);
  Extremes extremes_of_allowed(const Extremes* by_class) const;
  Extremes extremes_of(const Kept& kept, const SearchResult& found) const;
  [[nodiscard]] bool follow_totals();
  [[nodiscard]] KeptTotal divide(Finals Kept::*with);
  void add_rows(model::Row begin, model::Row end, KeptTotal same, Finals Kept::*with,
                KeptTotal* total) const;
  void add_all();
  void forget_touched();
  uint64_t present_classes(const SearchResult& found) const;
  [[nodiscard]] bool add_parts(host::CallContext& calls, const SearchResult& found);
  [[nodiscard]] bool find_finals(const SearchResult& found);
  void add_searched(const SearchResult& found, SearchedTotals& searched);
  static const int64_t* wide_in(ScoreSums& sums, const Called& called, const RawScores& raw);
  void describe(const Kept& hook, HookScores& out) const;

  const model::Cluster& cluster_;
  std::vector<Called> called_;
  std::vector<Kept> hooks_;
  bool failed_ = false;  // some score could not be prepared
  bool lags_ = false;    // some of hooks_ read counts by row, see BoundHook::refresh
  SharedInputs shared_;  // theirs
  ClassScores class_scores_;
  model::Row rows_ = 0;
  bool built_ = false;
  uint64_t position_ = 0;  // in the change log
  // Of the verdicts at the last follow().
  FeasibleRows now_;
  RowBits open_;
  uint64_t refused_ = 0;
  RowLogPosition flips_, moves_;
  Standing stand_;
  bool fits_ = true;              // every total fits
  std::vector<KeptTotal> total_;  // by row, without the part of the class
  TotalClasses classes_;
  uint64_t allowed_ = 1;  // of these classes, as bits
  std::array<int64_t, RowClasses::kMost> parts_{};
  bool took_searched_ = false;  // the last take() gave out SearchedTotals
  BestTotals best_;
  uint32_t stride_ = 1;  // places for classes of filters in Kept::blocks
  TouchedRows touched_;
  std::vector<MovedRow> moved_;  // in another class of the scores
  std::vector<model::Row> asked_;
  // Of the hooks: those whose raw scores are added as they are, and those that are normalised.
  struct Plain {
    const RawScores* raw;
    int64_t weight;
  };
  std::vector<Plain> plain_;
  std::vector<const Kept*> normalised_;
};

}  // namespace berth::framework
