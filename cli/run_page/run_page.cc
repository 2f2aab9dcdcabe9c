#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "cli/explain/explanation_page.h"
#include "cli/page/page.h"
#include "cli/run_page/run_report.h"
#include "engine/base/text/joined.h"
#include "engine/base/text/number_text.h"
#include "engine/output/summary_parts.h"

namespace berth::cli {
namespace {

// Rows that the page shows; --results has all.
constexpr size_t kMostPodsOfRun = 1000, kMostReasons = 100, kMostNodesOfRun = 10,
                 kMostResources = 20;

std::string full_name(const output::PodResult& pod) { return pod.namespace_name + "/" + pod.name; }

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string run_title(const RunReport& report) {
  const output::Summary& s = report.summary;
  const auto without = static_cast<uint64_t>(std::ranges::count_if(report.results, has_no_node));
  if (without == 0) return fmt::format("every pod of {} has a node", grouped(s.pods_total));
  return fmt::format("{} of {} {} no node", grouped(without), plural(s.pods_total, "pod"),
                     without == 1 ? "has" : "have");
}

void state_part(std::string& page, const output::Summary& s) {
  if (s.interrupted)
    page += "<p class=\"why\">The run was interrupted: pods were still to be tried.</p>\n";
  if (!s.error.empty())
    page += fmt::format("<p class=\"why\">The run failed: {}</p>\n", safe_text(s.error));
  facts_part(page, {},
             {{"cluster", fmt::format("{}, {} placed before", plural(s.nodes, "node"),
                                      plural(s.pods_placed_before, "pod"))},
              {"Kubernetes", s.kube_version},
              {"seed", std::to_string(s.seed)},
              {"decisions", grouped(s.decisions)},
              {"decision hash", s.decision_hash}});
}

void reasons_part(std::string& page, const RunReport& report) {
  TextRows rows;
  const size_t shown = std::min(report.refusals.size(), kMostReasons);
  for (size_t i = 0; i < shown; ++i) {
    const RefusalGroup& group = report.refusals[i];
    rows.push_back(
        {grouped(group.pods.size()), full_name(report.results[group.pods.front()]), group.reasons});
  }
  table_part(page, "Why pods have no node",
             {.names = {"pods", "for example", "reasons"}, .stacks = true}, rows,
             report.refusals.size() - shown);
}

void explanations_part(std::string& page, const RunReport& report) {
  if (report.refusals.empty()) return;
  page += "<h2>What would let them fit</h2>\n";
  if (!report.not_explained.empty()) {
    page += fmt::format("<p class=\"muted\">not told: {}</p>\n", safe_text(report.not_explained));
    return;
  }
  page += "<p class=\"muted\">One pod of each reason, in the cluster at the end of the run.</p>\n";
  size_t open = 1, left_out = 0;
  for (const RefusalGroup& group : report.refusals) {
    if (!group.explanation) {
      ++left_out;
      continue;
    }
    page += fmt::format("<details class=\"part\"{}><summary>{} ({})</summary>\n",
                        open == 0 ? "" : " open", safe_text(explanation_title(*group.explanation)),
                        plural(group.pods.size(), "pod"));
    open = 0;
    explanation_part(page, *group.explanation);
    page += "</details>\n";
  }
  if (left_out != 0)
    page += fmt::format(
        "<p class=\"muted\">{} not shown: their pods wait for no node, or there are more than {} "
        "reasons; ask berth explain about a pod</p>\n",
        plural(left_out, "reason"), kMostExplained);
}

void waiting_part(std::string& page, const RunReport& report) {
  TextRows rows;
  uint64_t more = 0;
  for (const output::PodResult& pod : report.results) {
    if (!has_no_node(pod)) continue;
    if (rows.size() == kMostPodsOfRun) {
      ++more;
      continue;
    }
    std::string state = pod.queue.empty() ? pod.outcome : pod.queue;
    if (!pod.nominated_node.empty()) state += ", nominated to " + pod.nominated_node;
    rows.push_back({full_name(pod), std::move(state), pod.message});
  }
  table_part(page, "Pods without a node", {.names = {"pod", "state", "event"}, .stacks = true},
             rows, more);
}

std::string why_evicted(const output::PodResult& pod) {
  if (!pod.evicted_by.empty()) return "preempted by " + pod.evicted_by;
  return pod.evicted_because + (pod.evicted_for.empty() ? "" : " (" + pod.evicted_for + ")");
}

void evictions_part(std::string& page, const RunReport& report) {
  facts_part(page, "Evictions", output::eviction_lines(report.summary));
  TextRows rows;
  uint64_t more = 0;
  for (const output::PodResult& pod : report.results) {
    if (pod.evicted_by.empty() && pod.evicted_because.empty()) continue;
    if (rows.size() < kMostPodsOfRun)
      rows.push_back({full_name(pod), pod.node, why_evicted(pod)});
    else
      ++more;
  }
  table_part(page, "Pods that were evicted", {.names = {"pod", "from", "why"}, .stacks = true},
             rows, more);
  TextRows preemptions;
  more = 0;
  for (const output::PodResult& pod : report.results) {
    if (pod.victims.empty()) continue;
    if (preemptions.size() < kMostPodsOfRun)
      preemptions.push_back({full_name(pod), pod.node.empty() ? pod.nominated_node : pod.node,
                             joined(pod.victims, ", ")});
    else
      ++more;
  }
  table_part(page, "Pods that others had to leave for",
             {.names = {"pod", "node", "victims"}, .stacks = true}, preemptions, more);
}

void drains_part(std::string& page, const RunReport& report) {
  TextRows rows;
  for (const output::DrainResult& drain : report.drains)
    rows.push_back({drain.node, drain.outcome, grouped(drain.evicted.size()),
                    grouped(drain.left.size()), drain.message});
  table_part(page, "Drains",
             {.names = {"node", "outcome", "pods gone", "pods left", "message"}, .stacks = true},
             rows);
}

void waits_part(std::string& page, const output::Summary& s) {
  facts_part(page, "Attempts and waits", output::wait_lines(s));
  Columns columns{.names = {"clock"}, .numbers = 1};
  for (const output::Queue& queue : output::kQueues) columns.names.emplace_back(queue.name);
  TextRows rows;
  for (const output::QueueSizes& at : output::few_of(s.queues)) {
    std::vector<std::string> row = {duration_text(at.seconds)};
    for (const output::Queue& queue : output::kQueues) row.push_back(grouped(at.*queue.size));
    rows.push_back(std::move(row));
  }
  table_part(page, "Pods waiting, by queue", columns, rows);
}

// The least, the mean and the largest share of a resource among the nodes that have it.
struct Shares {
  double least = INFINITY, sum = 0, most = 0;
  uint64_t nodes = 0;

