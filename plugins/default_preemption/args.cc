#include "plugins/default_preemption/args.h"

#include <algorithm>

#include "berth/sdk/field_errors.hpp"

namespace berth::plugins {

size_t DefaultPreemptionArgs::candidates(size_t potential_nodes) const {
  const auto nodes = static_cast<int64_t>(potential_nodes);
  const int64_t share = nodes * min_candidate_nodes_percentage / 100;
  return static_cast<size_t>(std::min(nodes, std::max(share, min_candidate_nodes_absolute)));
}

DefaultPreemptionArgs read_default_preemption_args(const sdk::Config& config) {
  config.type_meta("DefaultPreemptionArgs");
  DefaultPreemptionArgs args;
  const sdk::Config percentage = config["minCandidateNodesPercentage"];
  const sdk::Config absolute = config["minCandidateNodesAbsolute"];
  const int64_t share =
      percentage.integer(args.min_candidate_nodes_percentage, INT32_MIN, INT32_MAX);
  const int64_t number = absolute.integer(args.min_candidate_nodes_absolute, INT32_MIN, INT32_MAX);
  if (share < 0 || share > 100)
    percentage.error(sdk::invalid_value(share, "not in valid range [0, 100]"));
  if (number < 0) absolute.error(sdk::invalid_value(number, "not in valid range [0, inf)"));
  if (share == 0 && number == 0) {
    percentage.error(
        sdk::invalid_value(share, "cannot be zero at the same time as minCandidateNodesAbsolute"));
    absolute.error(sdk::invalid_value(
        number, "cannot be zero at the same time as minCandidateNodesPercentage"));
  }
  args.min_candidate_nodes_percentage = share;
  args.min_candidate_nodes_absolute = number;
  return args;
}

}  // namespace berth::plugins
