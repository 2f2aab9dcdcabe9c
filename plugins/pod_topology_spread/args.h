#pragma once

// The arguments of PodTopologySpread (kind PodTopologySpreadArgs).

#include <cstdint>
#include <string>
#include <vector>

#include "berth/sdk/kubernetes/label_names.hpp"
#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

// A constraint for pods that have none of their own. It has no selector: the pods that share the
// pod's services and controller count.
struct DefaultConstraint {
  std::string topology_key;
  std::string when_unsatisfiable;  // DoNotSchedule or ScheduleAnyway
  int64_t max_skew = 0;
  int64_t min_domains = 1;
  bool honours_affinity = true;
  bool honours_taints = false;
};

struct SpreadArgs {
  bool system_defaults = true;  // `constraints` are kube-scheduler's: by zone and by hostname
  std::vector<DefaultConstraint> constraints;
};

// Reports every error through `config`.
SpreadArgs read_spread_args(const sdk::Config& config);

}  // namespace berth::plugins
