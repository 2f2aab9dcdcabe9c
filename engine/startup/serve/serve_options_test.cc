// The command line of the scheduler of a real cluster, and how it overrides the configuration.

#include "engine/startup/serve/serve_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

#include "engine/base/error.h"
#include "engine/startup/serve/go_values.h"
#include "engine/startup/serve/refused_options.h"

namespace berth::startup {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

struct Parsed {
  ServeOptions options;
  Settings settings;
  std::string error;  // of the line or of its settings; empty: none
};

void parse_line(const std::string& line, Parsed& parsed) {
  CLI::App app;
  add_serve_options(app, parsed.options);
  try {
    app.parse(line);
    parsed.settings = settings_of(parsed.options);
  } catch (const std::exception& error) {
    parsed.error = error.what();
  }
}

const config::LeaderElection& election_of(const Parsed& parsed) {
  return parsed.settings.configuration.service.leader_election;
}
const config::ClientConnection& client_of(const Parsed& parsed) {
  return parsed.settings.configuration.service.client_connection;
}

std::string error_of(const std::string& line) {
  Parsed parsed;
  parse_line(line, parsed);
  return parsed.error;
}

class ServeOptionsFile : public ::testing::Test {
 protected:
  ~ServeOptionsFile() override { std::filesystem::remove(path_); }
  // "--config FILE" with these fields.
  std::string config(const std::string& fields) {
    std::ofstream(path_) << "apiVersion: kubescheduler.config.k8s.io/v1\n"
                            "kind: KubeSchedulerConfiguration\n"
                         << fields << "\n";
    return "--config " + path_;
  }

  const std::string path_ = std::filesystem::path(::testing::TempDir()) /
                            (std::string("serve_options_") +
                             ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST(ServeOptions, HaveTheDefaultsOfKubeScheduler) {
  Parsed parsed;
  parse_line("", parsed);
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.options.endpoint.port, 10259);
  EXPECT_EQ(parsed.options.endpoint.bind_address, "0.0.0.0");
  EXPECT_FALSE(parsed.options.unauthenticated_endpoint);
  EXPECT_EQ(parsed.options.core.scheduler.queue.max_unschedulable, 5min);
  EXPECT_EQ(election_of(parsed), config::LeaderElection());
  EXPECT_EQ(client_of(parsed), config::ClientConnection());
  EXPECT_THAT(parsed.settings.notices, IsEmpty());
}

TEST(ServeOptions, AreThoseOfAStaticPod) {
  Parsed parsed;
  parse_line(
      "--authentication-kubeconfig=/etc/a --authorization-kubeconfig=/etc/b "
      "--bind-address=127.0.0.1 --kubeconfig=/etc/k --leader-elect=true --secure-port=10260 "
      "--tls-cert-file=/etc/c --tls-private-key-file=/etc/d --master=https://m:6443 --v=2",
      parsed);
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.options.authentication_kubeconfig, "/etc/a");
  EXPECT_EQ(parsed.options.authorization_kubeconfig, "/etc/b");
  EXPECT_EQ(parsed.options.endpoint.bind_address, "127.0.0.1");
  EXPECT_EQ(parsed.options.endpoint.port, 10260);
  EXPECT_EQ(parsed.options.endpoint.files.certificate, "/etc/c");
  EXPECT_EQ(parsed.options.endpoint.files.key, "/etc/d");
  EXPECT_EQ(parsed.options.master, "https://m:6443");
  EXPECT_EQ(parsed.options.log_level, 2);
  EXPECT_EQ(client_of(parsed).kubeconfig, "/etc/k");
  EXPECT_TRUE(election_of(parsed).leader_elect);
}

TEST(ServeOptions, OfSchedulingReachTheCore) {
  Parsed parsed;
  parse_line(
      "--seed 7 --threads 3 -v=4 --evaluation reference --verify-evaluation 5 "
      "--pod-max-in-unschedulable-pods-duration 1m30s --feature-gates "
      "SchedulerPopFromBackoffQ=false --check-plugins --plugins /tmp",
      parsed);
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.options.core.scheduler.decide.seed, 7u);
  EXPECT_EQ(parsed.options.threads, 3);
  EXPECT_EQ(parsed.options.log_level, 4);
  EXPECT_EQ(parsed.options.core.scheduler.evaluation, framework::Evaluation::kReference);
  EXPECT_EQ(parsed.options.core.scheduler.verify_every, 5u);
  EXPECT_EQ(parsed.options.core.scheduler.queue.max_unschedulable, 90s);
  EXPECT_FALSE(parsed.settings.configuration.rules.has(Rule::kPopFromBackoff));
  EXPECT_TRUE(parsed.options.core.guard_columns);
}

TEST_F(ServeOptionsFile, OptionsOfLeaderElectionOverrideIt) {
  Parsed parsed;
  parse_line(config("leaderElection: {leaderElect: true, leaseDuration: 40s, resourceName: a}") +
                 " --leader-elect=false --leader-elect-renew-deadline 20s "
                 "--leader-elect-retry-period 1m30s --leader-elect-resource-name b "
                 "--leader-elect-resource-namespace c --leader-elect-resource-lock leases",
             parsed);
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(election_of(parsed), (config::LeaderElection{.leader_elect = false,
                                                         .lease_duration = 40s,
                                                         .renew_deadline = 20s,
                                                         .retry_period = 90s,
                                                         .resource_lock = "leases",
                                                         .resource_name = "b",
                                                         .resource_namespace = "c"}));
  // All that the file sets has its effect.
  EXPECT_THAT(parsed.settings.configuration.without_effect, IsEmpty());
}

