#pragma once

// The full and the incremental evaluation: hooks over blocks of rows.
//
// Filtering. kube-scheduler looks at rows one by one from the start index on and stops at the
// feasible row after the last wanted one, or at an error. Here rows are evaluated in chunks of
// estimated size, every filter over the whole chunk; then `take_chunk` walks the verdicts in row
// order and takes rows up to the one at which the serial loop stops. What was evaluated beyond that
// row is not taken, so neither chunk sizes nor threads can change a result. A filter's error counts
// only if the walk reaches its row; the filter is then called again for that row alone, to get the
// text. Rows with nominated pods are checked again one by one (RowFilter), after the chunk.
//
// Scoring. Each hook scores the blocks that hold the rows taken, refused rows included: a branch
// for each row costs more than their scores. Totals of refused rows begin so low (kRefusedTotal)
// that no score lifts them to a total that counts, so the kernels need no mask.
//
// Caching, with `keeps`. Verdicts and raw scores are stored with the template state, in RowCaches:
// a hook is called again for a block only if the stamp of the block's inputs differs. Hooks over a
// dictionary are called once for each code, and their answers are expanded to rows. Memory is
// bounded by dropping all caches when they exceed `cache_bytes`.
//
// Threads. Ranges of rows are split at multiples of `grain`, which are whole blocks, so that no two
// threads write one cache block or one stamp. Everything else that a body writes is in its
// thread's Part. Template states are resolved before (DecisionContext), and the model is not
// modified until the parallel loop returns; the arena's join publishes what threads wrote.

#include <memory>
#include <vector>

#include "engine/framework/evaluation/kernels.h"
#include "engine/framework/evaluation/row_filter.h"
#include "engine/framework/evaluation/workers.h"
#include "engine/framework/kept/nominated_overlay.h"

namespace berth::framework {

struct FullOptions {
  // Threads that help the caller's; they outlive the evaluator. Null: the caller works alone.
  Workers* workers = nullptr;
  // The smallest number of rows that is split over threads, and the number of rows of a part. Both
  // are multiples of 64.
  uint32_t parallel_from = 8192;
  uint32_t grain = 4096;
  bool keeps = true;  // the incremental evaluation: answers are kept from one decision to the next
  size_t cache_bytes = size_t{512} << 20;  // limit of the memory of kept answers, in bytes

  bool operator==(const FullOptions&) const = default;
};

// Belongs to the thread that owns the model; the threads of `workers` help it during a call.
class BatchEvaluator final : public Evaluator {
 public:
  BatchEvaluator(model::Cluster& cluster, host::CallContext& calls, FullOptions options);
  ~BatchEvaluator() override;

  Reuse reuse() const override { return Reuse::kShared; }
  bool keeps() const override { return options_.keeps; }
  void filter(const DecisionContext& cycle, const Search& search,
              SearchResult& search_result) override;
  std::string score(const DecisionContext& cycle, SearchResult& search_result,
                    std::vector<HookScores>& scores) override;

  // Number of rows that threads other than the deciding one evaluated so far.
  uint64_t rows_off_main() const;
  // The contexts of the helping threads, which hold the counts of their calls. The deciding
  // thread's own context is not among them. Valid as long as the evaluator.
  std::vector<host::CallContext*> workers() const;

 private:
  struct Part;  // one thread's memory
  struct ActiveFilter;
  struct ActiveScore;

  void begin_filters(const DecisionContext& cycle);
  void search_all(const DecisionContext& cycle, const Search& search, SearchResult& search_result);
  void search_list(const DecisionContext& cycle, const Search& search, SearchResult& search_result);
  bool search_piece(const DecisionContext& cycle, model::Row begin, model::Row end, uint32_t wanted,
                    SearchResult& search_result);
  bool take_chunk(const DecisionContext& cycle, model::Row begin, model::Row end, uint32_t wanted,
                  SearchResult& search_result);
  void filter_rows(const DecisionContext& cycle, model::Row begin, model::Row end,
                   SearchResult& search_result);
  void filter_block(const DecisionContext& cycle, model::Row begin, model::Row end,
                    SearchResult& search_result, Part& part);
  const uint8_t* verdicts(const DecisionContext& cycle, ActiveFilter& filter, model::Row begin,
                          model::Row end, Part& part);
  bool ask(const DecisionContext& cycle, ActiveFilter& filter, model::Row begin, model::Row end,
           uint8_t* out, Part& part);

  std::string score_hook(const DecisionContext& cycle, size_t index, ActiveScore& active);
  void score_block(const DecisionContext& cycle, size_t index, ActiveScore& active,
                   model::Row begin, model::Row end, Part& part);
  bool ask_score(const DecisionContext& cycle, size_t index, ActiveScore& active, model::Row begin,
                 model::Row end, Part& part);
  uint64_t score_stamp(const DecisionContext& cycle, const HookAt<host::Score>& hook,
                       const TemplateHook& state) const;
  bool add_as_is(const HookAt<host::Score>& hook, const int64_t* raw, SearchResult& search_result);
  Extremes extremes_in(const SearchResult& search_result, const int64_t* raw) const;
  void add_everywhere(int64_t score, SearchResult& search_result);
  std::string add_scores(const DecisionContext& cycle, size_t index, SearchResult& search_result,
                         ActiveScore& active, HookScores& scores);
  std::string add_own(const DecisionContext& cycle, size_t index, SearchResult& search_result,
                      ActiveScore& active, const Extremes& found);
  std::string add_zero(const DecisionContext& cycle, size_t index, SearchResult& search_result,
                       HookScores& scores);

  // Runs body(begin, end, part) over [begin, end) in blocks that begin at multiples of 64, on
  // several threads if it is worth it.
  template <typename Body>
  void over_rows(model::Row begin, model::Row end, const Body& body);
  void take_ranges(const SearchResult& search_result);
  bool alone() const { return parts_.size() == 1; }  // no other thread works on rows

  model::Cluster& cluster_;
  host::CallContext& calls_;
  FullOptions options_;
  RowFilter rows_;
  NominatedOverlay nominated_;
  std::vector<std::unique_ptr<Part>> parts_;  // by slot of the arena; 0 is the caller's
  std::vector<ActiveFilter> filters_;
  std::vector<ActiveScore> scores_;
  std::vector<SearchResult::Piece> ranges_;  // of rows that are scored
};

}  // namespace berth::framework
