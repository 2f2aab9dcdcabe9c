#include "cli/run_page/run_report.h"

#include <algorithm>
#include <functional>
#include <map>

#include "cli/results/drain_results.h"
#include "cli/results/refusal_reasons.h"
#include "engine/output/summary_parts.h"

namespace berth::cli {
namespace {

bool was_refused(const output::PodResult& result) {
  return result.outcome == "unschedulable" || result.outcome == "failed";
}

std::optional<explain::Explanation> explain_first(runtime::Core& core, const RefusalGroup& group,
                                                  const std::vector<output::PodResult>& results) {
  for (const size_t i : group.pods) {
    if (!was_refused(results[i])) continue;
    const model::PodId pod = core.cluster().find_pod(results[i].namespace_name, results[i].name);
    if (!pod) continue;
    if (auto explanation = explain::explain_waiting(core, pod)) return explanation;
  }
  return std::nullopt;
}

std::string why_not_explained(const output::Summary& summary) {
  if (!summary.error.empty()) return "the run ended with an error";
  return summary.interrupted ? "the run was interrupted" : "";
}

}  // namespace

bool has_no_node(const output::PodResult& result) {
  if (result.gone || !result.node.empty()) return false;
  return !result.queue.empty() || was_refused(result) || result.outcome == "gated" ||
         result.outcome == "ignored" || result.outcome == "rejected";
}

std::vector<RefusalGroup> refusal_groups(const std::vector<output::PodResult>& results) {
  std::map<std::string, RefusalGroup> by_reasons;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!has_no_node(results[i])) continue;
    std::string reasons = refusal_reasons(results[i].message);
    if (reasons.empty()) reasons = results[i].outcome;
    RefusalGroup& group = by_reasons[reasons];
    group.reasons = reasons;
    group.pods.push_back(i);
  }
  std::vector<RefusalGroup> groups;
  for (auto& [reasons, group] : by_reasons) groups.push_back(std::move(group));
  std::ranges::stable_sort(groups, std::ranges::greater(),
                           [](const RefusalGroup& group) { return group.pods.size(); });
  return groups;
}

std::pair<double, std::string> fullest(const output::NodeUse& node) {
  std::pair<double, std::string> most{-1, {}};
  for (const output::ResourceUse& use : node.resources)
    if (const double share = output::fraction(use); share > most.first)
      most = {share, use.resource};
  return most;
}

RunReport report_of(Run& run, const output::Summary& summary) {
  RunReport report{.summary = summary,
                   .results = run.results(),
                   .drains = drain_results(run.drains()),
                   .spread = {},
                   .nodes = {},
                   .refusals = {},
                   .not_explained = why_not_explained(summary)};
  const model::Cluster& cluster = run.core().snapshot();
  report.spread = output::spreads(cluster);
  report.nodes = output::node_uses(cluster);
  std::ranges::stable_sort(report.nodes, std::ranges::greater(),
                           [](const output::NodeUse& node) { return fullest(node).first; });
  report.refusals = refusal_groups(report.results);
  if (!report.not_explained.empty()) return report;
  run.stop_watching();
  const size_t explained = std::min(report.refusals.size(), kMostExplained);
  for (size_t i = 0; i < explained; ++i)
    report.refusals[i].explanation = explain_first(run.core(), report.refusals[i], report.results);
  return report;
}

}  // namespace berth::cli
