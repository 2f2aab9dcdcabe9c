#pragma once

// The incremental evaluation: a decision evaluates the rows whose inputs changed since the last
// decision for such a pod, and takes all else from the pod's ranking.
//
// The full evaluation makes the decisions for which a ranking cannot be used: those about a kind of
// pod that is new, those among rows that PreFilter named, and all while some filter answers ERROR.

#include "engine/framework/evaluation/batch_evaluator.h"
#include "engine/framework/ranking/look_ahead.h"
#include "engine/framework/ranking/rankings.h"

namespace berth::framework {

// Belongs to the thread that owns the model; threads of RowWork help it during a call.
class RankingEvaluator final : public Evaluator {
 public:
  RankingEvaluator(model::Cluster& cluster, host::CallContext& calls, const FullOptions& options)
      : cluster_(cluster),
        calls_(calls),
        full_(cluster, calls, options),
        options_(options),
        rankings_(cluster, options) {}

  Reuse reuse() const override { return Reuse::kShared; }
  bool keeps() const override { return true; }
  void filter(const DecisionContext& cycle, const Search& search, SearchResult& found) override;
  std::string score(const DecisionContext& cycle, SearchResult& found) override;
  std::vector<HookScores> scores() const override {
    return totals_ != nullptr ? totals_->scores() : full_.scores();
  }
  size_t looks_ahead() override { return look_ahead_.wanted(options_, rankings_); }
  // A search of few rows makes no ranking at its first use.
  bool prepares_new_kinds() const override { return !few_ && rankings_.expects_again(); }
  void prepare(std::span<const KindAnswers> next,
               std::span<const DecisionContext> new_kinds) override {
    look_ahead_.run(options_, {next, new_kinds}, rankings_, full_.work());
  }
  void expect(model::Row row) override {
    changes_.recent().prefetch(row);
    if (ranking_ != nullptr) ranking_->verdicts.prefetch(row);
    if (totals_ != nullptr) totals_->prefetch(row);
  }
  void forget() override {
    look_ahead_.forget();
    rankings_.clear();
    changes_.recent().forget();
    ranking_ = nullptr;
    totals_ = nullptr;
  }
  KeptRankings rankings() const override {
    return {rankings_.count(), rankings_.bytes(), rankings_.limit(), rankings_.evicted(),
            rankings_.for_memory()};
  }
  uint64_t rows_off_main() const override { return full_.rows_off_main(); }
  std::vector<host::CallContext*> helpers() const override { return full_.helpers(); }

 private:
  [[nodiscard]] bool catch_up(const DecisionContext& cycle);
  bool search(const DecisionContext& cycle, const Search& search, SearchResult& found);
  bool may_leave_rows(const DecisionContext& cycle, const Search& search);
  [[nodiscard]] bool search_but_rows(const DecisionContext& cycle, const Search& search,
                                     SearchResult& found);
  void hold_overlays(const DecisionContext& cycle);
  void find_nominated(const KeptRows* kept);
  bool overlay_nominated(const DecisionContext& cycle, SearchResult& found);

  model::Cluster& cluster_;
  host::CallContext& calls_;
  BatchEvaluator full_;
  const FullOptions options_;
  Rankings rankings_;
  LookAhead look_ahead_;
  RowChanges changes_;
  RowChanges none_;  // never read: without changes
  std::vector<model::Row> nominated_rows_;
  Ranking* ranking_ = nullptr;  // of the decision; null: it has none
  SearchedTotals searched_totals_;
  Totals* totals_ = nullptr;  // that the last scores were taken from; null: from none
  bool searched_ = false;     // the last search was the ranking's
  bool few_ = false;          // it looks at few of the rows
  bool left_ = false;         // it left changed rows, which it did not come to
};

}  // namespace berth::framework
