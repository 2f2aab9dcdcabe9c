#pragma once

// A run as a page shows it: how many pods ended how, why others wait, and the nodes at its end.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/run/run.h"
#include "engine/explain/explanation.h"
#include "engine/output/pod_result.h"
#include "engine/output/resource_use.h"
#include "engine/output/spread.h"
#include "engine/output/summary.h"

namespace berth::cli {

// Pods without a node whose events give equal reasons, whatever the numbers of nodes.
struct RefusalGroup {
  std::string reasons;       // refusal_reasons(), or the outcome
  std::vector<size_t> pods;  // indices of RunReport::results
  // Of its first pod that can be explained, in the cluster at the end of the run.
  std::optional<explain::Explanation> explanation{};
};

struct RunReport {
  output::Summary summary;
  std::vector<output::PodResult> results;
  std::vector<output::DrainResult> drains;
  std::vector<output::Spread> spread;
  std::vector<output::NodeUse> nodes;  // the fullest first: by the largest share of a resource
  std::vector<RefusalGroup> refusals;  // the largest first
  std::string not_explained;           // why no group is; empty: the first ones are
};

// Groups of which a pod is explained.
inline constexpr size_t kMostExplained = 20;

// `run`: is over, has its results, and makes no decision any more: watches of it hear nothing of
// what is asked here.
RunReport report_of(Run& run, const output::Summary& summary);

// True if the pod waits for a node, or never can get one.
bool has_no_node(const output::PodResult& result);
std::vector<RefusalGroup> refusal_groups(const std::vector<output::PodResult>& results);
// The largest share of a resource of the node, and the resource; empty: it has none.
std::pair<double, std::string> fullest(const output::NodeUse& node);

// One HTML page that needs no network.
std::string to_page(const RunReport& report);

}  // namespace berth::cli
