#pragma once

// The parts of a KubeSchedulerConfiguration about the API server and the scheduler as its client
// (k8s.io/component-base/config). They matter to the scheduler of a real cluster alone.

#include <chrono>
#include <cstdint>
#include <string>

#include "engine/base/time.h"

namespace berth::config {

// The defaults are kube-scheduler's.
struct LeaderElection {
  bool leader_elect = true;
  Time lease_duration = std::chrono::seconds(15);
  Time renew_deadline = std::chrono::seconds(10);
  Time retry_period = std::chrono::seconds(2);
  std::string resource_lock = "leases";
  std::string resource_name = "kube-scheduler";
  std::string resource_namespace = "kube-system";

  bool operator==(const LeaderElection&) const = default;
};

struct ClientConnection {
  std::string kubeconfig;            // a path; empty: none
  std::string accept_content_types;  // empty: as content_type
  std::string content_type;          // empty: not set, which is protobuf for kube-scheduler
  float qps = 50;                    // requests per second; negative: no limit
  int32_t burst = 100;               // >= 0

  bool operator==(const ClientConnection&) const = default;
};

struct ServiceSettings {
  LeaderElection leader_election;  // valid, unless its leader_elect is false
  ClientConnection client_connection;
  bool profiling = true;
  bool contention_profiling = true;  // as the file says; by default as `profiling`

  bool operator==(const ServiceSettings&) const = default;
};

}  // namespace berth::config
