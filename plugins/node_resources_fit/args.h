#pragma once

// The arguments of NodeResourcesFit (kind NodeResourcesFitArgs), with defaults filled in.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/sdk/kubernetes/scored_resources.hpp"

namespace berth::plugins {

enum class Strategy : uint8_t { kLeastAllocated, kMostAllocated, kRequestedToCapacityRatio };

struct FitArgs {
  std::vector<std::string> ignored_resources;  // names, such as example.com/gpu
  std::vector<std::string> ignored_groups;     // parts before the slash, such as example.com
  Strategy strategy = Strategy::kLeastAllocated;
  std::vector<sdk::ResourceSpec> resources;        // that are scored, with their weights, 1..100
  sdk::UtilisationScores scores_by_utilisation{};  // only for kRequestedToCapacityRatio

  // True if the configuration excludes the resource from the filter. Requires
  // sdk::is_extended_resource(name).
  bool ignores(std::string_view name) const;
};

// Reports every error through `config`, with the field's path; the result is then of no use.
FitArgs read_fit_args(const sdk::Config& config);

}  // namespace berth::plugins
