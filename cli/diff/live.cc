#include "cli/diff/live.h"

#include "cli/diff/cause_finder.h"
#include "cli/run/run.h"
#include "engine/base/io/interrupts.h"
#include "engine/output/spread.h"

namespace berth::cli {
namespace {

// Runs, and keeps what the run tells. `other`: what the core takes as its second opinion; may be
// null.
RunFacts run_and_keep(LiveSide& side, TrailKeeper& keeper, runtime::OtherSettings* other) {
  RunOptions options = side.options;
  options.keeps_results = true;
  options.hooks.watch = &keeper;
  options.hooks.hears = [&keeper](const runtime::Report& report) { keeper.take(report); };
  options.core.other = other;
  Run run(options, side.configuration, side.plugins);
  keeper.watch(run.core());
  run.load();
  run.schedule();
  if (interrupted()) throw Interrupted{};  // half a run compares with nothing
  RunFacts facts;
  facts.settings = side.settings;
  facts.results = run.results();
  facts.outcomes = count_outcomes(facts.results);
  facts.summary = run.summary();
  facts.spread = output::spreads(run.core().snapshot());
  return facts;
}

}  // namespace

Difference compare_live(PerSide<LiveSide> sides) {
  PodNumbers numbers;
  TextTable texts;
  TrailKeeper of_b(numbers, texts);
  Difference difference;
  difference.runs[1] = run_and_keep(sides[1], of_b, nullptr);
  CauseFinder of_a(numbers, texts, of_b.trail());
  runtime::OtherSettings other{.configuration = sides[1].configuration,
                               .plugins = &sides[1].plugins,
                               .decide = sides[1].options.core.scheduler.decide};
  difference.runs[0] = run_and_keep(sides[0], of_a, &other);
  const PerSide<std::vector<uint32_t>> of_results = {
      numbers_of(difference.runs[0].results, numbers),
      numbers_of(difference.runs[1].results, numbers)};
  difference.pods_compared = difference.runs[0].results.size();
  difference.pods = compare_results(difference.runs, of_results);
  explain_live(difference.pods, difference.runs, of_results, of_a, of_b.trail());
  difference.groups = group_by_cause(difference.pods);
  return difference;
}

}  // namespace berth::cli
