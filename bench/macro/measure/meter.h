#pragma once

// Measures what a player does in its session, while it is switched on: times, what became of pods,
// cpu, memory, calls of plugins, and the trace.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bench/macro/measure/hook_costs.h"
#include "bench/macro/measure/measurement.h"
#include "bench/macro/measure/recorder.h"
#include "bench/macro/measure/stopwatch.h"
#include "bench/macro/measure/trace.h"
#include "bench/macro/run/process_usage.h"
#include "engine/base/cycle_clock.h"
#include "engine/runtime/core.h"
#include "loadgen/play/play.h"

namespace berth::bench {

class Meter {
 public:
  struct Means {
    loadgen::WallClock& clock;
    bool all_time = false;  // all that passes counts; else what passes while there is work
    uint64_t (*allocations)() = nullptr;  // see PlayOptions
    Trace* trace = nullptr;               // may be null
  };
  // `core` outlives the meter, and so does what `means` refers to.
  Meter(runtime::Core& core, const Means& means);

  // May be done several times; all of it adds up. Precondition: nothing waits for its binding.
  void switch_on();
  void switch_off(uint64_t waiting);
  bool on() const { return on_; }
  bool was_on() const { return was_on_; }

  // Work is what happens between: pods come, are decided and bound.
  void work_begins() {
    if (on_) watch_.resume();
  }
  void work_ended() { pause(); }
  // What is done meanwhile is no work.
  template <typename Do>
  void aside(Do&& what) {
    const bool running = watch_.running();
    pause();
    what();
    if (running) watch_.resume();
  }

  void nodes_come();  // before the first of them and
  void nodes_came();  // after any of them is in the model
  void pods_come(std::span<const model::PodId> pods);
  void evicted(uint64_t pods) {
    if (on_) m_.pods_evicted += pods;
  }

  // Around each attempt to decide a pod; what came of it is told between. Binding a batch may fall
  // into it, and is no part of the decision.
  void decision_begins();
  void decision_ended(uint64_t waiting);  // `waiting`: pods that came and were not tried
  // Every report of the core. Bindings are timed from BindingBegins to BindingEnds, and bound pods
  // from their creation to that moment.
  void report(const runtime::Report& report);

  // All of it. Precondition: it is off; of no use afterwards.
  Measurement give();

 private:
  // What is counted during a decision.
  struct Counters {
    uint64_t allocations = 0, cycles = 0;
  };
  Counters counters() const;
  void outcome(const runtime::Report& report);
  void binding_begins();
  void binding_ends();
  void pause() {
    if (!means_.all_time) watch_.pause();
  }
  void sample(uint64_t waiting);
  void log_calls(bool yes);

  runtime::Core& core_;
  Means means_;
  Recorder recorder_;
  HookCosts hook_costs_;
  Stopwatch watch_;
  CycleRate rate_;
  bool on_ = false, was_on_ = false;
  Measurement m_;
  Histogram queue_to_bound_;  // nanoseconds

  Counters decision_begun_, binding_begun_;
  Counters bound_meanwhile_;            // during a decision
  std::vector<int64_t> bound_created_;  // of the batch: the clock's time when each pod came
  uint64_t allocations_ = 0;            // of all decisions

  // As it was switched on, and what came in all.
  CpuSeconds cpu_begun_;
  int64_t bytes_begun_ = 0, pods_begun_ = 0;
  int64_t bytes_grown_ = 0, pods_grown_ = 0;
  int64_t bytes_before_nodes_ = -1;  // -1: none came

  std::vector<bool> shapes_;  // by template: some pod that is measured has it

  std::vector<host::CallLog*> logs_;
  Trace::Time decision_time_, binding_time_;
  // Of the last decision.
  const char* outcome_ = "";
  std::string_view namespace_, name_;
};

}  // namespace berth::bench
