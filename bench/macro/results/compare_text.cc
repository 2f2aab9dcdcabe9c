#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/macro/results/compare.h"
#include "bench/macro/results/text_table.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"

namespace berth::bench {
namespace {

std::string verdict_of(const FigureChange& change) {
  if (!change.significant()) return "";
  return change.worse_by() > 0 ? "worse" : "better";
}

TableRow row_of(const FigureChange& change, bool all) {
  const auto text = [&](double value, double spread) {
    return figure_text(*change.figure, value, spread, all);
  };
  const double half = (change.interval.high - change.interval.low) / 2;
  const auto ratio = [&](double value) {
    if (change.before == 0) return std::string("-");
    return all ? fmt::format("{:.6g}", value) : measured_text(value, half);
  };
  const std::string interval =
      change.before == 0 ? "-" : ratio(change.interval.low) + " to " + ratio(change.interval.high);
  TableRow row = {std::string("  ") + change.figure->name,
                  text(change.before, change.spread_before),
                  text(change.after, change.spread_after),
                  ratio(change.ratio),
                  interval,
                  all ? fmt::format("{:.6g}", change.p) : fmt::format("{:.2g}", change.p)};
  if (all) row.push_back(fmt::format("{} and {}", change.samples_before, change.samples_after));
  row.push_back(verdict_of(change));
  return row;
}

}  // namespace

std::string to_text(const ResultsChange& change, Digits digits) {
  const bool all = digits == Digits::kAll;
  std::string page;
  for (const RunChange& run : change.runs) {
    page += printable(run.run) + "\n";
    std::vector<TableRow> rows = {{"", "before", "after", "ratio", "95 % of the ratio", "p"}};
    if (all) rows.front().push_back("samples");
    rows.front().push_back("");
    for (const FigureChange& of : run.figures) rows.push_back(row_of(of, all));
    page += table_text(rows);
    for (const Figure* figure : run.only_one)
      page += fmt::format("  {:<28}  only in one of the files\n", figure->name);
    if (run.interrupted) page += "  interrupted: the figures cover part of the load\n";
    page += run.same_decisions ? "  the same decisions\n\n" : "  other decisions\n\n";
  }
  for (const std::string& words : change.remarks) page += printable(words) + "\n";
  for (const std::string& name : change.only_before)
    page += "only before: " + printable(name) + "\n";
  for (const std::string& name : change.only_after) page += "only after: " + printable(name) + "\n";
  return page;
}

std::vector<std::string> run_names(const ResultsChange& change) {
  std::vector<std::string> names;
  for (const RunChange& run : change.runs) names.push_back("run/" + run.run);
  return names;
}

}  // namespace berth::bench
