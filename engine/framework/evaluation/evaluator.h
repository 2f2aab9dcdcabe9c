#pragma once

// The three ways to filter and score. Their results are equal to the bit.
//
// Reference: row by row, hook by hook, with early exit, as kube-scheduler's serial loop does. It
// prepares template states for each decision and caches nothing, so a fault in a cache of the other
// two shows as a difference. Full: hooks over blocks of rows, in chunks from the start index on,
// stopping where the serial loop stops; large chunks on several threads. Incremental: verdicts,
// scores and totals of all rows are kept for each kind of pod (ranking), and a decision evaluates
// the rows whose inputs changed since the last decision for such a pod.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/framework/evaluation/decision_context.h"
#include "engine/framework/evaluation/rows/search_result.h"
#include "engine/host/calls/call_context.h"

namespace berth::framework {

enum class Evaluation : uint8_t { kReference, kFull, kIncremental };

constexpr const char* name_of(Evaluation evaluation) {
  switch (evaluation) {
    case Evaluation::kReference:
      return "reference";
    case Evaluation::kFull:
      return "full";
    case Evaluation::kIncremental:
      break;
  }
  return "incremental";
}

// The input of one search.
struct Search {
  // The rows to search, in this order; null: all rows, from `start` to the end and then from row 0.
  const std::vector<model::Row>* only = nullptr;
  model::Row start = 0;
  uint32_t wanted = 0;  // feasible rows; the search stops at the next one, which does not count
};

// The state that an evaluator keeps for kinds of pods.
struct KeptRankings {
  uint64_t count = 0, bytes = 0;  // now
  uint64_t limit = 0;             // of the bytes
  uint64_t evicted = 0;           // so far: for want of memory, or since no pod of the kind came
  uint64_t for_memory = 0;        // of these, for want of memory
};

// Numbers of the answers that are kept for a kind of pods (hooks/pod_kind.h); 0: there are none.
struct KindAnswers {
  uint64_t pre_filter = 0;
  uint64_t pre_score = 0;
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // Tells whether its decisions may use template states and answers of earlier decisions.
  virtual Reuse reuse() const = 0;
  // Tells whether answers about single rows may be kept for later decisions (kept/kept_rows.h).
  virtual bool keeps() const { return false; }

  // Runs the filters. Fills in all of `search_result` except the totals. An error of a filter at a
  // row that the serial search reaches is stored in search_result.error. Precondition: the
  // context's filters are resolved. Source: kube-scheduler schedule_one.go
  // findNodesThatPassFilters.
  virtual void filter(const DecisionContext& cycle, const Search& search,
                      SearchResult& search_result) = 0;
  // Scores the feasible rows of the search result: fills in the weighted totals. Returns the text
  // of an error, or an empty text. Precondition: filter() filled in the search result, and the
  // context's scores are resolved. Source: kube-scheduler runtime/framework.go RunScorePlugins.
  virtual std::string score(const DecisionContext& cycle, SearchResult& search_result) = 0;
  // The scores behind the totals: one entry for each hook that scored the pod, in the profile's
  // order. Precondition: the last score() succeeded, and the model was not modified since.
  virtual std::vector<HookScores> scores() const = 0;

  // Number of pods that wait next whose kinds the evaluator wants to know, for prepare(); 0: none.
  // To be asked once for each decision, before it.
  virtual size_t looks_ahead() { return 0; }
  // True if prepare() makes use of kinds about whose pods nothing was decided yet.
  virtual bool prepares_new_kinds() const { return false; }
  // Does what decisions about pods that wait will need. `next`: their kinds, in turn. `new_kinds`:
  // the contexts of those that are new (Decider::introduce). Decisions do not depend on it.
  virtual void prepare(std::span<const KindAnswers> next,
                       std::span<const DecisionContext> new_kinds) {
    static_cast<void>(next);
    static_cast<void>(new_kinds);
  }

  // The pod of the last decision is about to be placed on this row: asks for the memory that the
  // next decision reads for it.
  virtual void expect(model::Row row) { static_cast<void>(row); }

  // Drops what is kept of template states: all of them are about to be forgotten.
  virtual void forget() {}

  virtual KeptRankings rankings() const { return {}; }
  // Number of rows that threads other than the deciding one evaluated so far.
  virtual uint64_t rows_off_main() const { return 0; }
  // The contexts of the threads that help the deciding one, which hold the counts of their calls.
  // Valid as long as the evaluator.
  virtual std::vector<host::CallContext*> helpers() const { return {}; }
};

// Texts of errors, as kube-scheduler words them.
std::string filter_error(const std::string& plugin, std::string_view text);
std::string score_error(const std::string& plugin, const std::string& text);

}  // namespace berth::framework
