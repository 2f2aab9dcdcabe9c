#pragma once

// The settings of an election: who, by which Lease, and how fast: leaderElection of
// KubeSchedulerConfiguration.

#include <chrono>
#include <cstdint>
#include <string>

#include "engine/base/time.h"

namespace berth::kube {

struct LeaseOptions {
  std::string namespace_name = "kube-system";
  std::string name = "kube-scheduler";
  std::string identity;                         // of this process alone: "HOST_UUID"
  std::string component = "default-scheduler";  // that events name as their source
  // Others wait so long after a renewal before they take the lease.
  Time lease_duration = std::chrono::seconds(15);
  // The leader gives up if a renewal does not succeed for so long.
  Time renew_deadline = std::chrono::seconds(10);
  Time retry_period = std::chrono::seconds(2);  // between attempts
  uint64_t seed = 0;                            // of the jitter; another one in each process
};

// Of the retry period: what is added at random while others hold the lease.
inline constexpr double kJitterFactor = 1.2;

// Throws Error for options with which an election cannot work or is not safe: those that client-go
// refuses, times below a second, and names that a server does not take. The place is the field of
// the configuration.
void check_lease_options(const LeaseOptions& options);

// Each request ends by then, as those of client-go.
Time request_limit(const LeaseOptions& options);

}  // namespace berth::kube
