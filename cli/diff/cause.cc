#include "cli/diff/cause.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/results/score_notes.h"
#include "engine/base/text/joined.h"
#include "engine/base/text/number_text.h"

namespace berth::cli {
namespace {

using Kind = Cause::Kind;

struct KindNames {
  std::string_view name;   // for programs
  std::string_view title;  // for people
};
constexpr KindNames kKinds[] = {
    {"Profile", "no profile of the pod's scheduler name"},
    {"PreEnqueue", "pre-enqueue"},
    {"PreFilter", "pre-filter"},
    {"Filter", "filter"},
    {"Extender", "an extender"},
    {"PercentageOfNodesToScore", "the percentage of nodes to score"},
    {"Score", "score"},
    {"Tie", "a tie: the nodes are equally good"},
    {"PostFilter", "preemption by post-filter"},
    {"AfterChoice", "refused after the node was chosen"},
    {"Error", "an error"},
    {"Queue", "the order or the times of attempts"},
    {"Follows", "follows from an earlier difference"},
    {"NotRecorded", "not told by the recorded runs"},
};

Cause made(Kind kind, std::string plugin, std::string why) {
  return {.kind = kind, .plugin = std::move(plugin), .why = std::move(why)};
}

bool scheduled(const Asked& one) { return one.decision.outcome == framework::Outcome::kScheduled; }

std::optional<Cause> by_error(const Asked& a, const Asked& b) {
  const bool fails[] = {a.decision.outcome == framework::Outcome::kError,
                        b.decision.outcome == framework::Outcome::kError};
  if (!fails[0] && !fails[1]) return std::nullopt;
  if (fails[0] && fails[1]) return std::nullopt;
  const framework::Decision& failed = fails[0] ? a.decision : b.decision;
  return made(Kind::kError, {}, fmt::format("in {}: {}", fails[0] ? "A" : "B", failed.message));
}

std::optional<Cause> by_pre_filter(const Asked& a, const Asked& b) {
  for (const auto& [side, one, other] : {std::tuple("A", &a, &b), std::tuple("B", &b, &a)}) {
    if (!one->decision.pre_filter || other->decision.pre_filter) continue;
    const framework::PreFilterRefusal& refusal = *one->decision.pre_filter;
    return made(
        Kind::kPreFilter, refusal.plugin,
        fmt::format("the pod is refused in {} alone: {}", side, joined(refusal.reasons, ", ")));
  }
  return std::nullopt;
}

struct RefusedNode {
  const char* side = "";
  std::string node;
  framework::Refusal refusal;
  size_t place = 0;  // of the filter in A's profile
};

// The place of the filter in the profile of A; behind all of these if it is only in that of B.
size_t place_of(const std::string& plugin, const framework::Profile& profile) {
  if (plugin == "PreFilter") return 0;
  const auto at = std::ranges::find_if(
      profile.filter, [&](const auto& hook) { return hook.point->plugin() == plugin; });
  return static_cast<size_t>(at - profile.filter.begin()) + 1;
}

std::optional<RefusedNode> refused(const model::Cluster& cluster, const char* side, const Asked& by,
                                   model::Row row, const framework::Profile& of_a) {
  if (by.decision.pre_filter) return std::nullopt;
  std::optional<framework::Refusal> refusal = by.decider.refusal(row);
  if (!refusal) return std::nullopt;
  const size_t place = place_of(refusal->plugin, of_a);
  return RefusedNode{side, std::string(cluster.node_name(row)), *std::move(refusal), place};
}

Kind kind_of(const framework::Refusal& refusal) {
  if (refusal.plugin == "PreFilter") return Kind::kPreFilter;
  return refusal.plugin == framework::kExtenderPlugin ? Kind::kExtender : Kind::kFilter;
}

// One setting refuses the node that the other one takes.
std::optional<Cause> by_filter(const model::Cluster& cluster, const Asked& a, const Asked& b) {
  const framework::Profile& of_a = *a.decider.cycle().profile;
  std::optional<RefusedNode> first;
  const auto look = [&](const char* side, const Asked& by, const Asked& taken_by) {
    if (!scheduled(taken_by)) return;
    auto found = refused(cluster, side, by, taken_by.decision.row, of_a);
    if (found && (!first || found->place < first->place)) first = std::move(found);
  };
  look("B", b, a);
  look("A", a, b);
  if (!first) return std::nullopt;
  const bool named = kind_of(first->refusal) == Kind::kFilter;
  return made(kind_of(first->refusal), named ? first->refusal.plugin : std::string(),
              fmt::format("{} is refused in {} alone: {}", first->node, first->side,
                          joined(first->refusal.reasons, ", ")));
}

bool scored(const framework::Decider& decider, model::Row row) {
  bool found = false;
  const framework::SearchResult& result = decider.search_result();
  result.for_each_row([&](model::Row seen) {
    found |= seen == row && result.refuser[seen] == framework::kFeasible;
  });
  return found;
}

// Nobody refuses either node, but one search ended before it came to the other's.
std::optional<Cause> by_percentage(const model::Cluster& cluster, const Asked& a, const Asked& b) {
  for (const auto& [side, one, other] : {std::tuple("A", &a, &b), std::tuple("B", &b, &a)}) {
    if (scored(one->decider, other->decision.row)) continue;
    return made(
        Kind::kPercentage, {},
        fmt::format("the search of {} ended after {} nodes, before {}", side,
                    grouped(one->decision.evaluated), cluster.node_name(other->decision.row)));
  }
  return std::nullopt;
}

std::vector<output::NodeScores> scores_by(const model::Cluster& cluster, const Asked& one,
                                          std::array<model::Row, 2> rows) {
  if (!one.decision.scored) return {};
  one.decider.cycle().refresh_scores();
  std::vector<output::NodeScores> scores;
  for (const model::Row row : rows) scores.push_back(node_scores(cluster, one.decider, row));
  return scores;
}

Cause by_score(const model::Cluster& cluster, const Asked& a, const Asked& b) {
  const std::array rows = {a.decision.row, b.decision.row};
  return deciding_score({scores_by(cluster, a, rows), scores_by(cluster, b, rows)});
}

std::string nomination(const model::Cluster& cluster,
                       const std::optional<framework::PostFilterResult>& result) {
  if (!result || result->plugin.empty()) return "nothing";
  return fmt::format("{} for {}", cluster.node_name(result->row),
                     plural(result->victims.size(), "pod") + " to evict");
}

bool equal_nominations(const std::optional<framework::PostFilterResult>& a,
                       const std::optional<framework::PostFilterResult>& b) {
  const bool any_a = a && !a->plugin.empty(), any_b = b && !b->plugin.empty();
  if (!any_a || !any_b) return any_a == any_b;
  return a->row == b->row && std::ranges::is_permutation(a->victims, b->victims);
}

std::optional<Cause> by_post_filter(const model::Cluster& cluster, const Asked& a, const Asked& b) {
  const auto& in_a = a.decision.post_filter;
  const auto& in_b = b.decision.post_filter;
  if (equal_nominations(in_a, in_b)) return std::nullopt;
  const bool by_a = in_a && !in_a->plugin.empty();
  return made(Kind::kPostFilter, by_a ? in_a->plugin : in_b->plugin,
              fmt::format("nominates {} in A, {} in B", nomination(cluster, in_a),
                          nomination(cluster, in_b)));
}

// The amount that a plugin, or an extender, adds to the total of a node.
int64_t part(const output::NodeScores& node, const std::string& name, bool extender) {
  if (extender) {
    const auto at =
        std::ranges::find(node.extenders, name, &std::pair<std::string, int64_t>::first);
    return at == node.extenders.end() ? 0 : at->second;
  }
  const auto at = std::ranges::find(node.plugins, name, &output::PluginScore::plugin);
  return at == node.plugins.end() ? 0 : at->normalised * at->weight;
}

struct ScorePart {
  std::string name;
  bool extender = false;
  bool operator==(const ScorePart&) const = default;
};

// Those of A in the order of its profile, then those of B alone.
std::vector<ScorePart> parts_of(const std::array<std::vector<output::NodeScores>, 2>& scores) {
  std::vector<ScorePart> parts;
  const auto add = [&](ScorePart one) {
    if (std::ranges::find(parts, one) == parts.end()) parts.push_back(std::move(one));
  };
  for (const bool extenders : {false, true})
    for (const auto& of_side : scores)
      for (const output::NodeScores& node : of_side) {
        if (!extenders)
          for (const auto& score : node.plugins) add({score.plugin, false});
        else
          for (const auto& [name, weighted] : node.extenders) add({name, true});
      }
  return parts;
}

}  // namespace

std::string_view kind_name(Cause::Kind kind) { return kKinds[static_cast<size_t>(kind)].name; }

std::string cause_name(const Cause& cause) {
  const std::string_view title = kKinds[static_cast<size_t>(cause.kind)].title;
  return cause.plugin.empty() ? std::string(title) : fmt::format("{} {}", title, cause.plugin);
}

Cause deciding_score(const std::array<std::vector<output::NodeScores>, 2>& scores) {
  constexpr size_t kNodes = 2;
  if (scores[0].size() != kNodes || scores[1].size() != kNodes)
    return {.kind = Kind::kNotRecorded, .plugin = {}, .why = "no scores of both nodes"};
  const std::string &x = scores[0][0].node, &y = scores[0][1].node;
  for (const ScorePart& one : parts_of(scores)) {
    int64_t at[2][kNodes];
    for (size_t side = 0; side < 2; ++side)
      for (size_t node = 0; node < kNodes; ++node)
        at[side][node] = part(scores[side][node], one.name, one.extender);
    if (at[0][0] - at[0][1] == at[1][0] - at[1][1]) continue;
    return {.kind = one.extender ? Kind::kExtender : Kind::kScore,
            .plugin = one.name,
            .why = fmt::format("{} has {} against {} of {} in A, {} against {} in B", x, at[0][0],
                               at[0][1], y, at[1][0], at[1][1]),
            .scores = scores};
  }
  return {.kind = Kind::kTie,
          .plugin = {},
          .why = fmt::format("{} and {} have {} each in A, {} in B", x, y, scores[0][0].total,
                             scores[1][0].total),
          .scores = scores};
}

namespace {

std::optional<Cause> find_rule(const model::Cluster& cluster, const Asked& a, const Asked& b) {
  if (scheduled(a) && scheduled(b) && a.decision.row == b.decision.row) return std::nullopt;
  if (auto error = by_error(a, b)) return error;
  if (!scheduled(a) && !scheduled(b)) return by_post_filter(cluster, a, b);
  if (auto refusal = by_pre_filter(a, b)) return refusal;
  if (auto refusal = by_filter(cluster, a, b)) return refusal;
  if (!scheduled(a) || !scheduled(b)) return std::nullopt;
  if (auto early = by_percentage(cluster, a, b)) return early;
  return by_score(cluster, a, b);
}

}  // namespace

std::optional<Cause> first_rule(const model::Cluster& cluster, const Asked& a, const Asked& b) {
  std::optional<Cause> found = find_rule(cluster, a, b);
  if (found && scheduled(b)) found->taken = cluster.node_name(b.decision.row);
  return found;
}

}  // namespace berth::cli
