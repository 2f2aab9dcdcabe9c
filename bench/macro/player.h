#pragma once

// Plays a load into a scheduler of its own and measures.
//
// What is timed, when planned times mean nothing: what comes taken into the model, queued, decided,
// assumed, bound (to nowhere); not what makes the load, nor what looks at the run. With the wall
// clock all of it passes, as it does for whoever waits for a pod.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/macro/measurement.h"
#include "bench/macro/trace.h"
#include "bench/macro/variant.h"
#include "engine/base/error.h"
#include "engine/cycle/assembly.h"
#include "loadgen/load.h"

namespace berth::bench {

struct PlayOptions {
  Variant variant;
  std::string workload_config;  // a KubeSchedulerConfiguration of the workload's own; may be empty
  bool every_call_timed = false;
  Trace* trace = nullptr;  // takes what happens in the measured part; null: nothing does
  // Calls so far that gave memory to the calling thread; null: they are not counted.
  uint64_t (*allocations)() = nullptr;
  // Called now and then with the pods that were tried; returns whether to go on. Empty: on it goes.
  std::function<bool(uint64_t decisions)> progress;
};

class Player {
 public:
  // Throws Error for what is wrong with the configuration or the plugins. `options` outlives it.
  Player(const PlayOptions& options, cycle::Plugins& plugins);
  ~Player();

  // To be called once. Throws Error: if the load does not fit together (a pod that is there twice,
  // a node that is not), and if nothing of it is measured.
  Measurement play(loadgen::Load& load);
  const host::HookTable& hooks() const;  // what the trace refers to

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace berth::bench
