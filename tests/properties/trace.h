#pragma once

// Runs a world through a session and records every decision in words, so that two evaluations can
// be compared. An Observer can inspect more.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/cli/session.h"
#include "engine/cycle/assembly.h"
#include "engine/framework/decision/decide.h"
#include "engine/framework/evaluation/batch_evaluator.h"
#include "engine/framework/evaluation/evaluator.h"
#include "tests/properties/random_world.h"

namespace berth::tests {

// The options of a run.
struct Way {
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  framework::FullOptions full{};
  framework::TieBreak tie_break = framework::TieBreak::kRandom;
  uint64_t seed = 1;
  uint32_t start = 0;
  std::optional<int32_t> percentage{};
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
cycle::Plugins& built_plugins();

class Observer {
 public:
  virtual ~Observer() = default;
  // Called before each step.
  virtual void on_step(const Step&) {}
  // Called with the result of an arriving pod, and again if its binding fails later. The session's
  // model does not contain the decision yet.
  virtual void on_result(cli::Session&, const cycle::PodResult&) {}
};

cycle::SchedulerOptions scheduler_options(const Way& way);
Trace run(const World& world, const Way& way, cycle::Plugins& plugins = built_plugins(),
          Observer* observer = nullptr);

// Applies a step to the model, unless it is an arriving pod.
void apply(const Step& step, model::Cluster& cluster);
// Describes a result, line by line: the pod, the decision, then the searched rows in order. Call it
// before the session's model changes.
std::vector<std::string> describe(cli::Session& session, const cycle::PodResult& result);

// The first differing line of both traces; empty if they are equal.
std::string difference(const Trace& a, const Trace& b);

}  // namespace berth::tests
