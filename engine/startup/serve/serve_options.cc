#include "engine/startup/serve/serve_options.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <optional>

#include "engine/base/program/checks.h"
#include "engine/base/text/go_duration.h"
#include "engine/startup/log_level_option.h"
#include "engine/startup/serve/go_values.h"
#include "engine/startup/serve/refused_options.h"

namespace berth::startup {
namespace {

constexpr uint64_t kMostThreads = 1024;
constexpr uint64_t kMostLogLevel = 10;

std::string address_problem(const std::string& text) {
  in6_addr address;
  for (const int family : {AF_INET, AF_INET6})
    if (inet_pton(family, text.c_str(), &address) == 1) return {};
  return fmt::format("expected an IP address, found \"{}\"", text);
}

std::string unschedulable_wait_problem(const std::string& text) {
  const std::optional<int64_t> duration = parse_duration(text);
  if (duration && *duration > 0) return {};
  return fmt::format("expected a duration over 0 such as 5m or 1h30m, found \"{}\"", text);
}

void add_server_options(CLI::App& command, ServeOptions& options) {
  command
      .add_option("--config", options.config,
                  "a KubeSchedulerConfiguration (v1, v1beta3 or v1beta2), and in another document "
                  "of the file a PluginIsolation (berth/v1)")
      ->option_text("FILE");
  command
      .add_option("--master", options.master,
                  "the URL of the API server, instead of the one of the kubeconfig")
      ->option_text("URL");
  options.client.add_to(command);
  options.leader_election.add_to(command);
}

void add_endpoint_options(CLI::App& command, ServeOptions& options) {
  EndpointOptions& endpoint = options.endpoint;
  command
      .add_option("--secure-port", endpoint.port,
                  "the port of health, metrics and configuration over HTTPS; 0: none (10259)")
      ->check(check::whole_number(0, UINT16_MAX))
      ->option_text("N");
  command
      .add_option("--bind-address", endpoint.bind_address,
                  "the address of that port; 0.0.0.0 and :: are all of them (0.0.0.0)")
      ->check(CLI::Validator(address_problem, ""))
      ->option_text("ADDRESS");
  command
      .add_option("--tls-cert-file", endpoint.files.certificate,
                  "the certificate of that port, as PEM, with its issuers behind it; read again "
                  "when it changes. Without it, a self-signed one is made")
      ->option_text("FILE");
  command
      .add_option("--tls-private-key-file", endpoint.files.key,
                  "the key of that certificate, as PEM")
      ->option_text("FILE");
  command
      .add_option("--authentication-kubeconfig", options.authentication_kubeconfig,
                  "the kubeconfig of the API server that knows the senders of requests to that "
                  "port (the pod's own server)")
      ->option_text("FILE");
  command
      .add_option("--authorization-kubeconfig", options.authorization_kubeconfig,
                  "the kubeconfig of the API server that knows what they may read (the pod's own "
                  "server)")
      ->option_text("FILE");
  add_go_bool(
      command, "--unauthenticated-endpoint",
      [&options](bool value) { options.unauthenticated_endpoint = value; },
      "let everyone who reaches that port read all of it, and ask no API server (false)");
}

// `text` is all behind "-v": "10", or "=10" as klog's users write it.
std::string take_verbosity(std::string& text) {
  if (text.starts_with('=')) text.erase(0, 1);
  return check::whole_number(0, kMostLogLevel)(text);
}

void add_scheduling_options(CLI::App& command, ServeOptions& options) {
  command.add_option("--seed", options.core.scheduler.decide.seed, "seed of the random draws (0)")
      ->check(check::whole_number(0, UINT64_MAX))
      ->option_text("N");
  command
      .add_option("--threads", options.threads,
                  "maximum number of threads that evaluate nodes, where several are faster (all "
                  "cores)")
      ->check(check::whole_number(1, kMostThreads))
      ->option_text("N");
  command
      .add_option_function<std::string>(
          "--pod-max-in-unschedulable-pods-duration",
          [&options](const std::string& text) {
            options.core.scheduler.queue.max_unschedulable = Time(*parse_duration(text));
          },
          "an unschedulable pod that waited for longer is tried again (5m)")
      ->check(CLI::Validator(unschedulable_wait_problem, ""))
      ->option_text("DURATION");
  command
      .add_option_function<std::string>(
          "-v,--v", [&options](const std::string& level) { options.log_level = std::stoi(level); },
          "log decisions on standard error, as kube-scheduler does at this level: 0 to 10 (0)")
      ->transform(CLI::Validator(take_verbosity, ""))
      ->option_text("N");
  add_log_level(command);
  options.rules.add_to(command);
  options.plugins.add_to(command);
  options.plugins.add_debugging_to(command);
  options.evaluation.add_to(command);
  options.memory.add_to(command);
  options.verification.add_to(command);
}

}  // namespace

void add_serve_options(CLI::App& command, ServeOptions& options) {
  add_server_options(command, options);
  add_endpoint_options(command, options);
  add_scheduling_options(command, options);
  add_refused_options(command);
}

}  // namespace berth::startup