  void add(double share) {
    least = std::min(least, share);
    most = std::max(most, share);
    sum += share;
    ++nodes;
  }
};

void use_part(std::string& page, const RunReport& report) {
  std::map<std::string, Shares> shares;
  for (const output::NodeUse& node : report.nodes)
    for (const output::ResourceUse& use : node.resources)
      shares[use.resource].add(output::fraction(use));
  TextRows rows;
  const std::vector<output::ResourceUse>& all = report.summary.resources;
  const size_t shown = std::min(all.size(), kMostResources);
  for (size_t i = 0; i < shown; ++i) {
    const output::ResourceUse& use = all[i];
    const Shares& of = shares[use.resource];
    const bool known = of.nodes != 0;
    rows.push_back({use.resource, percent(output::fraction(use)),
                    fmt::format("{} of {}", output::amount_text(use.resource, use.requested),
                                output::amount_text(use.resource, use.allocatable)),
                    known ? percent(of.least) : "-",
                    known ? percent(of.sum / static_cast<double>(of.nodes)) : "-",
                    known ? percent(of.most) : "-"});
  }
  table_part(page, "Utilisation",
             {.names = {"resource", "share", "requested", "least of a node", "mean", "most"},
              .numbers = 1},
             rows, all.size() - shown);
}

void spread_part(std::string& page, const RunReport& report) {
  TextRows rows;
  for (const output::Spread& of : report.spread)
    rows.push_back({of.topology_key, grouped(of.domains), grouped(of.minimum),
                    fmt::format("{:.2f}", of.mean), grouped(of.maximum)});
  table_part(page, "Pods per zone and node",
             {.names = {"by", "there are", "least", "mean", "most"}, .numbers = 1}, rows);
}

std::string share_of(const output::NodeUse& node, std::string_view resource) {
  const auto use = std::ranges::find(node.resources, resource, &output::ResourceUse::resource);
  return use == node.resources.end() ? "-" : percent(output::fraction(*use));
}

std::vector<std::string> node_row(const output::NodeUse& node) {
  const auto [share, resource] = fullest(node);
  return {node.node,
          node.zone.empty() ? "-" : node.zone,
          grouped(node.pods),
          share_of(node, "cpu"),
          share_of(node, "memory"),
          resource.empty() ? "-" : fmt::format("{} {}", resource, percent(share))};
}

void fullness_part(std::string& page, const RunReport& report) {
  const Columns columns{.names = {"node", "zone", "pods", "cpu", "memory", "fullest"},
                        .numbers = 2};
  const std::vector<output::NodeUse>& nodes = report.nodes;
  const bool all = nodes.size() <= 2 * kMostNodesOfRun;
  TextRows most, least;
  for (size_t i = 0; i < (all ? nodes.size() : kMostNodesOfRun); ++i)
    most.push_back(node_row(nodes[i]));
  for (size_t i = 0; !all && i < kMostNodesOfRun; ++i)
    least.push_back(node_row(nodes[nodes.size() - 1 - i]));
  table_part(page, all ? "Nodes, the fullest first" : "The fullest nodes", columns, most);
  table_part(page, "The emptiest nodes", columns, least);
}

TextCounts failure_rows(const output::Summary& s) {
  TextCounts rows;
  for (const auto& [text, pods] : s.failures) rows.emplace_back(pods, text);
  std::ranges::stable_sort(rows, std::ranges::greater(), &TextCounts::value_type::first);
  if (rows.size() > kMostReasons) rows.resize(kMostReasons);
  return rows;
}

}  // namespace

std::string to_page(const RunReport& report) {
  std::string page = page_head("berth run", run_title(report));
  state_part(page, report.summary);
  facts_part(page, "Pods", output::pod_lines(report.summary));
  reasons_part(page, report);
  counts_part(page, "What failed", failure_rows(report.summary));
  use_part(page, report);
  spread_part(page, report);
  fullness_part(page, report);
  evictions_part(page, report);
  drains_part(page, report);
  waits_part(page, report.summary);
  explanations_part(page, report);
  waiting_part(page, report);
  return page + page_end();
}

}  // namespace berth::cli
