// The simulation: seeds of clusters, workloads and faults.
//   simulation --seeds 1-1000       plays seeds; exit status 1 if one has a fault
//   simulation --seed 17 --verbose  plays one again, and prints every event
//   simulation --histories --seeds 1-1000  compares the incremental evaluation with the reference
//   simulation --outages --seeds 1-1000    plays nodes that fail, drains, and controllers
// A seed whose run ends the program (an audit, an assertion) is the last one that --progress names.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include "engine/base/error.h"
#include "tests/simulation/outages/outages.h"
#include "tests/simulation/simulation.h"

namespace berth::simulation {
namespace {

struct Options {
  std::string seeds = "1-100";
  bool verbose = false;
  bool progress = false;
  bool flushed = false;
  bool all_marks = false;
  bool histories = false;
  bool outages = false;
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

struct Totals {
  uint64_t seeds = 0, faults = 0, decisions = 0, bound = 0, evicted = 0, failed = 0, left = 0,
           flushed = 0, rows_off_main = 0, verified = 0;
  MarkCounts marks{};

  void add(const Outcome& outcome) {
    ++seeds;
    faults += !outcome.fault.empty();
    decisions += outcome.decisions;
    bound += outcome.bound;
    evicted += outcome.evicted;
    failed += outcome.failed;
    left += outcome.left;
    flushed += outcome.flushed.size();
    rows_off_main += outcome.rows_off_main;
    verified += outcome.verified;
    for (size_t i = 0; i < kMarks; ++i) marks[i] += outcome.marks[i];
  }
  void print() const {
    fmt::print(
        "{} seeds: {} decisions, {} bindings, {} failed, {} evictions, {} pods without a "
        "place, {} placed by the flush, {} rows by other threads, {} decisions verified, {} "
        "faults\n",
        seeds, decisions, bound, failed, evicted, left, flushed, rows_off_main, verified, faults);
    for (size_t i = 0; i < kMarks; ++i) fmt::print("{:>12}  {}\n", marks[i], kMarkNames[i]);
  }
  bool all_marks() const {
    return std::all_of(marks.begin(), marks.end(), [](uint64_t count) { return count != 0; });
  }
};

struct OutageTotals {
  uint64_t seeds = 0, faults = 0, decisions = 0, made = 0, bound = 0, evicted = 0;
  OutageMarks::Counts marks{};

  void add(const OutageOutcome& outcome) {
    ++seeds;
    faults += !outcome.fault.empty();
    decisions += outcome.decisions;
    made += outcome.made;
    bound += outcome.bound;
    evicted += outcome.evicted;
    for (size_t i = 0; i < kOutages; ++i) marks[i] += outcome.marks[i];
  }
  void print() const {
    fmt::print("{} seeds: {} decisions, {} pods, {} bindings, {} evictions, {} faults\n", seeds,
               decisions, made, bound, evicted, faults);
    for (size_t i = 0; i < kOutages; ++i) fmt::print("{:>12}  {}\n", marks[i], kOutageNames[i]);
  }
  bool all_marks() const {
    return std::all_of(marks.begin(), marks.end(), [](uint64_t count) { return count != 0; });
  }
};

void print_flushed(uint64_t seed, const Outcome& outcome) {
  for (const std::string& pod : outcome.flushed) fmt::print("seed {}: flush: {}\n", seed, pod);
}
void print_flushed(uint64_t, const OutageOutcome&) {}

template <typename Played>
void print(uint64_t seed, const Played& outcome, const Options& options) {
  if (options.verbose)
    for (const std::string& event : outcome.events) fmt::print("{}\n", event);
  if (options.flushed || options.verbose) print_flushed(seed, outcome);
  if (!outcome.fault.empty()) fmt::print("seed {}: {}\n", seed, outcome.fault);
  std::fflush(stdout);
}

template <typename Sums, typename Play>
int run(const Options& options, const Play& play) {
  const Range range = range_of(options.seeds);
  Sums totals;
  for (uint64_t seed = range.first; seed <= range.last; ++seed) {
    if (options.progress) fmt::print(stderr, "\rseed {} ", seed);
    const auto outcome = play(seed);
    totals.add(outcome);
    print(seed, outcome, options);
  }
  totals.print();
  if (options.all_marks && !totals.all_marks()) fmt::print("some faults never came\n");
  return totals.faults == 0 && (totals.all_marks() || !options.all_marks) ? 0 : 1;
}

int run(const Options& options) {
  if (options.outages) return run<OutageTotals>(options, play_outages);
  return run<Totals>(options, options.histories ? play_history : play_all);
}

}  // namespace
}  // namespace berth::simulation

int main(int argc, char** argv) {
  CLI::App app("Simulation of the core with faults");
  berth::simulation::Options options;
  app.add_option("--seeds,--seed", options.seeds, "a seed, or FIRST-LAST (1-100)");
  app.add_flag("--verbose", options.verbose, "print every event");
  app.add_flag("--progress", options.progress, "name each seed on standard error before it is run");
  app.add_flag("--flushed", options.flushed, "name the pods that only the queue's flush placed");
  app.add_flag("--histories", options.histories,
               "play each seed with the incremental and with the reference evaluation, in larger "
               "clusters, on 1, 2 or 8 threads, with little memory and sampling");
  app.add_flag("--outages", options.outages,
               "play nodes that fail, are drained or run short of memory, with controllers");
  app.add_flag("--all-marks", options.all_marks, "fail if one of the faults never came");
  CLI11_PARSE(app, argc, argv);
  try {
    return berth::simulation::run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "simulation: {}\n", error.what());
    return 1;
  }
}
