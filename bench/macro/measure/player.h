#pragma once

// Plays a load into a scheduler of its own and measures.
//
// What is timed, when planned times mean nothing: what comes taken into the model, queued, decided,
// assumed, bound (to nowhere), with the few counts that are kept of each pod; not what makes the
// load, nor what looks at the run. With the wall clock all of it passes, as it does for whoever
// waits for a pod.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "bench/macro/measure/measurement.h"
#include "bench/macro/measure/trace.h"
#include "bench/macro/run/variant.h"
#include "engine/base/error.h"
#include "engine/runtime/core.h"
#include "loadgen/play/load.h"
#include "loadgen/play/play.h"

namespace berth::bench {

struct PlayOptions {
  Variant variant;
  std::string workload_config;  // a KubeSchedulerConfiguration of the workload's own; may be empty
  bool every_call_timed = false;
  Trace* trace = nullptr;  // takes what happens in the measured part; null: nothing does
  // Calls so far that gave memory to the calling thread; null: they are not counted.
  uint64_t (*allocations)() = nullptr;
  loadgen::WallClock* clock = &loadgen::system_clock();
  // Asked after each decision, between steps and while waiting: true ends the run early, and well.
  std::function<bool()> stop = [] { return false; };
  // Told now and then how many pods were tried.
  std::function<void(uint64_t decisions)> progress = [](uint64_t) {};
};

// With the wall clock, the clock starts with the first step that is not part of the scene, and
// steps take effect when they are due, pods arrive when they are planned to, however far the
// scheduler has come. Two kinds of steps wait, late, until all pods before them were tried: those
// of events that name one of these pods, which no queue gives back, and those with which measuring
// begins or ends.
class Player {
 public:
  // Throws Error for what is wrong with the configuration or the plugins. `options` outlives it.
  Player(const PlayOptions& options, runtime::Plugins& plugins);
  ~Player();

  // To be called once. If it was stopped, it is of what was done by then, which may be nothing.
  // Throws Error: if the load does not fit together (a pod that is there twice, a node that is
  // not), and if it is over and nothing of it was measured.
  Measurement play(loadgen::Load& load);
  const host::HookTable& hooks() const;  // what the trace refers to

  // The core that the load is played into, for reading.
  const runtime::Core& core() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace berth::bench
