#pragma once

// Two files of results, run by run and figure by figure.

#include <rapidjson/document.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/macro/measure/figures.h"
#include "bench/macro/measure/statistics.h"

namespace berth::bench {

inline constexpr double kSignificant = 0.05;

// A figure of one run in both files.
struct FigureChange {
  const Figure* figure = nullptr;
  double before = 0, after = 0;  // medians
  double ratio = 0;              // after / before; meaningless if before is 0
  Interval interval;             // of the ratio, 95 %
  double p = 1;                  // of no difference
  size_t samples_before = 0, samples_after = 0;

  bool significant() const { return p < kSignificant; }
  // Whether there are so few samples that no difference would be significant.
  bool nothing_can_be_said() const {
    return least_p(samples_before, samples_after) >= kSignificant;
  }
  // By how much it is worse, as a part of what it was; negative: it is better. Infinite if it was
  // 0 and is not.
  double worse_by() const;
};

struct RunChange {
  std::string run;  // workload and variant
  bool same_decisions = false;
  bool interrupted = false;  // in either file: the figures are of a part of the load
  std::vector<FigureChange> figures;
  std::vector<const Figure*> only_one;  // figures that one of the files has
};

struct ResultsChange {
  std::vector<RunChange> runs;
  std::vector<std::string> only_before, only_after;  // runs without a counterpart
  std::vector<std::string> remarks;  // what makes the files hard to compare, in words
};

// Reads what `berth-bench run -o json` wrote. Throws Error with the file's name if it is something
// else.
rapidjson::Document read_results(const std::string& file);

// Runs are the same if workload, nodes, parameters, seed and everything of the variant are, but for
// what is ignored; several such runs of one file are told apart by their order. Throws Error if a
// name to be ignored is none of kTellsRunsApart.
inline constexpr std::array kTellsRunsApart = {"workload",   "nodes", "percentage",    "evaluation",
                                               "threads",    "seed",  "configuration", "plugins",
                                               "parameters", "clock"};
ResultsChange compare(const rapidjson::Document& before, const rapidjson::Document& after,
                      const std::vector<std::string>& ignored = {});

// "slower:5%": a figure, and by how much it may be worse.
struct FailIf {
  const Figure* figure = nullptr;  // null: "decisions", which may not change
  double part = 0;
};
// Throws Error that says what was expected.
FailIf parse_fail_if(const std::string& text);

// What of the change a condition forbids, one line each. A figure is worse if that is significant,
// and its median is by more than the part. Throws Error where nothing can be said: a run is gone or
// was interrupted, there are too few samples for any difference to be significant, or a file lacks
// the figure.
std::vector<std::string> violations(const ResultsChange& change, const FailIf& condition);

std::string to_text(const ResultsChange& change);
std::string to_json(const ResultsChange& change);

}  // namespace berth::bench
