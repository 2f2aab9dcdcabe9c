#pragma once

// Options of the commands that ask what a cluster can take: how it is scheduled.

#include <CLI/CLI.hpp>
#include <string>

#include "cli/run/run_options.h"
#include "engine/base/program/program.h"
#include "engine/config/config.h"
#include "engine/output/format_option.h"
#include "engine/startup/evaluation_option.h"
#include "engine/startup/plugin_options.h"
#include "engine/startup/rules_options.h"

namespace berth::cli {

// The exit status of an answer that is no.
inline constexpr int kDoesNotFit = 3;

struct Prepared {
  config::Configuration configuration;
  runtime::Plugins plugins;
};

// --cluster, which is required. `run` outlives the parsing.
void add_cluster_option(CLI::App& command, RunOptions& run);

struct QuestionOptions {
  startup::PluginOptions plugins;
  startup::EvaluationOption evaluation;
  startup::RulesOptions rules;

  // The options refer to this object and to `run`, which outlive the parsing.
  void add_to(CLI::App& command, RunOptions& run);
  // Once the command line was read: completes the options, notes interrupts from now on, and loads
  // the configuration and the plugins. Throws Error.
  Prepared prepare(RunOptions& run);
};

// Prints the answer of a question in the format that was asked for. The exit status that it has: of
// an interrupt if the answer is partial, of a fault in the input or of a plugin, or by whether what
// was asked about fits.
template <typename Answer>
int show_answer(const output::FormatOption& format, const Answer& answer) {
  format.print({.text = [&] { return to_text(answer, false); },
                .wide = [&] { return to_text(answer, true); },
                .json = [&] { return to_json(answer); }});
  if (answer.partial) return kInterrupted;
  if (answer.faults != 0) return kFailed;
  return answer.fits() ? kOk : kDoesNotFit;
}

// Ends the process if it was interrupted: a thread may be blocked on input that never arrives.
void end_at_once(int status);

}  // namespace berth::cli
