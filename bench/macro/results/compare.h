#pragma once

// Compares two files of results: run by run, figure by figure.

#include <rapidjson/document.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/macro/measure/figures/figures.h"
#include "bench/macro/measure/figures/statistics.h"

namespace berth::bench {

// Differences with a smaller p are significant.
inline constexpr double kSignificant = 0.05;

// The change of one figure of one run.
struct FigureChange {
  const Figure* figure = nullptr;
  double before = 0, after = 0;                // medians
  double spread_before = 0, spread_after = 0;  // see spread_of()
  double ratio = 0;                            // after / before; meaningless if before is 0
  Interval interval;                           // 95 % confidence interval of the ratio
  double p = 1;  // probability of such a difference if nothing changed (Mann-Whitney U test)
  size_t samples_before = 0, samples_after = 0;

  bool significant() const { return p < kSignificant; }
  // True if there are too few samples for any difference to be significant.
  bool nothing_can_be_said() const {
    return least_p(samples_before, samples_after) >= kSignificant;
  }
  // The relative change for the worse: 0.05 is 5 % worse, negative is better. Infinite if the
  // figure was 0 before and is not now.
  double worse_by() const;
};

struct RunChange {
  std::string run;  // workload and variant
  bool same_decisions = false;
  bool interrupted = false;  // in either file: the figures cover part of the load
  std::vector<FigureChange> figures;
  std::vector<const Figure*> only_one;  // figures that only one of the files has
};

struct ResultsChange {
  std::vector<RunChange> runs;
  std::vector<std::string> only_before, only_after;  // runs without a counterpart
  std::vector<std::string> remarks;                  // why the files are hard to compare, in words
};

// Reads the output of `berth-bench run -o json`. Throws Error with the file's name if it is
// something else.
rapidjson::Document read_results(const std::string& file);

// Matches runs by workload, nodes, parameters, seed and all members of the variant, except for
// those in `ignored`. Several equal runs in a file are matched by their order. Throws Error if
// `ignored` contains a name that is not in kTellsRunsApart.
inline constexpr std::array kTellsRunsApart = {
    "workload",      "nodes",         "percentage",  "evaluation",   "threads",
    "seed",          "configuration", "plugins",     "parameters",   "clock",
    "feature-gates", "isolation",     "controllers", "kube-version", "settings"};
ResultsChange compare(const rapidjson::Document& before, const rapidjson::Document& after,
                      const std::vector<std::string>& ignored = {});

// A condition such as "slower:5%": a figure and the tolerated relative change.
struct FailIf {
  const Figure* figure = nullptr;  // null: "decisions", which must not change
  double part = 0;                 // 0.05 for 5 %
};
// Throws Error that says what is expected.
FailIf parse_fail_if(const std::string& text);

// The violations of a condition, one line each. A figure violates it if it is significantly worse
// and its median is worse by more than the tolerated part. Throws Error if there is no answer: a
// run is missing or was interrupted, there are too few samples, or a file lacks the figure.
std::vector<std::string> violations(const ResultsChange& change, const FailIf& condition);

enum class Digits : uint8_t {
  kMeant,  // of each figure as many as its samples agree in
  kAll,
};
std::string to_text(const ResultsChange& change, Digits digits = Digits::kMeant);
std::string to_json(const ResultsChange& change);
std::vector<std::string> run_names(const ResultsChange& change);  // run/NAME of each compared run

}  // namespace berth::bench
