#include "cli/diff/live.h"

#include <set>
#include <string_view>
#include <utility>

#include "cli/diff/cause_finder.h"
#include "cli/run/run.h"
#include "engine/base/io/interrupts.h"
#include "engine/output/spread.h"

namespace berth::cli {
namespace {

struct KeptRun {
  RunFacts facts;
  bool whole = true;  // it was not interrupted
};

// Runs, and keeps what the run tells. `other`: what the core takes as its second opinion; may be
// null.
KeptRun run_and_keep(LiveSide& side, TrailKeeper& keeper, runtime::OtherSettings* other) {
  RunOptions options = side.options;
  options.keeps_results = true;
  options.hooks.watch = &keeper;
  options.hooks.hears = [&keeper](const runtime::Report& report) { keeper.take(report); };
  options.core.other = other;
  Run run(options, side.configuration, side.plugins);
  keeper.watch(run.core());
  KeptRun kept;
  try {
    run.load();
    run.schedule();
  } catch (const Interrupted&) {
    kept.whole = false;
  }
  kept.whole &= !interrupted();
  RunFacts& facts = kept.facts;
  facts.settings = side.settings;
  facts.results = run.results();
  facts.outcomes = count_outcomes(facts.results);
  facts.summary = run.summary();
  facts.spread = output::spreads(run.core().snapshot());
  return kept;
}

// Leaves the pods that A tried before it was interrupted.
void keep_tried(PerSide<RunFacts>& runs) {
  std::set<std::pair<std::string_view, std::string_view>> tried;
  std::erase_if(runs[0].results, [](const output::PodResult& pod) { return !pod.tried; });
  for (const output::PodResult& pod : runs[0].results) tried.emplace(pod.namespace_name, pod.name);
  std::erase_if(runs[1].results, [&](const output::PodResult& pod) {
    return !tried.contains({pod.namespace_name, pod.name});
  });
}

}  // namespace

Difference compare_live(PerSide<LiveSide> sides) {
  PodNumbers numbers;
  TextTable texts;
  TrailKeeper of_b(numbers, texts);
  Difference difference;
  KeptRun b = run_and_keep(sides[1], of_b, nullptr);
  if (!b.whole) throw Interrupted{};  // there is nothing to compare with
  difference.runs[1] = std::move(b.facts);
  CauseFinder of_a(numbers, texts, of_b.trail());
  runtime::OtherSettings other{.configuration = sides[1].configuration,
                               .plugins = &sides[1].plugins,
                               .decide = sides[1].options.core.scheduler.decide};
  KeptRun a = run_and_keep(sides[0], of_a, &other);
  difference.runs[0] = std::move(a.facts);
  difference.partial = !a.whole;
  if (difference.partial) keep_tried(difference.runs);
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
