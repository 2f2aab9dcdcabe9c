#pragma once

// The options of a run that say how it goes, for the commands that make one: `berth run`, and
// `berth replay`, which makes it again. Inputs and outputs are options of the commands.

#include <CLI/CLI.hpp>

#include "cli/run/run_options.h"
#include "engine/config/config.h"
#include "engine/startup/evaluation_option.h"
#include "engine/startup/plugin_options.h"
#include "engine/startup/rules_options.h"

namespace berth::cli {

struct RunSetup {
  RunOptions run;
  startup::PluginOptions plugins;
  startup::EvaluationOption evaluation;
  startup::RankingMemoryOption memory;
  startup::VerificationOption verification;
  startup::RulesOptions rules;

  // The options refer to this object, which must live as long as the command.
  void add_to(CLI::App& command);
  // Completes `run` and `plugins`. To be called once the command line was read. Throws Error for
  // options without an effect.
  void check();
  // Of the file of --config, or the defaults. Throws Error.
  config::Configuration configuration() const;
  // The plugins that the configuration may use. Precondition: check().
  runtime::Plugins discover(const config::Configuration& configuration) const {
    return plugins.discover(configuration.isolation);
  }
};

}  // namespace berth::cli
