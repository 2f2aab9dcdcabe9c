#pragma once

// The option --evaluation: how rows are filtered and scored. Decisions are the same.

#include <CLI/CLI.hpp>
#include <string>

#include "engine/framework/evaluation/evaluator.h"

namespace berth::startup {

// Accepts the names of evaluations: reference, full, incremental.
CLI::Validator is_evaluation();
const char* evaluation_name(framework::Evaluation evaluation);
// Precondition: is_evaluation() accepts the name.
framework::Evaluation evaluation_of(const std::string& name);

struct EvaluationOption {
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  void add_to(CLI::App& command);
};

}  // namespace berth::startup
