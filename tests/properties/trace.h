#pragma once

// Runs a world through a session and records every decision in words, so that two evaluations can
// be compared. An Observer can inspect more.

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

// The options of a run.
struct Way {
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  framework::FullOptions full{.ranking_from = 1};  // rankings from the first pod on
  framework::TieBreak tie_break = framework::TieBreak::kRandom;
  uint64_t seed = 1;
  KubeVersion version = kDefaultKubeVersion;
  uint32_t start = 0;
  std::optional<int32_t> percentage{};
  bool preempts = true;  // false: no PostFilter plugin runs
  bool retire_always = false;
  bool details = true;  // record every row's refusal and scores; otherwise compare only the hash
};

struct Trace {
  std::vector<std::string> lines;
  std::string hash;
  uint64_t decisions = 0;
  uint64_t scored = 0;   // decisions with scores
  uint64_t refused = 0;  // decisions without a node because nodes refused the pod
  // rows evaluated by threads other than the main thread
  uint64_t rows_off_main = 0;
};

// The plugins of the build, discovered once.
runtime::Plugins& built_plugins();

// An arena of that many threads, made once in the process.
framework::Workers& workers(int threads);

class Observer {
 public:
  virtual ~Observer() = default;
  // Called before each step.
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
// Adds all objects of a world, without its steps.
void fill(const World& world, runtime::Core& core);
// Describes a result, line by line: the pod, the decision, then the searched rows in order. Call it
// before the session's model changes.
std::vector<std::string> describe(runtime::Core& core, const runtime::Report& report);

// The first differing line of both traces; empty if they are equal.
std::string difference(const Trace& a, const Trace& b);

}  // namespace berth::tests
