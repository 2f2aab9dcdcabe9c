#include "cli/diff/difference_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/base/text/number_text.h"

namespace berth::cli {
namespace {

// The names of both sides, each once, those of A first.
template <typename Lists, typename NameOf>
std::vector<std::string> names_in(const Lists& lists, NameOf&& name_of) {
  std::vector<std::string> names;
  for (const auto& list : lists)
    for (const auto& one : list)
      if (const std::string& name = name_of(one); std::ranges::find(names, name) == names.end())
        names.push_back(name);
  return names;
}

// The texts of all names, of each side; "-" where a side does not have one.
template <typename Lists, typename NameOf, typename TextOf>
std::vector<SideRow> rows_of(const Lists& lists, NameOf&& name_of, TextOf&& text_of) {
  std::vector<SideRow> rows;
  for (const std::string& name : names_in(lists, name_of)) {
    SideRow row{name, {"-", "-"}};
    for (size_t side = 0; side < lists.size(); ++side)
      for (const auto& one : lists[side])
        if (name_of(one) == name) row.values[side] = text_of(one);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string share(const output::ResourceUse& use) {
  if (use.allocatable <= 0) return "-";
  return fmt::format("{:.2f} %", 100.0 * static_cast<double>(use.requested) /
                                     static_cast<double>(use.allocatable));
}

std::string end_of(const output::PodResult* result) {
  if (result == nullptr) return "not there";
  return result->node.empty() ? result->outcome : result->node;
}

}  // namespace

std::vector<SideRow> setting_rows(const Difference& difference) {
  const PerSide<std::vector<std::pair<std::string, std::string>>> lists = {
      difference.runs[0].settings, difference.runs[1].settings};
  return rows_of(
      lists, [](const auto& one) -> const std::string& { return one.first; },
      [](const auto& one) { return one.second; });
}

std::vector<SideRow> outcome_rows(const Difference& difference) {
  std::set<std::string> names;
  for (const RunFacts& run : difference.runs)
    for (const auto& [outcome, pods] : run.outcomes) names.insert(outcome);
  std::vector<SideRow> rows;
  for (const std::string& name : names) {
    SideRow row{name, {}};
    for (size_t side = 0; side < row.values.size(); ++side) {
      const auto& outcomes = difference.runs[side].outcomes;
      const auto at = outcomes.find(name);
      row.values[side] = grouped(at == outcomes.end() ? 0 : at->second);
    }
    std::ranges::replace(row.label, '_', ' ');
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<SideRow> utilisation_rows(const Difference& difference) {
  PerSide<std::vector<output::ResourceUse>> lists;
  for (size_t side = 0; side < lists.size(); ++side)
    if (difference.runs[side].summary) lists[side] = difference.runs[side].summary->resources;
  return rows_of(
      lists, [](const auto& one) -> const std::string& { return one.resource; }, share);
}

std::vector<SideRow> spread_rows(const Difference& difference) {
  const PerSide<std::vector<output::Spread>> lists = {difference.runs[0].spread,
                                                      difference.runs[1].spread};
  return rows_of(
      lists, [](const auto& one) -> const std::string& { return one.topology_key; },
      [](const output::Spread& of) {
        return fmt::format("{} to {}, mean {:.2f}", of.minimum, of.maximum, of.mean);
      });
}

std::string moved_text(const PodDifference& pod) {
  const std::string a = end_of(pod.results[0]), b = end_of(pod.results[1]);
  switch (pod.change) {
    case Change::kEvictedInA:
      return fmt::format("evicted from {} -> stays", a);
    case Change::kEvictedInB:
      return fmt::format("stays -> evicted from {}", b);
    default:
      return fmt::format("{} -> {}", a, b);
  }
}

std::string why_text(const PodDifference& pod) {
  if (!pod.cause.why.empty()) return pod.cause.why;
  constexpr PerSide<std::string_view> kSides = {"A", "B"};
  for (size_t side = 0; side < kSides.size(); ++side)
    if (pod.results[side] != nullptr && !pod.results[side]->message.empty())
      return fmt::format("{}: {}", kSides[side], pod.results[side]->message);
  return {};
}

std::string headline(const Difference& difference) {
  if (difference.pods.empty())
    return fmt::format("{} and no difference", plural(difference.pods_compared, "pod"));
  return fmt::format("{} of {} {}", grouped(difference.pods.size()),
                     plural(difference.pods_compared, "pod"),
                     difference.pods.size() == 1 ? "differs" : "differ");
}

}  // namespace berth::cli
