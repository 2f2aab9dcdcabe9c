#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "engine/base/error.h"
#include "engine/config/read/validate.h"
#include "engine/startup/serve/serve_options.h"

namespace berth::startup {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";

// Throws Error for options that are given for nothing.
void check_effects(const ServeOptions& options) {
  if (!options.unauthenticated_endpoint) return;
  const std::pair<const char*, const std::string&> without_effect[] = {
      {"--authentication-kubeconfig", options.authentication_kubeconfig},
      {"--authorization-kubeconfig", options.authorization_kubeconfig}};
  for (const auto& [option, file] : without_effect)
    if (!file.empty())
      throw Error(fmt::format("{}: has no effect with --unauthenticated-endpoint: leave out either",
                              option));
}

void override_client(const ServeOptions& options, Settings& settings) {
  if (options.config.empty()) {
    options.client.override(settings.configuration.service.client_connection);
    return;
  }
  for (const std::string& name : options.client.given())
    settings.notices.push_back(
        fmt::format("{}: has no effect with --config, as for kube-scheduler; clientConnection of "
                    "{} says the same",
                    name, options.config));
}

// Files often have the defaults of kube-scheduler written out, so protobuf is no error.
void check_content_type(const std::string& file, std::string_view field, const std::string& type,
                        Settings& settings) {
  if (type.empty() || type == kJson) return;
  const Place place{.file = file, .field = "clientConnection." + std::string(field)};
  const std::string only = fmt::format("Berth talks to the API server in {} alone", kJson);
  if (type != kProtobuf) throw Error(place, fmt::format("{}, found \"{}\"", only, type));
  settings.notices.push_back(
      fmt::format("{}: {} has no effect: {}", place.to_string(), kProtobuf, only));
}

void override_leader_election(const ServeOptions& options, config::Configuration& configuration) {
  config::LeaderElection& election = configuration.service.leader_election;
  options.leader_election.override(election);
  // The file alone is valid, so an option is at fault.
  config::Faults faults;
  config::validate_leader_election(
      election,
      [](std::string_view field) {
        Place place;
        place.field = leader_election_option(field);
        return place;
      },
      faults);
  faults.throw_if_any();
}

}  // namespace

Settings settings_of(ServeOptions& options) {
  check_effects(options);
  options.memory.check(options.evaluation.evaluation == framework::Evaluation::kIncremental);
  runtime::SchedulerOptions& scheduler = options.core.scheduler;
  scheduler.evaluation = options.evaluation.evaluation;
  scheduler.full.ranking_bytes = options.memory.bytes;
  scheduler.verify_every = options.verification.every;
  options.core.guard_columns = options.plugins.guard_columns;
  Settings settings;
  settings.configuration = config::load_or_defaults(options.config, options.rules.read());
  settings.configuration.heed_service_settings();
  override_client(options, settings);
  const config::ClientConnection& client = settings.configuration.service.client_connection;
  check_content_type(options.config, "contentType", client.content_type, settings);
  check_content_type(options.config, "acceptContentTypes", client.accept_content_types, settings);
  override_leader_election(options, settings.configuration);
  return settings;
}

}  // namespace berth::startup
