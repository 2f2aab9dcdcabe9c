#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/config/config.h"
#include "engine/config/read/node.h"

namespace berth::config {

// Fields that have no effect here and are only validated. Durations are in nanoseconds; 0 and empty
// mean kube-scheduler's default.
struct LeaderElection {
  std::optional<bool> leader_elect;
  int64_t lease_duration = 0;
  int64_t renew_deadline = 0;
  int64_t retry_period = 0;
  std::string resource_lock;
};

// A configuration file before defaults are filled in.
struct Decoded {
  // With the plugin sets of the file, without defaults. There may be no profile, and scheduler
  // names may be empty.
  Configuration configuration;
  bool first_is_named = false;  // the first profile sets its scheduler name, even if to ""

  // Checked by validate(), without effect.
  std::optional<int32_t> parallelism;
  int32_t burst = 0;
  LeaderElection leader_election;
};

// Reads the tree below `root` by the schema of kubescheduler.config.k8s.io/v1. Throws
// InvalidConfiguration for another version or kind, unknown or duplicate fields, and values of the
// wrong type.
Decoded decode(document::Value root);

}  // namespace berth::config
