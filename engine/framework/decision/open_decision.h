#pragma once

// The shared data of the steps of a decision. Each step reads the results of the steps before it,
// adds its own, and returns whether the decision is complete.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/framework/decision/decision.h"
#include "engine/framework/decision/extenders.h"
#include "engine/framework/evaluation/evaluator.h"
#include "engine/framework/evaluation/rows/row_filter.h"

namespace berth::framework {

// The nodes that PreFilter narrows the search to.
struct Narrowed {
  std::vector<model::StringId> names;  // sorted; nodes of these names need not exist
  std::vector<model::Row> rows;        // of those that do, in row order
  std::vector<std::string> plugins;    // that narrowed, sorted
};

// The nominated node, if filters refuse it.
struct NominatedRefusal {
  model::Row row = 0;
  RowVerdict verdict;
  bool outside = false;  // the search did not reach the row: the refusal is an additional status
};

struct ExtenderStatus {
  uint8_t code = 0;  // berth_code
  std::string text;
};

// The changes that extenders made to the result of the search.
struct Extended {
  std::vector<model::Row> rows;  // that pass, in the order of the last answer
  // The refusals that extenders gave: of rows, and of names that are no nodes.
  std::map<model::Row, ExtenderStatus> by_row;
  std::map<std::string, ExtenderStatus> elsewhere;
  // The filters' refusals that have another status now: refuser and code.
  std::vector<std::pair<Refuser, uint8_t>> overwritten;
  bool dropped = false;        // some rows did not pass
  bool objects_alone = false;  // see ExtenderFilter
  std::vector<ExtenderScores> scores;

  uint32_t statuses() const { return static_cast<uint32_t>(by_row.size() + elsewhere.size()); }
};

// One per Decider, reused for every decision.
struct OpenDecision {
  OpenDecision(model::Cluster& of, host::CallContext& thread_calls, Reuse reuse)
      : cluster(of), calls(thread_calls), states(reuse) {}

  // Resets everything for the next decision. `asked` must stay valid during the decision.
  void begin(Profile& profile, const Request& asked);
  // Makes the decision kError with this message.
  void fail(std::string message);

  model::Cluster& cluster;
  host::CallContext& calls;
  TemplateStates states;
  const Request* request = nullptr;
  DecisionContext context;
  std::optional<Narrowed> narrowed;
  std::optional<NominatedRefusal> nominated;
  std::optional<Extended> extended;  // only with extenders
  SearchResult found;
  Decision decision;
};

enum class Next : uint8_t { kGoOn, kDecided };

}  // namespace berth::framework
