// The table of a sweep for terminals.

#include <fmt/format.h>

#include <algorithm>

#include "bench/macro/results/text_table.h"
#include "bench/macro/sweep/sweep_document.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"

namespace berth::bench {
namespace {

using rapidjson::Document;
using rapidjson::Value;

TableRow heads_of(const Sweep& sweep) {
  TableRow heads = {"settings", "front"};
  for (const Objective& objective : sweep.figures.columns)
    heads.push_back(printable(objective.title));
  return heads;
}

std::string label_of(const SweepRow& row) {
  std::string label = printable(settings_text(row.settings));
  if (label.empty()) label = "as given";
  if (!row.complete())
    label += fmt::format(" ({} of {} draws)", row.combinations.size(), row.expected);
  return label;
}

TableRow cells_of(const SweepRow& row, const Sweep& sweep) {
  TableRow cells = {label_of(row), row.front ? "*" : ""};
  for (size_t i = 0; i < row.values.size(); ++i)
    cells.push_back(sweep.figures.columns[i].text(row.values[i], false));
  return cells;
}

// Of one combination, with the mark of its row.
TableRow cells_of(const Value& result, const Sweep& sweep) {
  const uint64_t combination = result["combination"].GetUint64();
  const bool front = std::ranges::any_of(sweep.rows, [&](const SweepRow& row) {
    return row.front && std::ranges::find(row.combinations, combination) != row.combinations.end();
  });
  std::string label = printable(settings_text(sweep.grid.varied(combination)));
  if (label.empty()) label = "as given";
  if (result["interrupted"].GetBool()) label += " (interrupted)";
  TableRow cells = {std::move(label), front ? "*" : ""};
  for (const Objective& objective : sweep.figures.columns)
    cells.push_back(objective.text(objective.of(result), true));
  return cells;
}

size_t measured(const Sweep& sweep) {
  size_t count = 0;
  for (const SweepRow& row : sweep.rows) count += row.combinations.size();
  return count;
}

std::string coverage(const Sweep& sweep) {
  std::string text = fmt::format("{} of {} combinations are measured", grouped(measured(sweep)),
                                 grouped(sweep.grid.size()));
  if (sweep.part.of > 1) text += fmt::format(": part {}/{}", sweep.part.number, sweep.part.of);
  return text + "\n";
}

std::string of_front(const Sweep& sweep) {
  const auto count = std::ranges::count_if(sweep.rows, &SweepRow::front);
  return fmt::format(
      "* {} of {} settings are on the front: no other is better in one of {} and as "
      "good in the others\n",
      count, sweep.rows.size(), fmt::join(sweep.figures.front_names(), ", "));
}

std::string remarks(const Document& document) {
  std::string text;
  for (const Value& words : document["failed"].GetArray())
    text += fmt::format("failed: {}\n", printable(words.GetString()));
  for (const Value& words : document["environment"]["disturbed"].GetArray())
    text += fmt::format("disturbed: {}\n", printable(words.GetString()));
  return text;
}

}  // namespace

std::string sweep_text(const Document& document, const Sweep& sweep, bool every_combination) {
  std::vector<TableRow> rows = {heads_of(sweep)};
  if (every_combination)
    for (const Value& result : document["results"].GetArray())
      rows.push_back(cells_of(result, sweep));
  else
    for (const SweepRow& row : sweep.rows) rows.push_back(cells_of(row, sweep));
  std::string text = table_text(rows) + of_front(sweep) + coverage(sweep);
  if (sweep.interrupted)
    text += "partial: it was interrupted, or parts are missing; the table has what was measured\n";
  return text + remarks(document);
}

}  // namespace berth::bench
