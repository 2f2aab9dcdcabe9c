#pragma once

// Runs a world through a session and writes down everything that a decision says, in words, so that
// two ways to come to it can be compared. Who wants to see more looks on.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/framework/decision/decide.h"
#include "engine/framework/evaluation/batch_evaluator.h"
#include "engine/framework/evaluation/evaluator.h"
#include "engine/runtime/core.h"
#include "tests/properties/random_world.h"

namespace berth::tests {

struct Way {
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  framework::FullOptions full{};
  framework::TieBreak tie_break = framework::TieBreak::kRandom;
  uint64_t seed = 1;
  uint32_t start = 0;
  std::optional<int32_t> percentage{};
  bool details = true;  // with every row's refusal and scores; without, the hash alone is compared
};

struct Trace {
  std::vector<std::string> lines;
  std::string hash;
  uint64_t decisions = 0;
  uint64_t scored = 0;   // decisions that came to scores
  uint64_t refused = 0;  // decisions without a node, by reasons of nodes
  uint64_t rows_off_main = 0;
};

// An arena of that many threads, made once in the process.
framework::Workers& workers(int threads);

// The plugins of the build, found once.
runtime::Plugins& built_plugins();

class Observer {
 public:
  virtual ~Observer() = default;
  // Before a step is taken.
  virtual void on_step(const Step&) {}
  // Each report that ends a pod's way through the cycle, and each binding that failed. What was
  // decided does not count in the model yet.
  virtual void on_report(runtime::Core&, const runtime::Report&) {}
};

runtime::CoreOptions core_options(const Way& way);
Trace run(const World& world, const Way& way, runtime::Plugins& plugins = built_plugins(),
          Observer* observer = nullptr);

// Applies the step, unless it is a pod to schedule.
void apply(const Step& step, runtime::Core& core);
// Brings in everything of a world but its steps.
void fill(const World& world, runtime::Core& core);
// What a trace says of one result, line by line: first the pod, then what was decided, then the
// rows that were searched, in order. As long as the session's model stands still.
std::vector<std::string> describe(runtime::Core& core, const runtime::Report& report);

// Empty if they are equal, else the first line in which they differ, from both.
std::string difference(const Trace& a, const Trace& b);

}  // namespace berth::tests
