// The simulation of `berth serve`: seeds of clusters, users and faults, in virtual time.
//   service_simulation --seeds 1-1000       plays seeds; exit status 1 if one has a fault
//   service_simulation --seed 17 --verbose  plays one again, and prints every event
// A seed whose run ends the program (an audit, an assertion) is the last one that --progress names.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>

#include "engine/base/error.h"
#include "tests/service_simulation/simulation.h"

namespace berth::service_simulation {
namespace {

constexpr size_t kLastEvents = 400;   // that are printed of a seed with a fault
constexpr uint64_t kTwiceEvery = 16;  // seeds

struct Options {
  std::string seeds = "1-100";
  bool verbose = false, progress = false, all_marks = false;
};

struct Range {
  uint64_t first = 0, last = 0;
};

// "A-B" or "A".
Range range_of(const std::string& text) {
  const size_t dash = text.find('-');
  const uint64_t first = std::stoull(text);
  return {first, dash == std::string::npos ? first : std::stoull(text.substr(dash + 1))};
}

void print(uint64_t seed, const Outcome& outcome, bool verbose) {
  const size_t last = verbose ? outcome.events.size() : outcome.until_fault;
  const size_t first = verbose ? 0 : last - std::min(last, kLastEvents);
  for (size_t i = first; i < last; ++i) fmt::print("{}\n", outcome.events[i]);
  if (!outcome.fault.empty()) fmt::print("seed {}: {}\n", seed, outcome.fault);
  std::fflush(stdout);
}

int run(const Options& options) {
  const Range range = range_of(options.seeds);
  uint64_t seeds = 0, faults = 0, placed = 0;
  MarkCounts marks{};
  for (uint64_t seed = range.first; seed <= range.last; ++seed) {
    if (options.progress) fmt::print(stderr, "\rseed {} ", seed);
    const Outcome outcome = seed % kTwiceEvery == 0 ? play_twice(seed) : play(seed);
    print(seed, outcome, options.verbose);
    ++seeds;
    faults += !outcome.fault.empty();
    placed += outcome.placed;
    for (size_t i = 0; i < kMarks; ++i) marks[i] += outcome.marks[i];
  }
  fmt::print("{} seeds: {} pods on nodes, {} faults\n", seeds, placed, faults);
  for (size_t i = 0; i < kMarks; ++i) fmt::print("{:>12}  {}\n", marks[i], kMarkNames[i]);
  const bool all = std::ranges::find(marks, 0u) == marks.end();
  if (options.all_marks && !all) fmt::print("some faults never came\n");
  return faults == 0 && (all || !options.all_marks) ? 0 : 1;
}

}  // namespace
}  // namespace berth::service_simulation

int main(int argc, char** argv) {
  CLI::App app("Simulation of the scheduler of a real cluster, with faults");
  berth::service_simulation::Options options;
  app.add_option("--seeds,--seed", options.seeds, "a seed, or FIRST-LAST (1-100)");
  app.add_flag("--verbose", options.verbose, "print every event");
  app.add_flag("--progress", options.progress, "name each seed on standard error before it is run");
  app.add_flag("--all-marks", options.all_marks, "fail if one of the faults never came");
  CLI11_PARSE(app, argc, argv);
  try {
    return berth::service_simulation::run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "service_simulation: {}\n", error.what());
    return 1;
  }
}
