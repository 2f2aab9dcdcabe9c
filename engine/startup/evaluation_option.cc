#include "engine/startup/evaluation_option.h"

#include "engine/base/assert.h"
#include "engine/base/program/checks.h"

namespace berth::startup {

CLI::Validator is_evaluation() { return check::one_of({"reference", "full", "incremental"}); }

const char* evaluation_name(framework::Evaluation evaluation) {
  switch (evaluation) {
    case framework::Evaluation::kReference:
      return "reference";
    case framework::Evaluation::kFull:
      return "full";
    case framework::Evaluation::kIncremental:
      break;
  }
  return "incremental";
}

framework::Evaluation evaluation_of(const std::string& name) {
  if (name == "reference") return framework::Evaluation::kReference;
  if (name == "full") return framework::Evaluation::kFull;
  BERTH_ASSERT(name == "incremental");
  return framework::Evaluation::kIncremental;
}

void EvaluationOption::add_to(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--evaluation", [this](const std::string& name) { evaluation = evaluation_of(name); },
          "reference: node by node; full: in batches; incremental: in batches, only for nodes "
          "whose inputs changed (the default)")
      ->check(is_evaluation())
      ->option_text("reference|full|incremental");
}

}  // namespace berth::startup
