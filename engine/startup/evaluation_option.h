#pragma once

// The options --evaluation: how rows are filtered and scored, with the same decisions;
// --ranking-memory: how much the incremental evaluation keeps; and --verify-evaluation: how many
// decisions are made again by the reference evaluation.

#include <CLI/CLI.hpp>
#include <string>

#include "engine/framework/evaluation/evaluator.h"
#include "engine/framework/evaluation/rows/row_work.h"
#include "engine/framework/verification/pace.h"

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

// An eighth of the memory that this process may use; 512 MiB if that cannot be found out. Decisions
// do not depend on it.
size_t default_ranking_memory();

// A line for people if so many rankings went for want of memory that it slows a run down: more than
// one in a hundred decisions. Empty: they did not. `limit`: in bytes.
std::string ranking_memory_notice(uint64_t evicted_for_memory, uint64_t decisions, uint64_t limit);

struct RankingMemoryOption {
  size_t bytes = default_ranking_memory();
  void add_to(CLI::App& command);
  // Throws Error if the option was given and there is nothing that it limits. `incremental`: some
  // run evaluates incrementally.
  void check(bool incremental) const;

 private:
  bool given_ = false;
};

struct VerificationOption {
  uint64_t every = framework::VerificationPace::kAsItPays;  // see SchedulerOptions::verify_every
  void add_to(CLI::App& command);
};

}  // namespace berth::startup
