#pragma once

// The step that picks one of the best rows.

#include <optional>
#include <vector>

#include "engine/framework/decision/open_decision.h"
#include "engine/framework/evaluation/scores/best_rows.h"

namespace berth::framework {

// Picks the row with the best total, among several by the rule of the options (TieBreak). A random
// draw counts the rows in row order, those that an extender scored in the order of its answer.
// Makes the decision kScheduled.
class PickStep {
 public:
  explicit PickStep(const DecideOptions& options) : options_(options) {}

  void run(OpenDecision& open);

  // The feasible rows in the order of the search, of the last decision that keeps scores and chose
  // among several.
  const std::vector<ScoredRow>& scored_rows() const { return scored_; }

  // See Decider::prefer.
  void prefer(model::StringId node) { preferred_ = node; }

 private:
  std::optional<model::Row> preferred_row(const model::Cluster& cluster);
  model::Row among_several(OpenDecision& open);
  model::Row by_heap_of_extenders(OpenDecision& open) const;
  std::vector<model::Row> scored_by_extenders(const OpenDecision& open,
                                              std::vector<model::Row> best) const;
  void keep_scores(const SearchResult& found);
  uint64_t draw_below(OpenDecision& open, uint64_t count) const;

  const DecideOptions& options_;
  BestRows best_;
  std::vector<ScoredRow> scored_;
  model::StringId preferred_ = 0;
};

}  // namespace berth::framework
