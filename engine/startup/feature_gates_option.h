#pragma once

// The option --feature-gates: kube-scheduler's, for every program that reads a scheduler
// configuration.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/config/gates/feature_gates.h"

namespace berth::startup {

struct FeatureGatesOption {
  std::vector<std::string> texts;  // each NAME=true,...; together they are one

  // The option refers to this object, which must live as long as the command.
  void add_to(CLI::App& command);
  // Prints on stderr which gates make no difference. Throws Error for gates that cannot be set.
  config::FeatureGates read() const;
  // The same for a command that decides about no queue of pods, where gates of the queue make no
  // difference either.
  config::FeatureGates read_without_queue() const;
};

}  // namespace berth::startup
