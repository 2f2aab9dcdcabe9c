#pragma once

// The differences between two runs of one input: pods, by the rule that decides, and the clusters
// at the end. Made of two live runs, or of the results of two recorded ones.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/diff/cause.h"
#include "engine/output/pod_result.h"
#include "engine/output/spread.h"
#include "engine/output/summary.h"

namespace berth::cli {

template <typename T>
using PerSide = std::array<T, 2>;  // by Side

enum class Change : uint8_t {
  kElsewhere,     // on another node
  kPlacedInA,     // on a node in A alone
  kPlacedInB,     // ... in B alone
  kEvictedInA,    // had to leave in A alone, from the same node
  kEvictedInB,    // ... in B alone
  kOtherOutcome,  // on no node in both, for another reason
  kOnlyInA,       // a controller created it in A alone
  kOnlyInB        // ... in B alone
};
std::string_view change_name(Change change);  // "placed_in_a"; for programs
std::string_view change_text(Change change);  // "on a node in A alone"; for people

struct PodDifference {
  std::string pod;  // namespace/name
  uint32_t number = 0;
  Change change = Change::kElsewhere;
  // Null: the run has no such pod. In the results, which outlive the difference.
  PerSide<const output::PodResult*> results{};
  Cause cause{};
};

// Pods that have their cause in common, in the order of the pods. The largest group is first; those
// that follow, and those of which nothing is told, are last.
struct DifferenceGroup {
  std::string name;  // cause_name()
  Cause::Kind kind = Cause::Kind::kFollows;
  std::string plugin;
  std::vector<size_t> pods;  // indices of Difference::pods
};

// One of the two runs.
struct RunFacts {
  std::vector<std::pair<std::string, std::string>> settings;  // names and values
  std::vector<output::PodResult> results;
  std::map<std::string, uint64_t> outcomes;  // pods by outcome; "evicted" counts beside it
  // Of a live run.
  std::optional<output::Summary> summary{};
  std::vector<output::Spread> spread{};
};

struct Difference {
  PerSide<RunFacts> runs;
  size_t pods_compared = 0;
  std::vector<PodDifference> pods;  // in the order of A's results, then those of B alone
  std::vector<DifferenceGroup> groups;
  bool recorded = false;  // made of results of recorded runs
  bool partial = false;   // A was interrupted: only pods that it tried are compared

  std::map<Change, uint64_t> changes() const;
};

// The pods that differ, without their causes. Numbers of both, in step with their results.
std::vector<PodDifference> compare_results(const PerSide<RunFacts>& runs,
                                           const PerSide<std::vector<uint32_t>>& numbers);
std::map<std::string, uint64_t> count_outcomes(const std::vector<output::PodResult>& results);
std::vector<DifferenceGroup> group_by_cause(const std::vector<PodDifference>& pods);

// The last step for each way of making it.
class CauseFinder;
class Trail;

// Two live runs. `numbers`: as of compare_results(), to find who evicted whom.
void explain_live(std::vector<PodDifference>& pods, const PerSide<RunFacts>& runs,
                  const PerSide<std::vector<uint32_t>>& numbers, const CauseFinder& of_a,
                  const Trail& of_b);
// Two recorded runs: the first that differs is exact, all later ones may follow.
void explain_recorded(std::vector<PodDifference>& pods);

struct Extent {
  size_t pods = 10;  // in each group; SIZE_MAX: all
};
std::string to_text(const Difference& difference, Extent extent);
std::string to_json(const Difference& difference);
// One HTML page that needs no network.
std::string to_page(const Difference& difference);

}  // namespace berth::cli
