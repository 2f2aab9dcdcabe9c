#include "cli/diff/scores_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/page/page.h"

namespace berth::cli {
namespace {

// One node, as one of the settings scores it.
struct ScoreColumn {
  std::string node;
  std::vector<std::pair<std::string, int64_t>> weighted;  // by plugin or extender, then the total

  std::string number(const std::string& name) const {
    const auto at = std::ranges::find(weighted, name, &std::pair<std::string, int64_t>::first);
    return at == weighted.end() ? "-" : std::to_string(at->second);
  }
};

ScoreColumn column_of(const output::NodeScores& scores) {
  ScoreColumn column{.node = scores.node, .weighted = {}};
  for (const output::PluginScore& score : scores.plugins)
    column.weighted.emplace_back(score.plugin, score.normalised * score.weight);
  for (const auto& [extender, weighted] : scores.extenders)
    column.weighted.emplace_back(extender, weighted);
  column.weighted.emplace_back("total", scores.total);
  return column;
}

std::vector<ScoreColumn> columns_of(const std::vector<output::NodeScores>& nodes) {
  std::vector<ScoreColumn> columns;
  for (const output::NodeScores& node : nodes) columns.push_back(column_of(node));
  return columns;
}

bool are_equal(const std::vector<ScoreColumn>& a, const std::vector<ScoreColumn>& b) {
  return std::ranges::equal(a, b, [](const ScoreColumn& x, const ScoreColumn& y) {
    return x.node == y.node && x.weighted == y.weighted;
  });
}

// Each name once, the total last.
std::vector<std::string> names_of(const std::vector<ScoreColumn>& columns) {
  std::vector<std::string> names;
  for (const ScoreColumn& column : columns)
    for (size_t i = 0; i + 1 < column.weighted.size(); ++i)
      if (std::ranges::find(names, column.weighted[i].first) == names.end())
        names.push_back(column.weighted[i].first);
  names.emplace_back("total");
  return names;
}

}  // namespace

void scores_part(std::string& page, const PerSide<std::vector<output::NodeScores>>& scores,
                 const PerSide<std::string_view>& sides) {
  if (scores[0].empty()) return;
  std::vector<ScoreColumn> columns = columns_of(scores[0]);
  std::vector<ScoreColumn> others = columns_of(scores[1]);
  Columns heads = {.names = {"weighted score"}, .numbers = 1};
  const bool alike = are_equal(columns, others);
  for (const ScoreColumn& column : columns)
    heads.names.push_back(alike ? column.node : fmt::format("{}, {}", column.node, sides[0]));
  if (!alike) {
    for (const ScoreColumn& column : others)
      heads.names.push_back(fmt::format("{}, {}", column.node, sides[1]));
    std::ranges::move(others, std::back_inserter(columns));
  }
  TextRows rows;
  for (const std::string& name : names_of(columns)) {
    std::vector<std::string>& row = rows.emplace_back(std::vector{name});
    for (const ScoreColumn& column : columns) row.push_back(column.number(name));
  }
  table_part(page, "", heads, rows);
}

}  // namespace berth::cli
