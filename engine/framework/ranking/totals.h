#pragma once

// The scores of one set of Score hooks about all rows, and their totals, kept from one decision to
// the next: the scoring half of a ranking.
//
// Raw scores are brought up to date as verdicts are (verdicts.h). A total changes if a raw score of
// its row does, if its row becomes feasible or refused, and if the extremes of a score that is
// normalised change: then all of them do. Extremes and the best total are kept by block of 64 rows,
// so a changed row costs a look at its block and at the blocks' numbers.
//
// Totals are made with the extremes of all feasible rows. A decision that looks at fewer rows may
// use them if the extremes there are the same, which is most often so.

#include <string>
#include <vector>

#include "engine/framework/evaluation/hook_calls.h"
#include "engine/framework/evaluation/score_sums.h"
#include "engine/framework/ranking/row_changes.h"
#include "engine/framework/ranking/verdicts.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class Totals {
 public:
  // The hooks and states of the scores that are called outlive every use. No state is failed.
  Totals(const DecisionContext& cycle, const model::Cluster& cluster);

  // Brings the raw scores up to date: of the searched rows, and of all others unless a hook would
  // have to be asked about all of them while the search looked at few. An error's text, or empty.
  // Precondition: the context's scores are those of the constructor.
  [[nodiscard]] std::string ask(const DecisionContext& cycle, const SearchResult& found, bool few,
                                RowWork& work, RowChanges& changes);
  // If there are kept totals and they are those of the searched rows, points `found` to them,
  // describes the scores of each hook, and returns true. Precondition: ask() succeeded for this
  // decision, and `found` is what Verdicts::search() took from these verdicts, always the same.
  [[nodiscard]] bool take(const DecisionContext& cycle, host::CallContext& calls,
                          const Verdicts& verdicts, SearchResult& found,
                          std::vector<HookScores>& scores);
  // Adds the raw scores of all hooks for the rows of ScoreSums::begin(). An error's text, or empty.
  // Precondition: ask() succeeded for this decision.
  [[nodiscard]] std::string add_to(ScoreSums& sums) const;
  size_t bytes() const;

  // The scores of the context that are called, and their states, in order.
  template <typename Visit>  // visit(index in the profile's list, TemplateHook&)
  static void for_each_called(const DecisionContext& cycle, Visit&& visit) {
    const auto& hooks = cycle.profile->score;
    for (size_t i = 0; i < hooks.size(); ++i)
      if (cycle.calls(hooks[i])) visit(i, *cycle.score_states[i]);
  }

 private:
  struct Kept {
    size_t index;  // in the profile's list
    ScoreCalls calls;
    bool zero;  // 0 for all rows
    model::Changes inputs = 0;
    uint64_t shared = 0;           // see Verdicts
    uint64_t version = 0;          // of the answer of PreScore that the scores follow
    bool asked = false;            // some raw scores are new since follow()
    bool asked_all = false;        // all of them
    bool partly = false;           // those of searched rows alone are up to date
    bool odd = false;              // some score is out of range, or has no total here
    std::vector<int64_t> raw;      // by row
    std::vector<Extremes> blocks;  // of feasible rows; of scores that are normalised
    Extremes all;
    Extremes used;  // in the totals

    uint32_t kind() const { return calls.hook().point->normalise(); }
    int64_t weight() const { return calls.hook().weight; }
    bool normalises() const { return kind() != BERTH_NORMALISE_NONE; }
    int64_t final(model::Row row) const {
      return normalises() ? normalised(kind(), raw[row], used.minimum, used.maximum) : raw[row];
    }
  };

  void resize(model::Row rows);
  [[nodiscard]] bool ask(const DecisionContext& cycle, Kept& kept, const SearchResult* searched,
                         RowWork& work, const RowChanges& changes, bool rebuilds, bool far);
  [[nodiscard]] bool ask_rows(Kept& kept, RowWork& work);
  // Brings extremes and totals up to date.
  void follow(const Verdicts& verdicts);
  void take_flips(const Verdicts& verdicts);
  void touch(model::Row row);
  void follow_extremes(Kept& kept, bool flipped);
  Extremes extremes_of_block(const Kept& kept, uint32_t block, uint64_t within) const;
  Extremes extremes_of(const Kept& kept, const SearchResult& found) const;
  void follow_totals(const Verdicts& verdicts);
  void add_all(const Verdicts& verdicts);
  void follow_best(uint32_t block);
  void follow_group(uint32_t group);
  void forget_touched();

  const model::Cluster& cluster_;
  std::vector<Kept> hooks_;
  model::Row rows_ = 0;
  bool built_ = false;
  uint64_t position_ = 0;      // in the change log
  RowBits feasible_;           // the verdicts' at the last catch_up
  uint64_t epoch_ = 0;         // of the verdicts' flips
  size_t flips_ = 0;           // seen in this epoch
  bool totals_stand_ = false;  // for all rows that are not touched
  std::vector<int64_t> total_;
  std::vector<BlockBest> best_;      // by block
  std::vector<BlockBest> groups_;    // by 64 blocks
  std::vector<model::Row> touched_;  // rows whose totals may differ
  std::vector<uint32_t> touched_blocks_;
  std::vector<bool> block_is_touched_;
  std::vector<model::Row> asked_;
  std::vector<int64_t> answers_;
  std::vector<int64_t> final_;  // of one hook
};

}  // namespace berth::framework
