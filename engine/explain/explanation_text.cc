#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text/printable.h"
#include "engine/explain/explanation.h"
#include "engine/host/calls/code_name.h"

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

  std::string text() const {
    std::vector<size_t> widths;
    for (const auto& cells : lines_)
      for (size_t i = 0; i < cells.size(); ++i) {
        if (i == widths.size()) widths.push_back(0);
        widths[i] = std::max(widths[i], cells[i].size());
      }
    std::string text;
    for (const auto& cells : lines_) {
      std::string row = indent_;
      for (size_t i = 0; i < cells.size(); ++i)
        row += fmt::format("{:<{}}", cells[i], widths[i] + kGap);
      row.erase(row.find_last_not_of(' ') + 1);
      text += row + "\n";
    }
    return text;
  }

 private:
  std::string indent_;
  std::vector<std::vector<std::string>> lines_;
};

std::string verdict(const Explanation::Node& node) {
  if (node.won) return "won";
  if (node.feasible) return node.searched ? "feasible" : "feasible, not searched";
  if (!node.outside.empty()) return "left out by PreFilter";
  for (const Explanation::Filter& filter : node.filters)
    if (filter.reported)
      return (filter.code == BERTH_ERROR ? "failed: " : "refused: ") + filter.plugin;
  return "not searched";
}

std::string node_table(const Explanation& explanation) {
  Table table;
  std::vector<std::string> head = {"NODE", "VERDICT"};
  if (explanation.scored) head.push_back("TOTAL");
  for (const Explanation::ScorePlugin& plugin : explanation.score_plugins)
    if (!plugin.skipped) head.push_back(fmt::format("{} (x{})", plugin.plugin, plugin.weight));
  table.add(std::move(head));
  for (const Explanation::Node& node : explanation.nodes) {
    std::vector<std::string> cells = {node.name, verdict(node)};
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
  return table.text();
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

std::string change_text(const Explanation::Node& node) {
  if (!node.outside.empty())
    return "  would fit: no change of the node helps, PreFilter chose nodes by name\n";
  if (!node.change) return "  would fit: no change of this node's that we know of makes it fit\n";
  std::vector<std::string> words;
  for (const Explanation::Change& change : *node.change) words.push_back(change.words);
  return line(fmt::format("  would fit: {}", fmt::join(words, "; ")));
}

std::string refused_text(const Explanation::Node& node) {
  std::string text = "\n" + line(node.name);
  if (!node.outside.empty()) text += line("  left out by PreFilter: " + node.outside);
  Table refusals("  ");
  std::vector<std::string> passed, skipped;
  for (const Explanation::Filter& filter : node.filters) {
    if (filter.skipped) {
      skipped.push_back(filter.plugin);
    } else if (filter.code == BERTH_SUCCESS) {
      passed.push_back(filter.plugin);
    } else {
      refusals.add({filter.plugin, std::string(host::code_name(filter.code)),
                    fmt::format("{}{}{}", fmt::join(filter.reasons, ", "),
                                filter.counting_nominated ? " (counting pods nominated here)" : "",
                                filter.reported ? " <- reported" : "")});
    }
  }
  text += refusals.text();
  if (!passed.empty()) text += line(fmt::format("  passed: {}", fmt::join(passed, ", ")));
  if (!skipped.empty())
    text += line(fmt::format("  skipped by their PreFilter: {}", fmt::join(skipped, ", ")));
  return text + change_text(node);
}

}  // namespace

std::string to_text(const Explanation& explanation) {
  std::string head = fmt::format("Pod {}: {}", explanation.pod, outcome_name(explanation.outcome));
  std::string why = explanation.message;
  if (explanation.outcome == runtime::PodOutcome::kScheduled) {
    head += " on " + explanation.node;
    why = explanation.why;
  } else if (!explanation.gated_by.empty()) {
    head += " by " + explanation.gated_by;
  }
  std::string text = line(head);
  if (!why.empty()) text += line("Why: " + why);
  if (!explanation.profile.empty()) text += line("Profile: " + explanation.profile);
  if (explanation.pre_filter)
    text +=
        line(fmt::format("PreFilter: {} ({}): {}",
                         explanation.pre_filter->plugin.empty() ? "several plugins together"
                                                                : explanation.pre_filter->plugin,
                         host::code_name(explanation.pre_filter->code),
                         fmt::join(explanation.pre_filter->reasons, ", ")));
  if (explanation.nodes.empty()) return text;
  text += "\n" + node_table(explanation) + score_notes(explanation);
  for (const Explanation::Node& node : explanation.nodes)
    if (!node.feasible && !node.filters.empty()) text += refused_text(node);
  return text;
}

}  // namespace berth::explain
