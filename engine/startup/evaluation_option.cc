#include "engine/startup/evaluation_option.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/memory/machine_memory.h"
#include "engine/base/program/checks.h"
#include "engine/base/text/number_text.h"
#include "engine/startup/memory_amount.h"

namespace berth::startup {

CLI::Validator is_evaluation() { return check::one_of({"reference", "full", "incremental"}); }

const char* evaluation_name(framework::Evaluation evaluation) {
  return framework::name_of(evaluation);
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

size_t default_ranking_memory() {
  constexpr uint64_t kShare = 8;
  const std::optional<uint64_t> usable = usable_memory();
  return usable ? static_cast<size_t>(*usable / kShare) : framework::FullOptions{}.ranking_bytes;
}

std::string ranking_memory_notice(uint64_t evicted_for_memory, uint64_t decisions, uint64_t limit) {
  constexpr uint64_t kFewDecisions = 100;
  if (evicted_for_memory * kFewDecisions <= decisions) return {};
  return fmt::format(
      "--ranking-memory: what is kept for kinds of pods does not fit into {}: {} evictions in {} "
      "decisions made the run slower, and changed no decision; allow more",
      measured_text(static_cast<double>(limit), NAN, Unit::kBytes), grouped(evicted_for_memory),
      grouped(decisions));
}

void RankingMemoryOption::add_to(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--ranking-memory",
          [this](const std::string& text) {
            given_ = true;
            bytes = static_cast<size_t>(*memory_amount(text));
          },
          "how much memory the incremental evaluation keeps for kinds of pods: those that were not "
          "used for longest are evicted. 0 keeps one kind (an eighth of the memory of the machine, "
          "or "
          "of the cgroup)")
      ->check(is_memory_amount("to keep one kind of pods"))
      ->option_text("AMOUNT");
}

void RankingMemoryOption::check(bool incremental) const {
  if (given_ && !incremental)
    throw Error("--ranking-memory: has no effect without --evaluation incremental");
}

void VerificationOption::add_to(CLI::App& command) {
  command
      .add_option("--verify-evaluation", every,
                  "decide one decision in N again by the reference evaluation and stop if the two "
                  "differ; 0: none (as many as take about 1 % of the time)")
      ->check(check::whole_number(0, UINT64_MAX - 1))
      ->default_str("")
      ->option_text("N");
}

}  // namespace berth::startup
