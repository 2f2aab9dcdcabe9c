#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"
#include "engine/explain/explanation.h"
#include "engine/explain/explanation_words.h"
#include "engine/explain/numbers_text.h"
#include "engine/host/calls/checks/code_name.h"

namespace berth::explain {
namespace {

constexpr size_t kGap = 3;  // between columns

std::string line(const std::string& text) { return printable(text) + "\n"; }

// Cells in columns as wide as their widest, as kubectl prints them.
class Table {
 public:
  explicit Table(std::string indent = {}) : indent_(std::move(indent)) {}

  void add(std::vector<std::string> cells) {
    for (std::string& cell : cells) cell = printable(cell);
    lines_.push_back(std::move(cells));
  }

  std::string text() const { return fmt::format("{}", fmt::join(lines(), "")); }

  // One text for each row, with its line break.
  std::vector<std::string> lines() const {
    std::vector<size_t> widths;
    for (const auto& cells : lines_)
      for (size_t i = 0; i < cells.size(); ++i) {
        if (i == widths.size()) widths.push_back(0);
        widths[i] = std::max(widths[i], cells[i].size());
      }
    std::vector<std::string> rows;
    for (const auto& cells : lines_) {
      std::string row = indent_;
      for (size_t i = 0; i < cells.size(); ++i)
        row += fmt::format("{:<{}}", cells[i], widths[i] + kGap);
      row.erase(row.find_last_not_of(' ') + 1);
      rows.push_back(row + "\n");
    }
    return rows;
  }

