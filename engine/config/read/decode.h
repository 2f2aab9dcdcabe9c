#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/config/config.h"
#include "engine/config/read/node.h"

namespace berth::config {

// What is read to be checked only. Durations in nanoseconds; 0 and empty mean kube-scheduler's
// default.
struct LeaderElection {
  std::optional<bool> leader_elect;
  int64_t lease_duration = 0;
  int64_t renew_deadline = 0;
  int64_t retry_period = 0;
  std::string resource_lock;
};

struct Decoded {
  // The plugin sets are those of the file, without defaults. There may be no profile, and a
  // scheduler name that is not set is empty.
  Configuration configuration;
  bool first_is_named = false;  // the first profile sets its scheduler name, if only to ""

  std::optional<int32_t> parallelism;
  int32_t burst = 0;
  LeaderElection leader_election;
  size_t extenders = 0;  // their number
};

// Reads the tree below `root` by the schema of kubescheduler.config.k8s.io/v1. Throws
// InvalidConfiguration if it is of another version or kind, has unknown or doubled fields or values
// of wrong types.
Decoded decode(document::Value root);

}  // namespace berth::config
