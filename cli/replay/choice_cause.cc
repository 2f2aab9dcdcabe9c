#include "cli/replay/choice_cause.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "cli/results/score_notes.h"
#include "engine/base/text/joined.h"
#include "engine/base/text/number_text.h"

namespace berth::cli {
namespace {

Cause told(Cause::Kind kind, std::string plugin, std::string why) {
  return {.kind = kind, .plugin = std::move(plugin), .why = std::move(why)};
}

bool chosen(const Asked& ours) { return ours.decision.outcome == framework::Outcome::kScheduled; }

// The record has no node, and we have one.
Cause pending_in_record(const model::Cluster& cluster, const Asked& ours) {
  return told(
      Cause::Kind::kNotRecorded, {},
      fmt::format("the record leaves the pod without a node; {} is taken here, of {} feasible",
                  cluster.node_name(ours.decision.row), grouped(ours.decision.feasible)));
}

Cause refused_there(const framework::Refusal& refusal, std::string_view node) {
  const bool extender = refusal.plugin == framework::kExtenderPlugin;
  return told(extender ? Cause::Kind::kExtender : Cause::Kind::kFilter,
              extender ? "" : refusal.plugin,
              fmt::format("{} is refused here: {}", node, joined(refusal.reasons, ", ")));
}

bool was_scored(const framework::Decider& decider, model::Row row) {
  bool found = false;
  const framework::SearchResult& result = decider.search_result();
  result.for_each_row([&](model::Row seen) {
    found |= seen == row && result.refuser[seen] == framework::kFeasible;
  });
  return found;
}

int64_t weighted(const output::NodeScores& node, const std::string& plugin) {
  for (const output::PluginScore& score : node.plugins)
    if (score.plugin == plugin) return score.normalised * score.weight;
  return 0;
}

// The plugin by which our node is ahead the most, and what it gives both.
Cause by_score_here(const Asked& ours, const model::Cluster& cluster, model::Row recorded) {
  ours.decider.cycle().refresh_scores();
  const output::NodeScores theirs = node_scores(cluster, ours.decider, recorded);
  const output::NodeScores mine = node_scores(cluster, ours.decider, ours.decision.row);
  Cause cause = told(Cause::Kind::kTie, {},
                     fmt::format("{} and {} have {} each: the draw decides, or the order",
                                 theirs.node, mine.node, mine.total));
  int64_t most = 0;
  for (const output::PluginScore& score : mine.plugins) {
    const int64_t here = score.normalised * score.weight, there = weighted(theirs, score.plugin);
    if (mine.total == theirs.total || here - there <= most) continue;
    most = here - there;
    cause = told(Cause::Kind::kScore, score.plugin,
                 fmt::format("{} has {} against {} of {}, in all {} against {}", mine.node, here,
                             there, theirs.node, mine.total, theirs.total));
  }
  if (mine.total != theirs.total && most == 0)
    cause = told(Cause::Kind::kExtender, {},
                 fmt::format("{} has {} in all against {} of {}", mine.node, mine.total,
                             theirs.total, theirs.node));
  cause.scores = {std::vector{theirs, mine}, std::vector{theirs, mine}};
  return cause;
}

}  // namespace

std::optional<model::Row> row_of_node(const model::Cluster& cluster, std::string_view name) {
  for (model::Row row = 0; row < cluster.nodes().rows(); ++row)
    if (cluster.node_name(row) == name) return row;
  return std::nullopt;
}

Cause choice_cause(const model::Cluster& cluster, const Asked& ours, std::string_view recorded) {
  if (ours.decision.outcome == framework::Outcome::kError)
    return told(Cause::Kind::kError, {}, "here: " + ours.decision.message);
  if (recorded.empty()) return pending_in_record(cluster, ours);
  const std::optional<model::Row> row = row_of_node(cluster, recorded);
  if (!row)
    return told(Cause::Kind::kNotRecorded, {},
                fmt::format("the record does not tell of node {} before", recorded));
  if (ours.decision.pre_filter)
    return told(Cause::Kind::kPreFilter, ours.decision.pre_filter->plugin,
                "the pod is refused here: " + joined(ours.decision.pre_filter->reasons, ", "));
  if (const auto refusal = ours.decider.refusal(*row)) return refused_there(*refusal, recorded);
  if (!chosen(ours))
    return told(Cause::Kind::kNotRecorded, {}, fmt::format("no filter refuses {}", recorded));
  if (!was_scored(ours.decider, *row))
    return told(Cause::Kind::kPercentage, {},
                fmt::format("the search ended after {} nodes, before {}",
                            grouped(ours.decision.evaluated), recorded));
  if (!ours.decision.scored)
    return told(Cause::Kind::kNotRecorded, {},
                "one node alone was feasible, or the pod was nominated");
  return by_score_here(ours, cluster, *row);
}

}  // namespace berth::cli
