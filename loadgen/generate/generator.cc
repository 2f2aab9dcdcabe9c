#include "loadgen/generate/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace berth::loadgen {
namespace {

constexpr size_t kEventsPerStep = 4096;

}  // namespace

Generator::Generator(WorkloadSpec spec, uint64_t seed,
                     const std::map<std::string, std::string>& parameters)
    : spec_(std::move(spec)),
      parameters_(parameters),
      cluster_(spec_, seed),
      clock_(spec_.tick),
      writer_(cluster_, clock_),
      lifetimes_(cluster_, clock_),
      usages_(cluster_, clock_),
      owned_(cluster_, writer_, lifetimes_),
      daemon_sets_(cluster_, writer_),
      jobs_(cluster_, writer_, lifetimes_),
      tasks_(writer_, owned_, daemon_sets_, jobs_),
      arrivals_({cluster_, clock_, writer_, lifetimes_, usages_, jobs_, tasks_}),
      changes_(cluster_, owned_, daemon_sets_, tasks_),
      scene_(cluster_, writer_, daemon_sets_, tasks_) {}

std::string Generator::note() const {
  std::string text = fmt::format("berth-loadgen workload={} seed={}", spec_.name, cluster_.seed);
  for (const auto& [name, value] : parameters_) text += fmt::format(" {}={}", name, value);
  if (!spec_.drains.empty() || !spec_.failures.empty())
    text += " (a stream does not carry evictions: pods stay on nodes that are drained)";
  return text;
}

bool Generator::next(LoadStep& step) {
  step.clear();
  step.timed = spec_.timed;
  if (phase_ == Phase::kScene) {
    if (scene_.next(step)) return true;
    begin_time();
  }
  if (phase_ == Phase::kTimed && timed(step)) return true;
  phase_ = Phase::kOver;
  return false;
}

void Generator::begin_time() {
  phase_ = Phase::kTimed;
  // Changes before the first pods have the same `measured` as those pods.
  measured_ = arrivals_.measured();
  changes_.begin();
}

// True if the load ends here. Without a duration it ends with the last arrival of the kinds that
// end by themselves.
bool Generator::over() const {
  return tasks_.empty() && spec_.duration == kNever && arrivals_.over();
}

// The tick of the next change; kNever if there is none.
int64_t Generator::next_change() const {
  return std::min({lifetimes_.next(), usages_.next(), clock_.tick_end(changes_.next())});
}

bool Generator::timed(LoadStep& step) {
  writer_.begin(step);
  step.measured = measured_;
  for (;;) {
    if (over()) return false;
    if (tasks_.empty() && !proceed()) return false;
    fill(step);
    measured_ = step.measured;
    // Skip ticks in which no planned change had an effect.
    if (!step.is_scene()) return true;
  }
}

// Proceeds to the time of the next change or arrival; false if nothing happens any more.
bool Generator::proceed() {
  const int64_t arrival = arrivals_.next();
  const int64_t change = next_change();
  const int64_t first = std::min(arrival, change);
  if (first > spec_.duration || first == kNever) return false;
  clock_.proceed(change, arrival);
  return true;
}

// Adds what happens until the next tick, as far as there is room in the step.
void Generator::fill(LoadStep& step) {
  step.at = Nanoseconds(clock_.latest());
  while (step.events.size() < kEventsPerStep && next_change() <= clock_.now() &&
         !changes_.waits_for_tasks())
    happen(step);
  if (step.events.size() < kEventsPerStep && tasks_.run(step) && next_change() > clock_.now())
    arrivals_.run(step);
  if (writer_.size() == 0) {
    step.measured = measured_;
  } else if (step.events.empty() && step.drained.empty()) {
    step.at = step.planned.front();
  }
}

void Generator::happen(LoadStep& step) {
  // Within a tick, pods end and tell what they use before other changes happen.
  if (lifetimes_.next() == next_change()) {
    lifetimes_.end_next(step);
  } else if (usages_.next() == next_change()) {
    usages_.report_next(step);
  } else {
    changes_.happen(step);
  }
}

}  // namespace berth::loadgen
