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

#include "engine/framework/evaluation/scores/score_sums.h"
#include "engine/framework/ranking/rows/row_changes.h"
#include "engine/framework/ranking/scores/class_scores.h"
#include "engine/framework/ranking/scores/row_scores.h"
#include "engine/framework/ranking/totals/added_scores.h"
#include "engine/framework/ranking/totals/best_totals.h"
#include "engine/framework/ranking/totals/open_rows.h"
#include "engine/framework/ranking/totals/total_classes.h"
#include "engine/framework/ranking/verdicts.h"

namespace berth::framework {

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
  void prefetch(model::Row row) const { scores_.prefetch(row); }
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
    size_t number;  // in scores_ or class_scores_
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
  [[nodiscard]] bool can_advance() const {
    return built_ && !by_class() && rows_ == cluster_.nodes().rows();
  }
  // Brings extremes and totals up to date. False: some rows have no total here.
  [[nodiscard]] bool follow(const Verdicts& verdicts);
  [[nodiscard]] bool take_moves(const Verdicts& verdicts);
  [[nodiscard]] bool take_flips(const Verdicts& verdicts, bool moved);
  // True if the total of a row is worked out only while it is open.
  bool follows_open() const {
    return std::ranges::any_of(scores_.kept(), [](const KeptScore& hook) {
      return hook.normalises() && !hook.in_totals.is_same;
    });
  }
  void prefetch_touched() const;
  void divide_extremes();
  void follow_extremes(KeptScore& kept, bool flipped);
  [[nodiscard]] bool follow_extremes_of_block(KeptScore& kept, uint32_t block);
  Extremes extremes_of_allowed(const Extremes* by_class) const;
  Extremes extremes_of(const KeptScore& kept, const SearchResult& found) const;
  [[nodiscard]] bool follow_totals();
  void add_all();
  void forget_touched();
  uint64_t present_classes(const SearchResult& found) const;
  [[nodiscard]] bool add_parts(host::CallContext& calls, const SearchResult& found);
  [[nodiscard]] bool find_finals(const SearchResult& found);
  void add_searched(const SearchResult& found, SearchedTotals& searched);
  static const int64_t* wide_in(ScoreSums& sums, const Called& called, const RawScores& raw);
  void describe(const KeptScore& hook, HookScores& out) const;

  const model::Cluster& cluster_;
  std::vector<Called> called_;
  bool failed_ = false;  // some score could not be prepared
  RowScores scores_;
  ClassScores class_scores_;
  model::Row rows_ = 0;
  bool built_ = false;
  uint64_t position_ = 0;  // in the change log
  OpenRows open_;          // at the last follow()
  RowLogPosition moves_;   // of rows to other classes of filters
  Standing stand_;
  bool fits_ = true;              // every total fits
  std::vector<KeptTotal> total_;  // by row, without the part of the class
  TotalClasses classes_;
  uint64_t allowed_ = 1;  // of these classes, as bits
  std::array<int64_t, RowClasses::kMost> parts_{};
  bool took_searched_ = false;  // the last take() gave out SearchedTotals
  BestTotals best_;
  uint32_t stride_ = 1;          // places for classes of filters in KeptScore::blocks
  std::vector<MovedRow> moved_;  // in another class of the scores
  AddedScores added_;
};

}  // namespace berth::framework
