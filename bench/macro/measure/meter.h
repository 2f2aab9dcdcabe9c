#pragma once

// Measures the work of a player while it is switched on: times, outcomes of pods, CPU time, memory,
// calls of plugins, and the trace. One thread, that of the core.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bench/macro/measure/figures/hook_costs.h"
#include "bench/macro/measure/figures/measurement.h"
#include "bench/macro/measure/instructions.h"
#include "bench/macro/measure/pod_lives.h"
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
    bool all_time = false;  // true: all time counts; false: only the time of work (see work_begins)
    uint64_t (*allocations)() = nullptr;  // see PlayOptions
    Trace* trace = nullptr;               // may be null
  };
  // `core` outlives the meter, and so does what `means` refers to.
  Meter(runtime::Core& core, const Means& means);

  // Begin and end a measured stretch. There may be several; they add up. `waiting`: number of
  // arrived pods that have not been tried. Precondition: no pod waits for its binding.
  void switch_on();
  void switch_off(uint64_t waiting);
  bool on() const { return on_; }
  bool was_on() const { return was_on_; }

  // The time between these two is work: pods arrive, are decided and bound.
  void work_begins() {
    if (on_) resume();
  }
  void work_ended() { pause(); }
  // Runs what(); its time is not work.
  template <typename Do>
  void aside(Do&& what) {
    const bool running = watch_.running();
    pause();
    what();
    if (running) resume();
  }

  // Call nodes_come() before the first node of the load is added to the model, and nodes_came()
  // after nodes were added: the difference of the memory gives the bytes per node.
  void nodes_come();
  void nodes_came();
  // Pods arrived, measured or not; call it before they are decided.
  void pods_come(std::span<const model::PodId> pods);
  void evicted(uint64_t pods) {
    if (on_) m_.pods_evicted += pods;
  }

  // Call these around each attempt to decide a pod, and report() in between. A batch that is bound
  // in between is not part of the decision. `waiting`: pods that arrived and have not been tried.
  void decision_begins();
  void decision_ended(uint64_t waiting);
  // Takes every report of the core. Bindings are timed from BindingBegins to BindingEnds, bound
  // pods from their creation to BindingEnds.
  void report(const runtime::Report& report);

  // Returns the measurement. Precondition: the meter is off. It must not be used afterwards.
  Measurement give();

 private:
  // The counters of one decision.
  struct Counters {
    uint64_t allocations = 0, cycles = 0;
  };
  Counters counters() const;
  [[nodiscard]] bool decided(model::PodId id, runtime::PodOutcome outcome);
  void count_tried(const model::PodRecord& pod);
  Recorder::Kind kind();
  void binding_begins();
  void binding_ends();
  void resume() {
    watch_.resume();
    instructions_.resume();
  }
  void pause() {
    if (!means_.all_time) watch_.pause();
    if (!means_.all_time) instructions_.pause();
  }
  void sample(uint64_t waiting);
  Recorder::State state();
  uint64_t backoffs() const;
  void log_calls(bool yes);

  runtime::Core& core_;
  Means means_;
  Recorder recorder_;
  PodLives lives_;
  HookCosts hook_costs_;
  Stopwatch watch_;
  InstructionCounter instructions_;  // runs with the watch
  CycleRate rate_;
  bool on_ = false, was_on_ = false;
  Measurement m_;
  Histogram queue_to_bound_;  // nanoseconds

  Counters decision_begun_, binding_begun_;
  Counters bound_meanwhile_;            // during a decision
  std::vector<int64_t> bound_created_;  // creation time of each pod of the batch
  uint64_t allocations_ = 0;            // of all decisions

  // Values when the meter was switched on, and totals over all stretches.
  CpuSeconds cpu_begun_;
  int64_t bytes_begun_ = 0, pods_begun_ = 0;
  int64_t bytes_grown_ = 0, pods_grown_ = 0;
  uint64_t backoffs_begun_ = 0;
  int64_t bytes_before_nodes_ = -1;  // -1: no nodes were added

  std::vector<bool> shapes_;  // by template: a measured pod has it

  // Decisions so far by template, up to 255, and of the template of the last decision. A template
  // whose id another had before counts on.
  std::vector<uint8_t> tried_of_;
  uint8_t tried_ = 0;
  uint64_t verified_ = 0;  // decisions, when one was last looked at

  std::vector<host::CallLog*> logs_;
  Trace::Time decision_time_, binding_time_;
  // The outcome and the pod of the last decision.
  const char* outcome_ = "";
  std::string_view namespace_, name_;
};

}  // namespace berth::bench
