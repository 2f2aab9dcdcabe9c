#pragma once

// What is run: workloads, and the ways to run each of them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/config.h"
#include "engine/framework/evaluation/evaluator.h"

namespace berth::bench {

// Whether planned times mean anything: none, everything comes as soon as it can be taken; or those
// of the wall clock, however far the scheduler has come (open loop).
enum class Clock : uint8_t { kNone, kWall };

// One way to run a workload.
struct Variant {
  uint64_t seed = 0;
  std::map<std::string, std::string> parameters;  // of the workload, in place of its own
  std::string config;                             // a file; empty: the workload's own, or defaults
  std::vector<std::string> plugins;               // folders; empty: those that come with Berth
  std::optional<int32_t> percentage;              // empty: as configured
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  int threads = 1;
  Clock clock = Clock::kNone;
  double speed = 1;  // planned seconds that a second of the wall clock takes

  std::string label;  // what tells it from the others of the same workload; may be empty
};

// Lists of what is to be compared. An empty list stands for one element, the default.
struct Comparison {
  std::vector<std::string> configs;  // "default" is the workload's own
  std::vector<std::string> plugins;  // each FOLDER[:FOLDER...]; "default" is those of Berth
  std::vector<int32_t> percentages;
  std::vector<framework::Evaluation> evaluations;
  std::vector<int> threads;
  std::map<std::string, std::vector<std::string>> parameters;
};

// One variant for each way to choose one element of every list, the last list changing fastest. The
// rest is as in `base`.
std::vector<Variant> variants(const Variant& base, const Comparison& lists);

// The file that it names, or else that of the workload (empty: none), or the defaults. Throws
// Error.
config::Configuration configuration_of(const Variant& variant, const std::string& workload_config);

const char* evaluation_name(framework::Evaluation evaluation);

}  // namespace berth::bench
