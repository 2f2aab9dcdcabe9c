#include "engine/startup/serve/server_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/base/program/checks.h"
#include "engine/base/text/go_duration.h"
#include "engine/startup/serve/go_values.h"

namespace berth::startup {
namespace {

template <typename T>
void take_given(T& value, const std::optional<T>& given) {
  if (given) value = *given;
}

void add_text(CLI::App& command, const std::string& name, std::optional<std::string>& to,
              const std::string& help, const std::string& kind) {
  command
      .add_option_function<std::string>(
          name, [&to](const std::string& text) { to = text; }, help)
      ->option_text(kind);
}

void add_duration(CLI::App& command, const std::string& name, std::optional<Time>& to,
                  const std::string& help) {
  command
      .add_option_function<std::string>(
          name, [&to](const std::string& text) { to = Time(*parse_duration(text)); }, help)
      ->check(is_go_duration())
      ->option_text("DURATION");
}

// Berth writes and reads JSON alone.
std::string content_type_problem(const std::string& text) {
  if (text == "application/json") return {};
  return fmt::format(
      "Berth talks to the API server in application/json alone, found \"{}\"; leave the option out",
      text);
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kLeaderOptions = {{
    {"leaderElect", "--leader-elect"},
    {"leaseDuration", "--leader-elect-lease-duration"},
    {"renewDeadline", "--leader-elect-renew-deadline"},
    {"retryPeriod", "--leader-elect-retry-period"},
    {"resourceLock", "--leader-elect-resource-lock"},
    {"resourceName", "--leader-elect-resource-name"},
    {"resourceNamespace", "--leader-elect-resource-namespace"},
}};

}  // namespace

std::string leader_election_option(std::string_view field) {
  const auto found = std::ranges::find(kLeaderOptions, field,
                                       &std::pair<std::string_view, std::string_view>::first);
  BERTH_ASSERT(found != kLeaderOptions.end());
  return std::string(found->second);
}

void LeaderElectionFlags::add_to(CLI::App& command) {
  const auto name = [](std::string_view field) { return leader_election_option(field); };
  add_go_bool(
      command, name("leaderElect"), [this](bool value) { leader_elect = value; },
      "schedule only while this process holds a lease, so that several can run and one "
      "works (true)");
  add_duration(command, name("leaseDuration"), lease_duration,
               "how long others wait after the last renewal that they saw (15s)");
  add_duration(command, name("renewDeadline"), renew_deadline,
               "how long the leader tries to renew its lease before it stops; less than the "
               "duration of the lease (10s)");
  add_duration(command, name("retryPeriod"), retry_period,
               "how long to wait between tries to get or renew the lease (2s)");
  add_text(command, name("resourceName"), resource_name, "the name of the lease (kube-scheduler)",
           "NAME");
  add_text(command, name("resourceNamespace"), resource_namespace,
           "the namespace of the lease (kube-system)", "NAME");
  command
      .add_option_function<std::string>(
          name("resourceLock"), [this](const std::string& text) { resource_lock = text; },
          "the kind of the lock: leases, the only one that there is")
      ->check(check::one_of({"leases"}))
      ->option_text("leases");
}

void LeaderElectionFlags::override(config::LeaderElection& election) const {
  take_given(election.leader_elect, leader_elect);
  take_given(election.lease_duration, lease_duration);
  take_given(election.renew_deadline, renew_deadline);
  take_given(election.retry_period, retry_period);
  take_given(election.resource_lock, resource_lock);
  take_given(election.resource_name, resource_name);
  take_given(election.resource_namespace, resource_namespace);
}

void ClientFlags::add_to(CLI::App& command) {
  add_text(command, "--kubeconfig", kubeconfig,
           "the kubeconfig with the API server and this scheduler's credentials; without it, and "
           "without --config, those of the pod that this runs in",
           "FILE");
  command
      .add_option_function<std::string>(
          "--kube-api-content-type", [this](const std::string& text) { content_type = text; },
          "the encoding of requests: application/json, the only one that there is")
      ->check(CLI::Validator([](std::string& text) { return content_type_problem(text); }, ""))
      ->option_text("application/json");
  command
      .add_option_function<float>(
          "--kube-api-qps", [this](const float& value) { qps = value; },
          "how many requests per second the API server gets at most, but for bursts; negative: no "
          "limit (50)")
      ->check(check::number(-FLT_MAX, FLT_MAX))
      ->option_text("N");
  command
      .add_option_function<int32_t>(
          "--kube-api-burst", [this](const int32_t& value) { burst = value; },
          "how many requests may be made at once (100)")
      ->check(check::whole_number(0, INT32_MAX))
      ->option_text("N");
}

void ClientFlags::override(config::ClientConnection& client) const {
  take_given(client.kubeconfig, kubeconfig);
  take_given(client.content_type, content_type);
  take_given(client.qps, qps);
  take_given(client.burst, burst);
}

std::vector<std::string> ClientFlags::given() const {
  std::vector<std::string> names;
  if (kubeconfig) names.emplace_back("--kubeconfig");
  if (content_type) names.emplace_back("--kube-api-content-type");
  if (qps) names.emplace_back("--kube-api-qps");
  if (burst) names.emplace_back("--kube-api-burst");
  return names;
}

}  // namespace berth::startup
