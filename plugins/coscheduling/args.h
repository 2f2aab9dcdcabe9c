#pragma once

// The arguments of Coscheduling (kind CoschedulingArgs), with defaults filled in.

#include <cstdint>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

inline constexpr int64_t kDefaultWait = 60;

struct CoschedulingArgs {
  // The time for which a pod waits for the others of its group, unless the PodGroup says it; from 1
  // on. 0 in the arguments is the default.
  int64_t permit_waiting_time_seconds = kDefaultWait;
  // The size of groups that have neither a PodGroup nor a label with a size; 0: there is none.
  int64_t min_member = 0;
  // If no more than this share of a PodGroup's minMember is missing, a pod that no node takes does
  // not give up the nodes of the others: 0 to 100.
  int64_t reject_percentage = 10;
  // podGroupBackoffSeconds, which has no effect here.
  int64_t backoff_seconds = 0;
};

// Reports every error through `config`, with the field's path; the result is then of no use.
CoschedulingArgs read_coscheduling_args(const sdk::Config& config);

}  // namespace berth::plugins
