#pragma once

// Options that several commands share.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/framework/evaluation/evaluator.h"
#include "engine/runtime/assembly.h"

namespace berth::cli {

// Prints one line with `what` and the names on stderr; nothing if there are no names.
void name_once(const char* what, const std::vector<std::string>& names);
void name_missing(const std::vector<std::string>& default_plugins);

// Lists on stderr the parts of the configuration that have no effect in this program: settings and
// arguments, default plugins that are not built, extension points that are not called yet. Every
// command that schedules calls it once, at the start.
void name_what_is_not_done(const config::Configuration& configuration,
                           const runtime::Assembly& assembly);

struct PluginOptions {
  std::vector<std::string> folders;
  void add_to(CLI::App& command);
  // Searches the folders. Names files that cannot be used on stderr.
  runtime::Plugins discover() const;
};

struct EvaluationOption {
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  void add_to(CLI::App& command);
};

// Validators for CLI::Option::check. The bounds are inclusive.
CLI::Validator whole_number(uint64_t low, uint64_t high);
CLI::Validator number(double low, double high);
CLI::Validator one_of(std::vector<std::string> words);

}  // namespace berth::cli
