#pragma once

// Measures the work of a player while it is switched on: times, outcomes of pods, CPU time, memory,
// calls of plugins, and the trace. One thread, that of the core.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/macro/measure/figures/hook_costs.h"
#include "bench/macro/measure/figures/measurement.h"
#include "bench/macro/measure/meter/bound_waits.h"
#include "bench/macro/measure/meter/decision_counters.h"
#include "bench/macro/measure/meter/decision_kinds.h"
#include "bench/macro/measure/meter/growth.h"
#include "bench/macro/measure/meter/work_time.h"
#include "bench/macro/measure/meter/work_trace.h"
#include "bench/macro/measure/pod_lives.h"
#include "bench/macro/measure/recorder.h"
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
    if (on_) work_.resume();
  }
  void work_ended() { work_.pause(); }
  // Runs what(); its time is not work.
  template <typename Do>
  void aside(Do&& what) {
    work_.aside(what);
  }

  // Call nodes_come() before the first node of the load is added to the model, and nodes_came()
  // after nodes were added: the difference of the memory gives the bytes per node.
  void nodes_come() {
    if (!was_on_) growth_.nodes_come();
  }
  void nodes_came() {
    if (!was_on_) growth_.nodes_came();
  }
  // Pods arrived, measured or not; call it before they are decided.
  void pods_come(std::span<const model::PodId> pods);
  // The same of pods that controllers create, which arrive now.
  void pods_are_made(std::span<const model::PodId> pods);
  // True until the pod is gone.
  bool was_made(model::PodId pod) const { return made_.contains(pod.handle()); }
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
  [[nodiscard]] bool decided(model::PodId id, runtime::PodOutcome outcome);
  void bound(model::PodId id);
  void binding_begins();
  void binding_ends();
  void sample(uint64_t waiting);
  Recorder::State state();

  runtime::Core& core_;
  Recorder recorder_;
  PodLives lives_;
  HookCosts hook_costs_;
  WorkTime work_;
  DecisionCounters counters_;
  DecisionKinds kinds_;
  BoundWaits waits_;
  WorkTrace trace_;
  Growth growth_;
  bool on_ = false, was_on_ = false;
  // By handle: pods that controllers created, and when, in nanoseconds on the clock of the load.
  boost::unordered_flat_map<uint64_t, int64_t> made_;
  std::vector<bool> shapes_;  // by template: a measured pod has it
  Measurement m_;
};

}  // namespace berth::bench