 private:
  std::string indent_;
  std::vector<std::vector<std::string>> lines_;
};

// The numbers of nodes and groups that a text shows.
struct Limits {
  size_t feasible = 10;  // nodes
  size_t groups = 10;
  size_t of_group = 3;  // nodes
  size_t numbers = 1;   // nodes of each group with the numbers behind their refusals
  size_t scores = 2;    // nodes with the numbers behind their scores
  size_t victims = 10;  // pods that PostFilter evicts
};

Limits limits_of(Extent extent) {
  constexpr size_t kAll = std::numeric_limits<size_t>::max();
  return extent == Extent::kPage ? Limits{} : Limits{kAll, kAll, kAll, kAll, kAll, kAll};
}

std::string count_of(size_t count, std::string_view what) {
  return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

std::string more(size_t left_out) {
  return fmt::format("{} more: -o wide lists all\n", grouped(left_out));
}

// Of the feasible nodes, which come first in the list.
std::string node_table(const Explanation& explanation, size_t feasible, size_t limit) {
  Table table;
  std::vector<std::string> head = {"NODE", "VERDICT"};
  if (explanation.scored) head.push_back("TOTAL");
  for (const Explanation::ScorePlugin& plugin : explanation.score_plugins)
    if (!plugin.skipped) head.push_back(fmt::format("{} (x{})", plugin.plugin, plugin.weight));
  table.add(std::move(head));
  const size_t shown = std::min(feasible, limit);
  for (size_t n = 0; n < shown; ++n) {
    const Explanation::Node& node = explanation.nodes[n];
    std::vector<std::string> cells = {node.name, feasible_text(node)};
    if (!node.scores.empty()) cells.push_back(std::to_string(node.total));
    for (size_t i = 0; i < node.scores.size(); ++i) {
      const Explanation::Score& score = node.scores[i];
      if (!explanation.score_plugins[i].skipped)
        cells.push_back(fmt::format("{}/{}/{}",
                                    score.raw ? std::to_string(*score.raw) : "not scored",
                                    score.normalised, score.weighted));
    }
    table.add(std::move(cells));
  }
  std::string text = table.text();
  if (shown < feasible) text += "and " + more(feasible - shown);
  return text;
}

std::string score_notes(const Explanation& explanation) {
  if (!explanation.scored) return {};
  std::string text = "Scores are raw/normalised/weighted.";
  std::vector<std::string> skipped;
  for (const Explanation::ScorePlugin& plugin : explanation.score_plugins)
    if (plugin.skipped) skipped.push_back(plugin.plugin);
  if (!skipped.empty())
    text += fmt::format(" Skipped by their PreScore: {}.", fmt::join(skipped, ", "));
  return line(text);
}

std::string score_numbers(const Explanation& explanation, size_t limit) {
  std::string text;
  for (size_t n = 0; n < std::min(explanation.nodes.size(), limit); ++n) {
    const Explanation::Node& node = explanation.nodes[n];
    std::string items;
    for (size_t i = 0; i < node.scores.size(); ++i)
      for (const std::string& item :
           numbers_text(explanation.score_plugins[i].plugin, node.scores[i].numbers))
        items += line("  " + item);
    if (!items.empty()) text += line("Behind the scores of " + node.name) + items;
  }
  return text;
}

// The filters that refuse the nodes of a group. `node`: any node of the group; their refusals are
// equal.
std::string refusals_text(const Explanation::Node& node) {
  std::string text;
  if (!node.outside.empty()) text += line("  left out by PreFilter: " + node.outside);
  Table refusals("  ");
  std::vector<std::string> passed;
  for (const Explanation::Filter& filter : node.filters) {
    if (filter.skipped) continue;
    if (filter.code == BERTH_SUCCESS) {
      passed.push_back(filter.plugin);
      continue;
    }
    refusals.add({filter.plugin, std::string(host::code_name(filter.code)), refusal_text(filter)});
  }
  text += refusals.text();
  if (!passed.empty()) text += line(fmt::format("  passed: {}", fmt::join(passed, ", ")));
  return text;
}

std::string refusal_numbers(const Explanation::Node& node) {
  std::string text;
  for (const Explanation::Filter& filter : node.filters)
    for (const std::string& item : numbers_text(filter.plugin, filter.numbers))
      text += line("    " + item);
  return text;
}

std::string group_text(const Explanation& explanation, const Explanation::Group& group,
                       const Limits& limits) {
  std::string text = "\n" + count_of(group.nodes.size(), "node") + "\n";
  text += refusals_text(explanation.nodes[group.nodes[0]]);
  Table nodes("  ");
  const size_t shown = std::min(group.nodes.size(), limits.of_group);
  for (size_t i = 0; i < shown; ++i) {
    const Explanation::Node& node = explanation.nodes[group.nodes[i]];
    nodes.add({node.name, change_text(node)});
  }
  const std::vector<std::string> rows = nodes.lines();
  for (size_t i = 0; i < shown; ++i) {
    text += rows[i];
    if (i < limits.numbers) text += refusal_numbers(explanation.nodes[group.nodes[i]]);
  }
  if (shown < group.nodes.size()) text += "  and " + more(group.nodes.size() - shown);
  return text;
}

// A plugin that skips does so for the pod, on every node.
std::string skipped_text(const Explanation& explanation) {
  std::vector<std::string> skipped;
  for (const Explanation::Filter& filter : explanation.nodes[0].filters)
    if (filter.skipped) skipped.push_back(filter.plugin);
  if (skipped.empty()) return {};
  return line(fmt::format("Skipped by their PreFilter: {}", fmt::join(skipped, ", ")));
}

std::string not_asked_line(const Explanation& explanation) {
  const std::string plugins = not_asked_text(explanation);
  return plugins.empty() ? plugins
                         : line("Not asked, and may still refuse or hold the pod: " + plugins);
}

std::string groups_text(const Explanation& explanation, size_t refused, const Limits& limits) {
  const std::vector<Explanation::Group>& groups = explanation.groups;
  if (groups.empty()) return {};
  std::string text = fmt::format(
      "\nRefused: {} of {}, in {} of equal refusals, the closest first\n", grouped(refused),
      count_of(explanation.nodes.size(), "node"), count_of(groups.size(), "group"));
  const size_t shown = std::min(groups.size(), limits.groups);
  for (size_t i = 0; i < shown; ++i) text += group_text(explanation, groups[i], limits);
  if (shown == groups.size()) return text;
  size_t nodes = 0;
  for (size_t i = shown; i < groups.size(); ++i) nodes += groups[i].nodes.size();
  return text + fmt::format("\nand {} with {}: -o wide lists all\n",
                            count_of(groups.size() - shown, "more group"), count_of(nodes, "node"));
}

std::string nodes_text(const Explanation& explanation, const Limits& limits) {
  const std::vector<Explanation::Node>& nodes = explanation.nodes;
  if (nodes.empty()) return {};
  const auto feasible = static_cast<size_t>(
      std::count_if(nodes.begin(), nodes.end(), [](const auto& node) { return node.feasible; }));
  if (feasible == 0 && explanation.groups.empty())
    return fmt::format("\nNone of {} was filtered.\n", count_of(nodes.size(), "node"));
  std::string text;
  if (feasible != 0)
    text = node_table(explanation, feasible, limits.feasible) + score_notes(explanation) +
           score_numbers(explanation, limits.scores);
  text += skipped_text(explanation);
  if (!text.empty()) text = "\n" + text;
  return text + groups_text(explanation, nodes.size() - feasible, limits);
}

std::string nomination(const Explanation::PostFilter& told, const Limits& limits) {
  std::string text = line("PostFilter: " + nomination_text(told));
  Table victims("  ");
  const size_t shown = std::min(told.victims.size(), limits.victims);
  for (size_t i = 0; i < shown; ++i)
    victims.add({told.victims[i].pod, "priority " + std::to_string(told.victims[i].priority)});
  text += victims.text();
  if (shown < told.victims.size()) text += "  and " + more(told.victims.size() - shown);
  if (told.draws) text += line("  " + std::string(kDrawnText));
  return text;
}

std::string post_filter_text(const Explanation& explanation, const Limits& limits) {
  if (!explanation.post_filter) return {};
  const Explanation::PostFilter& told = *explanation.post_filter;
  if (!told.not_asked.empty()) return line("PostFilter: not asked, " + told.not_asked);
  if (!told.plugin.empty()) return nomination(told, limits);
  if (told.texts.empty()) return "PostFilter: no plugin helps\n";
  std::string text;
  for (const Explanation::PostFilter::Text& one : told.texts)
    text += line(fmt::format("PostFilter: {}: {}", one.plugin, one.text));
  return text;
}

std::string wakers_text(const Explanation& explanation) {
  if (!waits_for_events(explanation)) return {};
  if (explanation.wakers.empty()) return fmt::format("\n{}\n", kNotWokenText);
  Table table("  ");
  for (const Explanation::Waker& waker : explanation.wakers)
    table.add({waker.plugin, events_text(waker)});
  return "\nWoken by events of which the plugin finds that they may help (each: it is not "
         "asked)\n" +
         table.text();
}

}  // namespace

std::string to_text(const Explanation& explanation, Extent extent) {
  const std::string why = why_text(explanation);
  std::string text = line(fmt::format("Pod {}: {}", explanation.pod, outcome_text(explanation)));
  if (!why.empty()) text += line("Why: " + why);
  text += not_asked_line(explanation);
  if (!explanation.profile.empty())
    text += line("Profile: " + explanation.profile + ", Kubernetes " + explanation.kube_version);
  if (explanation.pre_filter)
    text += line("PreFilter: " + pre_filter_text(*explanation.pre_filter));
  const Limits limits = limits_of(extent);
  return text + post_filter_text(explanation, limits) + wakers_text(explanation) +
         nodes_text(explanation, limits);
}

}  // namespace berth::explain
