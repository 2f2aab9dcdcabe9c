#include "cli/what_if/outcome_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "cli/results/refusal_reasons.h"
#include "engine/base/text/go_duration.h"
#include "engine/base/text/joined.h"
#include "engine/base/text/number_text.h"

namespace berth::cli {
namespace {

constexpr std::array<Fate, 8> kAllFates = {Fate::kPending,  Fate::kGone,    Fate::kMoved,
                                           Fate::kStarted,  Fate::kWaits,   Fate::kScaledDown,
                                           Fate::kNodeGone, Fate::kFinished};

// The counts of all names of both sides; 0 where a side has none.
std::vector<SideRow> count_rows(const PerSide<std::map<std::string, uint64_t>>& counts) {
  std::map<std::string, PerSide<uint64_t>> all;
  for (size_t side = 0; side < counts.size(); ++side)
    for (const auto& [name, count] : counts[side]) all[name][side] = count;
  std::vector<SideRow> rows;
  for (const auto& [name, both] : all) rows.push_back({name, {grouped(both[0]), grouped(both[1])}});
  return rows;
}

std::string zone_text(const std::string& zone) { return zone.empty() ? "(no zone)" : zone; }

std::string headline_of_pods(const WhatIf& answer) {
  if (answer.worse() != 0)
    return fmt::format("{} of {} {} worse off", grouped(answer.worse()),
                       plural(count_of(answer.pods[0], PodState::Kind::kRuns), "pod"),
                       answer.worse() == 1 ? "is" : "are");
  return answer.changes.empty() ? "no pod changes" : "no pod is worse off";
}

uint64_t nodes_in_run(const RunFacts& run) { return run.summary ? run.summary->nodes : 0; }

}  // namespace

std::string first_names(const std::vector<std::string>& names, size_t most) {
  const size_t shown = names.size() <= most + 1 ? names.size() : most;
  std::string text = joined(
      std::vector<std::string>(names.begin(), names.begin() + static_cast<ptrdiff_t>(shown)), ", ");
  if (shown < names.size()) text += " and " + grouped(names.size() - shown) + " more";
  return text;
}

std::string headline(const WhatIf& answer) {
  if (const uint64_t undone = answer.drains_undone())
    return fmt::format("{} {} not done; {}", plural(undone, "drain"), undone == 1 ? "is" : "are",
                       headline_of_pods(answer));
  return headline_of_pods(answer);
}

std::vector<std::pair<uint64_t, std::string>> fate_rows(const WhatIf& answer) {
  std::vector<std::pair<uint64_t, std::string>> rows;
  if (answer.lost() != 0) rows.emplace_back(answer.lost(), "left their nodes");
  for (const Fate fate : kAllFates)
    if (const uint64_t pods = answer.count(fate)) rows.emplace_back(pods, fate_text(fate));
  return rows;
}

std::string recovery_text(const WhatIf& answer) {
  if (answer.steps.empty() || answer.changes.empty()) return {};
  if (answer.worse() != 0) return "not everything runs again";
  const std::optional<Time> last = answer.last_bound();
  if (!last) return {};
  const Time taken = std::max(*last - answer.steps.front().at, Time{});
  return fmt::format("everything runs again {} after the first step", go_duration(taken));
}

std::string step_title(const StepOutcome& step) {
  return fmt::format("at {}: {}", go_duration(step.at), step.text);
}

std::vector<std::string> step_lines(const StepOutcome& step, size_t most) {
  std::vector<std::string> lines;
  if (!step.nodes.empty())
    lines.push_back(fmt::format("{} ({}): {}", plural(step.nodes.size(), "node"),
                                plural(step.pods, "pod"), first_names(step.nodes, most)));
  for (const auto& [reason, pods] : step.lost)
    lines.push_back(fmt::format("{} left: {}", plural(pods, "pod"), reason));
  return lines;
}

std::vector<SideRow> pod_rows(const WhatIf& answer) {
  using Kind = PodState::Kind;
  SideRow nodes{"nodes", {}}, run{"pods that run", {}}, wait{"pods that wait", {}},
      end{"stands still at", {}};
  for (size_t side = 0; side < kTimes.size(); ++side) {
    nodes.values[side] = grouped(nodes_in_run(answer.runs.runs[side]));
    run.values[side] = grouped(count_of(answer.pods[side], Kind::kRuns));
    wait.values[side] = grouped(count_of(answer.pods[side], Kind::kPending));
    end.values[side] = go_duration(answer.ended[side]);
  }
  std::vector<SideRow> rows = setting_rows(answer.runs);
  std::erase_if(rows, [](const SideRow& row) { return !row.differs(); });
  rows.insert(rows.end(), {nodes, run, wait, end});
  return rows;
}

std::vector<SideRow> reason_rows(const WhatIf& answer) {
  PerSide<std::map<std::string, uint64_t>> counts;
  for (size_t side = 0; side < counts.size(); ++side)
    for (const auto& [event, pods] : pending_by_reason(answer.pods[side]))
      counts[side][refusal_reasons(event)] += pods;
  return count_rows(counts);
}

std::vector<SideRow> zone_rows(const WhatIf& answer) {
  std::vector<SideRow> rows = count_rows(answer.zones);
  if (rows.size() == 1 && rows.front().label.empty()) return {};
  for (SideRow& row : rows) row.label = zone_text(row.label);
  return rows;
}

std::vector<std::pair<std::string, uint64_t>> zone_moves(const WhatIf& answer) {
  std::map<std::string, uint64_t> moves;
  bool any = false;
  for (const PodChange& change : answer.changes) {
    if (change.fate != Fate::kMoved) continue;
    any |= !change.from_zone.empty() || !change.to_zone.empty();
    ++moves[zone_text(change.from_zone) + " -> " + zone_text(change.to_zone)];
  }
  if (!any) return {};
  return {moves.begin(), moves.end()};
}

std::vector<std::string> drain_lines(const WhatIf& answer, size_t most) {
  std::vector<std::string> lines;
  for (const output::DrainResult& drain : answer.drains) {
    if (drain.outcome == "drained") continue;
    std::vector<std::string> left;
    for (const output::DrainResult::Pod& pod : drain.left)
      left.push_back(pod.message.empty() ? pod.name : pod.name + " (" + pod.message + ")");
    lines.push_back(fmt::format("node {}: {}{}{}", drain.node, drain.outcome,
                                left.empty() ? "" : ": ", first_names(left, most)));
  }
  return lines;
}

std::vector<size_t> by_importance(const WhatIf& answer) {
  std::vector<size_t> order(answer.changes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) {
    return std::ranges::find(kAllFates, answer.changes[i].fate) - kAllFates.begin();
  });
  return order;
}

std::string way_text(const PodChange& change) {
  const std::string from = change.from_node.empty() ? "-" : change.from_node;
  const std::string other = change.other.empty() ? "" : change.other;
  switch (change.fate) {
    case Fate::kMoved:
    case Fate::kStarted:
      return from + " -> " + (other.empty() ? "" : other + " on ") + change.to_node;
    case Fate::kPending:
    case Fate::kWaits:
      return from + " -> " + (other.empty() ? "" : other + " ") + "waits";
    case Fate::kGone:
    case Fate::kScaledDown:
    case Fate::kNodeGone:
      return from + " -> gone";
    case Fate::kFinished:
      return from + " -> finished";
  }
  return from;
}

std::string why_text(const PodChange& change) {
  std::string text = change.reason;
  if (!change.because.empty()) text += (text.empty() ? "" : ": ") + change.because;
  if (!change.message.empty()) text += (text.empty() ? "" : "; ") + change.message;
  return text;
}

}  // namespace berth::cli
