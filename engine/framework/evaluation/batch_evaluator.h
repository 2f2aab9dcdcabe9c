#pragma once

// The full evaluation: hooks over blocks of rows, everything anew for each decision.
//
// Filtering. kube-scheduler looks at rows one by one from the start index on and stops at the
// feasible row after the last wanted one, or at an error. Here rows are evaluated in chunks of
// estimated size, every filter over the whole chunk; then `take_chunk` walks the verdicts in row
// order and takes rows up to the one at which the serial loop stops. What was evaluated beyond that
// row is not taken, so neither chunk sizes nor threads can change a result. A filter's error counts
// only if the walk reaches its row; the filter is then called again for that row alone, to get the
// text. Rows with nominated pods are checked again one by one (NominatedOverlay), after the chunk.
//
// Scoring. Each hook scores the blocks that hold the rows taken, refused rows included; ScoreSums
// adds up.
//
// Template states are resolved before (DecisionContext). Threads: see row_work.h.

#include <memory>
#include <vector>

#include "engine/framework/evaluation/evaluator.h"
#include "engine/framework/evaluation/hook_calls.h"
#include "engine/framework/evaluation/rows/row_work.h"
#include "engine/framework/evaluation/scores/score_sums.h"
#include "engine/framework/kept/nominated_overlay.h"

namespace berth::framework {

// Belongs to the thread that owns the model; the threads of RowWork help it during a call.
class BatchEvaluator final : public Evaluator {
 public:
  BatchEvaluator(model::Cluster& cluster, host::CallContext& calls, const FullOptions& options)
      : cluster_(cluster),
        rows_(cluster, calls),
        nominated_(cluster, calls, rows_),
        work_(calls, options),
        sums_(cluster, calls) {}

  Reuse reuse() const override { return Reuse::kShared; }
  void filter(const DecisionContext& cycle, const Search& search,
              SearchResult& search_result) override;
  std::string score(const DecisionContext& cycle, SearchResult& search_result) override;
  std::vector<HookScores> scores() const override { return sums_.scores(); }
  uint64_t rows_off_main() const override { return work_.rows_off_main(); }
  std::vector<host::CallContext*> helpers() const override { return work_.helpers(); }

  // The state that the incremental evaluation shares with this one, between two calls.
  RowWork& work() { return work_; }
  ScoreSums& sums() { return sums_; }
  NominatedOverlay& nominated() { return nominated_; }

 private:
  // A filter that is called for the current pod.
  struct ActiveFilter {
    size_t index;  // in the profile's filter list
    bool failed;   // for all rows
    FilterCalls calls;
  };

  // A score that is called for the current pod.
  struct ActiveScore {
    size_t index;  // in the profile's list
    const TemplateHook* state;
    ScoreCalls calls;
    // False: 0 everywhere, or not to be called.
    bool asks() const { return !state->failed && !state->prepared.passes(); }
  };

  void begin_filters(const DecisionContext& cycle);
  static void note_failed(const ActiveFilter& active, model::Row begin, model::Row end,
                          RowPart& part);
  bool settle_error(const DecisionContext& cycle, model::Row row, SearchResult& search_result);
  bool fails_alone(const DecisionContext& cycle, const FailedCall& failed);
  void check_failed_calls(const DecisionContext& cycle, SearchResult& search_result);
  void begin_scores(const DecisionContext& cycle);
  void post_scores();
  void search_list(const DecisionContext& cycle, const Search& search, SearchResult& search_result);
  bool search_piece(const DecisionContext& cycle, model::Row begin, model::Row end, uint32_t wanted,
                    SearchResult& search_result);
  bool take_chunk(const DecisionContext& cycle, model::Row begin, model::Row end, uint32_t wanted,
                  SearchResult& search_result);
  void filter_rows(const DecisionContext& cycle, model::Row begin, model::Row end,
                   SearchResult& search_result);
  void filter_block(model::Row begin, model::Row end, SearchResult& search_result, RowPart& part);
  std::string raw_scores(ScoreCalls& calls, std::vector<int64_t>& raw);

  model::Cluster& cluster_;
  RowFilter rows_;
  NominatedOverlay nominated_;
  RowWork work_;
  ScoreSums sums_;
  std::vector<ActiveFilter> filters_;
  std::vector<ActiveScore> scores_;
  std::vector<std::vector<int64_t>> raw_;  // by score hook, by row
};

}  // namespace berth::framework