TEST_F(ServeOptionsFile, OptionsOfTheClientHaveNoEffectBesideIt) {
  Parsed parsed;
  parse_line(config("clientConnection: {kubeconfig: /own, qps: 7}") +
                 " --kubeconfig /k --kube-api-qps 8 --kube-api-burst 9 "
                 "--kube-api-content-type application/json",
             parsed);
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(client_of(parsed).kubeconfig, "/own");
  EXPECT_EQ(client_of(parsed).qps, 7);
  EXPECT_EQ(client_of(parsed).burst, 100);
  EXPECT_THAT(parsed.settings.notices,
              ElementsAre(StartsWith("--kubeconfig: has no effect with --config"),
                          StartsWith("--kube-api-content-type: has no effect"),
                          StartsWith("--kube-api-qps: has no effect"),
                          StartsWith("--kube-api-burst: has no effect")));
}

TEST(ServeOptions, OfTheClientCountWithoutAFile) {
  Parsed parsed;
  parse_line("--kubeconfig /k --kube-api-qps=-1 --kube-api-burst 9", parsed);
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(client_of(parsed).kubeconfig, "/k");
  EXPECT_EQ(client_of(parsed).qps, -1);
  EXPECT_EQ(client_of(parsed).burst, 9);
}

TEST(ServeOptions, AreValidatedByTheRulesOfKubeScheduler) {
  EXPECT_EQ(error_of("--leader-elect-lease-duration 10s"),
            "--leader-elect-lease-duration: Invalid value: must be greater than renewDeadline");
  EXPECT_EQ(error_of("--leader-elect-retry-period 0s"),
            "--leader-elect-retry-period: Invalid value: must be greater than zero");
  EXPECT_EQ(error_of("--leader-elect=false --leader-elect-retry-period 0s"), "");
  EXPECT_THAT(error_of("--leader-elect-resource-lock endpoints"), HasSubstr("expected leases"));
  EXPECT_THAT(error_of("--leader-elect-retry-period 5"), HasSubstr("expected a duration"));
  EXPECT_THAT(error_of("--leader-elect=yes"), HasSubstr("expected true or false"));
  EXPECT_THAT(error_of("--kube-api-burst -1"), HasSubstr("--kube-api-burst"));
  EXPECT_THAT(error_of("--secure-port 65536"), HasSubstr("--secure-port"));
  EXPECT_THAT(error_of("--bind-address localhost"), HasSubstr("expected an IP address"));
  EXPECT_THAT(error_of("--kube-api-content-type application/vnd.kubernetes.protobuf"),
              HasSubstr("in application/json alone"));
  EXPECT_THAT(error_of("--unauthenticated-endpoint --authentication-kubeconfig a"),
              StartsWith("--authentication-kubeconfig: has no effect"));
}

TEST_F(ServeOptionsFile, ContentTypesOtherThanJsonAreNamed) {
  Parsed parsed;
  parse_line(config("clientConnection: {contentType: application/vnd.kubernetes.protobuf}"),
             parsed);
  EXPECT_EQ(parsed.error, "");
  EXPECT_THAT(parsed.settings.notices,
              ElementsAre(path_ + ": clientConnection.contentType: "
                                  "application/vnd.kubernetes.protobuf has no effect: Berth talks "
                                  "to the API server in application/json alone"));
  EXPECT_THAT(error_of(config("clientConnection: {acceptContentTypes: application/cbor}")),
              EndsWith("clientConnection.acceptContentTypes: Berth talks to the API server in "
                       "application/json alone, found \"application/cbor\""));
}

TEST(RefusedOptions, AreRefusedByName) {
  EXPECT_EQ(error_of("--cert-dir=/tmp"),
            "--cert-dir: kube-scheduler has this option, Berth has not: name the files with "
            "--tls-cert-file and --tls-private-key-file");
  for (const RefusedOption& option : refused_options())
    for (const std::string value : {"=true", "", " 10s"}) {
      const std::string name(option.name);
      EXPECT_THAT(error_of(name + value),
                  StartsWith(name + ": kube-scheduler has this option, Berth has not: "));
    }
}

TEST(RefusedOptions, AreNotInTheHelp) {
  CLI::App app;
  ServeOptions options;
  add_serve_options(app, options);
  const std::string help = app.help();
  EXPECT_THAT(help, HasSubstr("--leader-elect-lease-duration"));
  for (const RefusedOption& option : refused_options())
    EXPECT_EQ(help.find(std::string(option.name) + " "), std::string::npos) << option.name;
}

TEST(GoBool, IsReadAsGoReadsIt) {
  for (const char* text : {"1", "t", "T", "TRUE", "true", "True"})
    EXPECT_EQ(parse_go_bool(text), true) << text;
  for (const char* text : {"0", "f", "F", "FALSE", "false", "False"})
    EXPECT_EQ(parse_go_bool(text), false) << text;
  for (const char* text : {"", "yes", "tRUE", "2", " true"})
    EXPECT_EQ(parse_go_bool(text), std::nullopt) << text;
}

}  // namespace
}  // namespace berth::startup
