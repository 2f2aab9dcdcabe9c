#include "cli/run_page/run_report.h"

#include <algorithm>
#include <functional>
#include <map>

#include "cli/results/drain_results.h"
#include "engine/base/text/joined.h"
#include "engine/output/summary_parts.h"

namespace berth::cli {
namespace {

// A word that is "12" or "0/5000": the number of nodes that a reason is about.
bool is_count(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789/") == std::string_view::npos;
}

std::string without_counts(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (!is_count(text.substr(0, end))) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return joined(words, " ");
}

std::vector<std::string_view> split_at(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (size_t end = text.find(separator); end != std::string_view::npos;
       end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(text);
  return parts;
}

// One sentence: reasons behind the colon are in the order of their numbers there.
std::string sorted_sentence(std::string_view sentence) {
  const size_t colon = sentence.rfind(": ");
  const size_t from = colon == std::string_view::npos ? 0 : colon + 2;
  std::vector<std::string> reasons;
  for (const std::string_view one : split_at(sentence.substr(from), ", "))
    reasons.push_back(without_counts(one));
  std::ranges::sort(reasons);
  const std::string head = without_counts(sentence.substr(0, from));
  return head + (head.empty() ? "" : " ") + joined(reasons, ", ");
}

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

std::string refusal_reasons(std::string_view event) {
  std::vector<std::string> sentences;
  for (const std::string_view one : split_at(event, ". "))
    sentences.push_back(sorted_sentence(one.substr(0, one.find_last_not_of('.') + 1)));
  std::string text = joined(sentences, ". ");
  constexpr std::string_view kHead = "nodes are available: ";
  return text.starts_with(kHead) ? text.substr(kHead.size()) : text;
}

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
