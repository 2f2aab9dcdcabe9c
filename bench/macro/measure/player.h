#pragma once

// Plays a load into a scheduler of its own and measures it.
//
// Without the wall clock, the run's time is virtual: it is the planned time of the load, each
// decision takes a millisecond of it, and it jumps ahead where the load waits for pods that back
// off or for victims that terminate. The measured time is that of the scheduler's work: taking
// objects into the model, queueing, deciding, assuming and binding (the bindings are not written),
// with the few counters per pod. Generating the load and sampling the run are not measured. With
// the wall clock, all time counts, as it does for a user who waits for a pod.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "bench/macro/measure/figures/measurement.h"
#include "bench/macro/measure/trace.h"
#include "bench/macro/run/variant.h"
#include "engine/base/error.h"
#include "engine/runtime/core.h"
#include "loadgen/play/load.h"
#include "loadgen/play/play.h"

namespace berth::bench {

struct PlayOptions {
  Variant variant;
  // The load is read as a run reads it (ReadLoad). Without the wall clock, pods are tried while
  // planned time passes, and the run goes on until all deleted pods have left.
  bool for_controllers = false;
  bool every_call_timed = false;
  Trace* trace = nullptr;  // receives the measured part; null: no trace
  // Number of allocations of the calling thread so far; null: they are not counted.
  uint64_t (*allocations)() = nullptr;
  loadgen::WallClock* clock = &loadgen::system_clock();
  // Called after each decision, between steps and while waiting. True ends the run early, without
  // an error.
  std::function<bool()> stop = [] { return false; };
  // Called from time to time with the number of pods that were tried.
  std::function<void(uint64_t decisions)> progress = [](uint64_t) {};
};

// With the wall clock, the clock starts with the first step that is not part of the scene. Steps
// take effect when they are due and pods arrive at their planned times, even if the scheduler is
// behind. Two kinds of steps wait, and are late, until all earlier pods were tried: steps with an
// event about one of these pods, because pods in the queue cannot be withdrawn, and steps with
// which the measurement begins or ends.
class Player {
 public:
  // Throws Error if a plugin cannot be used as the configuration says. `options` must outlive the
  // player.
  Player(const PlayOptions& options, config::Configuration configuration,
         runtime::Plugins& plugins);
  ~Player();

  // Plays the load. Call it once. If `stop` ended the run, the measurement covers the work done
  // until then, possibly none. Throws Error if the load is inconsistent (a pod that exists already,
  // a node that does not exist), and if the load ended without a measured part.
  Measurement play(loadgen::Load& load);
  const host::HookTable& hooks() const;  // names of the hooks in the trace

  // The core that the load is played into, for reading.
  const runtime::Core& core() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace berth::bench
