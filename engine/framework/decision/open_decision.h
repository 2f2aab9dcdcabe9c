#pragma once

// A decision while it is made: what its steps share. Each step reads what the steps before it
// found, adds its part, and tells whether the decision is made.

#include <optional>
#include <string>
#include <vector>

#include "engine/framework/decision/decision.h"
#include "engine/framework/evaluation/evaluator.h"
#include "engine/framework/evaluation/row_filter.h"

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
  bool outside = false;  // the search did not come to the row: the refusal is one status more
};

struct OpenDecision {
  OpenDecision(model::Cluster& of, host::CallContext& thread_calls, Reuse reuse)
      : cluster(of), calls(thread_calls), states(reuse) {}

  void begin(Profile& profile, const Request& asked);
  void fail(std::string message);

  model::Cluster& cluster;
  host::CallContext& calls;
  TemplateStates states;
  const Request* request = nullptr;
  DecisionContext context;
  std::optional<Narrowed> narrowed;
  std::optional<NominatedRefusal> nominated;
  SearchResult found;
  std::vector<HookScores> scores;
  Decision decision;
};

enum class Next : uint8_t { kGoOn, kDecided };

}  // namespace berth::framework
