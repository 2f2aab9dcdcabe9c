#pragma once

// The options --kube-version and --feature-gates, for every program that reads a scheduler
// configuration: the rules by which it decides.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/base/rules/rules.h"

namespace berth::startup {

struct RulesOptions {
  std::string version{version_text(kDefaultKubeVersion)};
  std::vector<std::string> gates;  // each NAME=true,...; together they are one

  // The options refer to this object, which must live as long as the command.
  void add_to(CLI::App& command);
  // Prints on stderr which gates make no difference. Throws Error for gates that cannot be set.
  Rules read() const;
  // The same for a command that decides about no queue of pods, where gates of the queue make no
  // difference either.
  Rules read_without_queue() const;
};

}  // namespace berth::startup
