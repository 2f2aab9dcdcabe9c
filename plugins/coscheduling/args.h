#pragma once

// The arguments of Coscheduling (kind CoschedulingArgs), with defaults filled in.

#include <cstdint>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

struct CoschedulingArgs {
  // How long a pod waits for the others of its group: 1 to BERTH_PERMIT_MAX_SECONDS.
  int64_t permit_waiting_time_seconds = 60;
  // The size of groups whose pods have no label with a size; 0: there is none.
  int64_t min_member = 0;
};

// Reports every error through `config`, with the field's path; the result is then of no use.
CoschedulingArgs read_coscheduling_args(const sdk::Config& config);

}  // namespace berth::plugins
