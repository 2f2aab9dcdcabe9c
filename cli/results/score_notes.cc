#include "cli/results/score_notes.h"

#include <algorithm>

namespace berth::cli {

void ScoreNotes::decided(const framework::Decider& decider, const framework::Decision& decision) {
  if (!decision.scored || decision.outcome != framework::Outcome::kScheduled) return;
  nodes_.push_back(node_scores(cluster_, decider, decision.row));
  for (const model::Row row : best_others(decider, decision.row))
    nodes_.push_back(node_scores(cluster_, decider, row));
}

std::vector<model::Row> ScoreNotes::best_others(const framework::Decider& decider,
                                                model::Row chosen) {
  std::vector<model::Row> rows;
  if (others_ == 0) return rows;
  const framework::SearchResult& found = decider.search_result();
  found.for_each_row([&](model::Row row) {
    if (found.refuser[row] == framework::kFeasible && row != chosen) rows.push_back(row);
  });
  std::stable_sort(rows.begin(), rows.end(),
                   [&](model::Row a, model::Row b) { return found.total(a) > found.total(b); });
  rows.resize(std::min(rows.size(), others_));
  return rows;
}

output::NodeScores node_scores(const model::Cluster& cluster, const framework::Decider& decider,
                               model::Row row) {
  output::NodeScores node;
  node.node = cluster.node_name(row);
  node.total = decider.search_result().total(row);
  const auto& hooks = decider.cycle().profile->score;
  for (const framework::HookScores& scores : decider.scores()) {
    const int64_t raw = scores.raw(row);
    node.plugins.push_back({hooks[scores.hook].point->plugin(),
                            raw == BERTH_NOT_SCORED ? std::nullopt : std::optional(raw),
                            scores.final(row), hooks[scores.hook].weight});
  }
  for (const framework::ExtenderScores& scores : decider.extender_scores())
    for (const auto& [of, weighted] : scores.weighted)
      if (of == row) node.extenders.emplace_back(scores.extender, weighted);
  return node;
}

}  // namespace berth::cli
