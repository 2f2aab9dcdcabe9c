#pragma once

// Plays a load, or part of it, into an output: as fast as the output accepts it, or paced by the
// clock.

#include <cstdint>
#include <functional>
#include <optional>

#include "engine/base/histogram.h"
#include "loadgen/play/load.h"
#include "loadgen/write/output.h"

namespace berth::loadgen {

enum class Part : uint8_t {
  kCluster,  // everything before the first pod and the first event
  kPods,     // everything from there on
  kAll,
};

// The clock that paces a load; tests pass a fake.
class WallClock {
 public:
  virtual ~WallClock() = default;
  virtual Nanoseconds now() = 0;  // since an arbitrary origin
  // Returns at `time`, or earlier if `stop` returns true.
  virtual void wait_until(Nanoseconds time, const std::function<bool()>& stop) = 0;
};
WallClock& system_clock();

struct PlayOptions {
  Part part = Part::kAll;
  // Pace an open loop by the clock: each step is written at its planned time, even if the reader is
  // behind. A step is written when its last pod is due, so that no pod is early. The clock starts
  // at the first step that is not part of the scene. Closed-loop steps are written at once.
  bool pace = false;
  double speed = 1;  // planned time per clock time
  // Ends the load at this planned time; with `pace` also at this clock time.
  std::optional<Nanoseconds> duration = std::nullopt;
  // Polled between steps and while waiting. True ends the load early, without an error.
  std::function<bool()> stop = [] { return false; };
};

// The result. Valid also if play() throws.
struct PlayReport {
  bool stopped = false;    // ended early by `stop`
  Nanoseconds elapsed{0};  // time spent
  Nanoseconds planned{0};  // planned time reached
  Histogram lateness;      // paced pods: nanoseconds from planned to written
  uint64_t lost = 0;       // pods that were generated or due but not written
};

// Plays until the load ends or an option ends it. Throws Error if the load or the output fails.
void play(Load& load, const PlayOptions& options, WallClock& clock, LoadOutput& output,
          PlayReport& report);

}  // namespace berth::loadgen
