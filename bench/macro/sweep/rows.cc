#include "bench/macro/sweep/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/macro/sweep/front.h"
#include "engine/base/error.h"
#include "engine/base/text/printable.h"

namespace berth::bench {
namespace {

using rapidjson::Value;

// The results of one row, by combination.
struct Group {
  SettingsGrid::Settings settings;
  std::map<uint64_t, const Value*> results;
};

// In the order of their first combinations.
std::vector<Group> groups_of(const SettingsGrid& grid, const Value& results) {
  std::map<uint64_t, const Value*> in_order;
  for (const Value& result : results.GetArray())
    if (!result["interrupted"].GetBool()) in_order[result["combination"].GetUint64()] = &result;
  std::vector<Group> groups;
  std::map<SettingsGrid::Settings, size_t> places;
  for (const auto& [combination, result] : in_order) {
    SettingsGrid::Settings settings = grid.row(combination);
    const auto [place, added] = places.emplace(settings, groups.size());
    if (added) groups.push_back({std::move(settings), {}});
    groups[place->second].results.emplace(combination, result);
  }
  return groups;
}

// Nothing if a result lacks the number.
std::optional<double> mean_of(const Group& group, const Objective& objective) {
  double sum = 0;
  for (const auto& [combination, result] : group.results) {
    const std::optional<double> value = objective.of(*result);
    if (!value) return std::nullopt;
    sum += *value;
  }
  return sum / static_cast<double>(group.results.size());
}

SweepRow sweep_row_of(const SettingsGrid& grid, const Group& group, const SweepFigures& figures) {
  SweepRow row;
  row.settings = group.settings;
  row.expected = grid.combinations_per_row();
  for (const auto& [combination, result] : group.results) row.combinations.push_back(combination);
  for (const Objective& objective : figures.columns)
    row.values.push_back(mean_of(group, objective));
  return row;
}

void mark_front(std::vector<SweepRow>& rows, const SweepFigures& figures) {
  std::vector<SweepRow*> compared;
  std::vector<Costs> costs;
  for (SweepRow& row : rows) {
    if (!row.complete()) continue;
    compared.push_back(&row);
    Costs& of_row = costs.emplace_back();
    for (const size_t column : figures.front)
      of_row.push_back(figures.columns[column].cost(row.values[column]));
  }
  const std::vector<bool> front = front_of(costs);
  for (size_t i = 0; i < compared.size(); ++i) compared[i]->front = front[i];
}

}  // namespace

SweepFigures SweepFigures::with_front(const std::vector<std::string>& front,
                                      const std::string& option) {
  SweepFigures figures;
  figures.columns = usual_objectives();
  for (const std::string& name : front.empty() ? usual_front() : front) {
    Objective objective = parse_objective(name, option);
    const auto at = std::ranges::find(figures.columns, objective.name, &Objective::name);
    const auto column = static_cast<size_t>(at - figures.columns.begin());
    if (std::ranges::find(figures.front, column) != figures.front.end())
      throw UsageError(fmt::format("{}: lists {} twice", option, printable(objective.name)));
    if (at == figures.columns.end()) figures.columns.push_back(std::move(objective));
    figures.front.push_back(column);
  }
  return figures;
}

std::vector<std::string> SweepFigures::front_names() const {
  std::vector<std::string> names;
  for (const size_t column : front) names.push_back(columns[column].name);
  return names;
}

std::vector<SweepRow> rows_of(const SettingsGrid& grid, const Value& results,
                              const SweepFigures& figures) {
  std::vector<SweepRow> rows;
  for (const Group& group : groups_of(grid, results))
    rows.push_back(sweep_row_of(grid, group, figures));
  mark_front(rows, figures);
  return rows;
}

}  // namespace berth::bench
