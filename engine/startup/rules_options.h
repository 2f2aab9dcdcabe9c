#pragma once

// The options --kube-version and --feature-gates, for every program that reads a scheduler
// configuration: the rules by which it decides. They win over the SchedulerRules of the
// configuration's file (engine/config/rules/scheduler_rules.h).

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/config/config.h"

namespace berth::startup {

// Adds --kube-version, whose value goes to `version` once it is known to be one. `what`: what is
// done by the rules of the version.
void add_kube_version(CLI::App& command, std::string& version, const std::string& what);

struct RulesOptions {
  std::string version;             // empty: not given
  std::vector<std::string> gates;  // each NAME=true,...; together they are one

  // The options refer to this object, which must live as long as the command.
  void add_to(CLI::App& command);
  // Throws Error for gates that contradict each other.
  config::RulesChoice read() const;
};

// Says on stderr the notices of rules, and with the second which gates make no difference in a
// command that decides about no queue of pods.
void say_notices(const std::vector<std::string>& notices);
void say_gates_of_queue(const Rules& rules);

}  // namespace berth::startup
