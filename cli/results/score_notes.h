#pragma once

// Keeps the scores of the last decision until its pod is known to be scheduled: Reserve and Permit
// may still refuse the node, and the decider's own details are gone by then.

#include <string>
#include <vector>

#include "engine/framework/decision/decide.h"
#include "engine/framework/decision/decision_watch.h"
#include "engine/output/pod_result.h"

namespace berth::cli {

// Of the last decision, which scored the row.
output::NodeScores node_scores(const model::Cluster& cluster, const framework::Decider& decider,
                               model::Row row);

class ScoreNotes final : public framework::DecisionWatch {
 public:
  // `others`: how many nodes besides the chosen one are kept, the best first; among equal ones,
  // the first of the search. The cluster outlives the notes.
  ScoreNotes(const model::Cluster& cluster, size_t others) : cluster_(cluster), others_(others) {}

  void begins(const model::PodRecord& /*pod*/) override { nodes_.clear(); }
  void decided(const framework::Decider& decider, const framework::Decision& decision) override;

  // Of the last decision, the chosen node first. Empty: there was nothing to choose.
  std::vector<output::NodeScores> take() { return std::move(nodes_); }

 private:
  std::vector<model::Row> best_others(const framework::Decider& decider, model::Row chosen);

  const model::Cluster& cluster_;
  size_t others_;
  std::vector<output::NodeScores> nodes_;
};

}  // namespace berth::cli
