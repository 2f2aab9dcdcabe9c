#pragma once

// kube-scheduler's options about the API server: who is the leader, and how it is asked. Those that
// were given override the configuration (ServeOptions).

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.h"
#include "engine/config/service_settings.h"

namespace berth::startup {

// Given ones have a value.
struct LeaderElectionFlags {
  std::optional<bool> leader_elect;
  std::optional<Time> lease_duration, renew_deadline, retry_period;
  std::optional<std::string> resource_lock, resource_name, resource_namespace;

  // The options refer to this object, which must live as long as the command.
  void add_to(CLI::App& command);
  void override(config::LeaderElection& election) const;
};

// The option that sets a field of leaderElection: "--leader-elect-retry-period" of "retryPeriod".
std::string leader_election_option(std::string_view field);

struct ClientFlags {
  std::optional<std::string> kubeconfig, content_type;
  std::optional<float> qps;
  std::optional<int32_t> burst;

  void add_to(CLI::App& command);
  void override(config::ClientConnection& client) const;
  // The names of those that were given.
  std::vector<std::string> given() const;
};

}  // namespace berth::startup
