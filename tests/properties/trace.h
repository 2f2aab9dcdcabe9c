#pragma once

// Runs a world through a session and writes down everything that a decision says, in words, so that
// two ways to come to it can be compared. Who wants to see more looks on.

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
cycle::Plugins& built_plugins();

class Observer {
 public:
  virtual ~Observer() = default;
  // Before a step is taken.
  virtual void on_step(const Step&) {}
  // Of a pod that came, and of one whose binding failed later. What was decided does not count in
  // the session's model yet.
  virtual void on_result(cli::Session&, const cycle::PodResult&) {}
};

cycle::SchedulerOptions scheduler_options(const Way& way);
Trace run(const World& world, const Way& way, cycle::Plugins& plugins = built_plugins(),
          Observer* observer = nullptr);

// What happens to the model, if the step is no pod that comes.
void apply(const Step& step, model::Cluster& cluster);
// What a trace says of one result, line by line: first the pod, then what was decided, then the
// rows that were searched, in order. As long as the session's model stands still.
std::vector<std::string> describe(cli::Session& session, const cycle::PodResult& result);

// Empty if they are equal, else the first line in which they differ, from both.
std::string difference(const Trace& a, const Trace& b);

}  // namespace berth::tests
