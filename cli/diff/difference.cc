#include "cli/diff/difference.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

namespace berth::cli {
namespace {

struct ChangeNames {
  std::string_view name, text;
};
constexpr ChangeNames kChanges[] = {
    {"elsewhere", "on another node"},        {"placed_in_a", "on a node in A alone"},
    {"placed_in_b", "on a node in B alone"}, {"evicted_in_a", "evicted in A alone"},
    {"evicted_in_b", "evicted in B alone"},  {"other_outcome", "without a node for another reason"},
    {"only_in_a", "created in A alone"},     {"only_in_b", "created in B alone"},
};

bool evicted(const output::PodResult& result) {
  return !result.evicted_by.empty() || !result.evicted_because.empty();
}

std::optional<Change> change_between(const output::PodResult& a, const output::PodResult& b) {
  if (a.node.empty() != b.node.empty())
    return b.node.empty() ? Change::kPlacedInA : Change::kPlacedInB;
  if (a.node != b.node) return Change::kElsewhere;
  if (evicted(a) != evicted(b)) return evicted(a) ? Change::kEvictedInA : Change::kEvictedInB;
  if (a.node.empty() && a.outcome != b.outcome) return Change::kOtherOutcome;
  return std::nullopt;
}

std::string name_of(const output::PodResult& result) {
  return result.namespace_name + "/" + result.name;
}

// Behind the other groups.
bool tells_nothing(Cause::Kind kind) {
  return kind == Cause::Kind::kFollows || kind == Cause::Kind::kNotRecorded;
}

}  // namespace

std::string_view change_name(Change change) { return kChanges[static_cast<size_t>(change)].name; }
std::string_view change_text(Change change) { return kChanges[static_cast<size_t>(change)].text; }

std::map<Change, uint64_t> Difference::changes() const {
  std::map<Change, uint64_t> counts;
  for (const PodDifference& pod : pods) ++counts[pod.change];
  return counts;
}

std::map<std::string, uint64_t> count_outcomes(const std::vector<output::PodResult>& results) {
  std::map<std::string, uint64_t> counts;
  for (const output::PodResult& result : results) {
    ++counts[result.outcome];
    if (evicted(result)) ++counts["evicted"];
  }
  return counts;
}

std::vector<PodDifference> compare_results(const PerSide<RunFacts>& runs,
                                           const PerSide<std::vector<uint32_t>>& numbers) {
  std::vector<PodDifference> found;
  boost::unordered_flat_map<uint32_t, const output::PodResult*> in_b;
  for (size_t i = 0; i < numbers[1].size(); ++i) in_b[numbers[1][i]] = &runs[1].results[i];
  boost::unordered_flat_map<uint32_t, bool> in_a;
  for (size_t i = 0; i < numbers[0].size(); ++i) {
    const uint32_t number = numbers[0][i];
    const output::PodResult& a = runs[0].results[i];
    in_a[number] = true;
    const auto at = in_b.find(number);
    const std::optional<Change> change =
        at == in_b.end() ? std::optional(Change::kOnlyInA) : change_between(a, *at->second);
    if (change)
      found.push_back({name_of(a), number, *change, {&a, at == in_b.end() ? nullptr : at->second}});
  }
  for (size_t i = 0; i < numbers[1].size(); ++i)
    if (!in_a.contains(numbers[1][i]))
      found.push_back({name_of(runs[1].results[i]),
                       numbers[1][i],
                       Change::kOnlyInB,
                       {nullptr, &runs[1].results[i]}});
  return found;
}

std::vector<DifferenceGroup> group_by_cause(const std::vector<PodDifference>& pods) {
  std::vector<DifferenceGroup> groups;
  for (size_t i = 0; i < pods.size(); ++i) {
    const Cause& cause = pods[i].cause;
    auto at = std::ranges::find_if(groups, [&](const DifferenceGroup& group) {
      return group.kind == cause.kind && group.plugin == cause.plugin;
    });
    if (at == groups.end())
      at = groups.insert(at, {cause_name(cause), cause.kind, cause.plugin, {}});
    at->pods.push_back(i);
  }
  std::ranges::stable_sort(groups, [](const DifferenceGroup& a, const DifferenceGroup& b) {
    if (tells_nothing(a.kind) != tells_nothing(b.kind)) return tells_nothing(b.kind);
    return a.pods.size() > b.pods.size();
  });
  return groups;
}

}  // namespace berth::cli
