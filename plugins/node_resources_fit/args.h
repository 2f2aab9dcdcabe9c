#pragma once

// The arguments of NodeResourcesFit (kind NodeResourcesFitArgs), with defaults filled in.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/sdk/scored_resources.hpp"

namespace berth::plugins {

enum class Strategy : uint8_t { kLeastAllocated, kMostAllocated, kRequestedToCapacityRatio };

// Score 0..100 by utilisation 0..100.
using UtilisationScores = std::array<int64_t, 101>;

struct FitArgs {
  std::vector<std::string> ignored_resources;
  std::vector<std::string> ignored_groups;
  Strategy strategy = Strategy::kLeastAllocated;
  std::vector<sdk::ResourceSpec> resources;
  UtilisationScores scores_by_utilisation{};  // only for kRequestedToCapacityRatio

  // True if the configuration excludes the resource from the filter. Requires
  // sdk::is_extended_resource(name).
  bool ignores(std::string_view name) const;
};

// Reports every error through `config`.
FitArgs read_fit_args(const sdk::Config& config);

}  // namespace berth::plugins
