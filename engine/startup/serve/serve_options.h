#pragma once

// The command line of the scheduler of a real cluster: options of kube-scheduler v1.34.1 under
// their names, with its defaults, and those that the programs of Berth share.
//
//   ServeOptions options;               // lives as long as the command
//   add_serve_options(command, options);
//   command.callback([&] { serve(options, settings_of(options)); });

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/config/config.h"
#include "engine/framework/evaluation/workers.h"
#include "engine/runtime/core.h"
#include "engine/startup/evaluation_option.h"
#include "engine/startup/plugin_options.h"
#include "engine/startup/rules_options.h"
#include "engine/startup/serve/endpoint_options.h"
#include "engine/startup/serve/server_flags.h"

namespace berth::startup {

struct ServeOptions {
  std::string config;  // a path; empty: the defaults
  std::string master;  // the server's URL, instead of the kubeconfig's; empty: not given
  ClientFlags client;
  LeaderElectionFlags leader_election;

  EndpointOptions endpoint;               // its port is not 0, unless there is no endpoint
  bool unauthenticated_endpoint = false;  // all requests are allowed
  // Of the server that is asked about requests to the endpoint; empty: that of the pod, if this
  // runs in one, else none.
  std::string authentication_kubeconfig, authorization_kubeconfig;

  runtime::CoreOptions core;  // of decisions and the queue; settings_of() completes it
  int threads = framework::Workers::threads_of_the_machine();
  int log_level = 0;  // 0 to 10, as klog takes it
  PluginOptions plugins;
  EvaluationOption evaluation;
  RankingMemoryOption memory;
  VerificationOption verification;
  RulesOptions rules;
};

void add_serve_options(CLI::App& command, ServeOptions& options);

// The settings that count of the configuration and the command line.
struct Settings {
  config::Configuration configuration;  // `service` with the options that override it
  std::vector<std::string> notices;     // to say(); any text
};

// Reads the file. As for kube-scheduler, options of leader election override it, and options of the
// client have no effect beside --config, which is a notice. Throws Error.
Settings settings_of(ServeOptions& options);

}  // namespace berth::startup
