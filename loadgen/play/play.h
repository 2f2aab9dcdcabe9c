#pragma once

// Brings a load, or one half of it, to an output: as fast as it is taken, or on the wall clock.

#include <cstdint>
#include <functional>
#include <optional>

#include "engine/base/histogram.h"
#include "loadgen/play/load.h"
#include "loadgen/write/output.h"

namespace berth::loadgen {

enum class Part : uint8_t {
  kCluster,  // what is there before the first pod arrives and the first event happens
  kPods,     // all that follows
  kAll,
};

// Time as it passes outside.
class WallClock {
 public:
  virtual ~WallClock() = default;
  virtual Nanoseconds now() = 0;  // since some beginning
  // Not before `time`, but for a stop that is asked for.
  virtual void wait_until(Nanoseconds time, const std::function<bool()>& stop) = 0;
};
WallClock& system_clock();

struct PlayOptions {
  Part part = Part::kAll;
  // Open loop: what is planned leaves when it is planned, however far whoever reads has come. A
  // frame leaves when its last pod is due, so no pod comes early. The clock starts with the first
  // step that is not part of the scene. Steps of a closed loop leave at once.
  bool pace = false;
  double speed = 1;  // how fast planned time passes on the clock
  // Nothing later than this is played: planned time, and with `pace` the clock's.
  std::optional<Nanoseconds> duration = std::nullopt;
  // Asked between steps, and while waiting: true ends the load early, and well.
  std::function<bool()> stop = [] { return false; };
};

// What came of it, so far. Also right after play() threw.
struct PlayReport {
  bool stopped = false;    // early
  Nanoseconds elapsed{0};  // of writing all
  Nanoseconds planned{0};  // how far the load came in planned time
  Histogram lateness;      // of paced pods: nanoseconds from planned to written
  uint64_t lost = 0;       // pods that were made, or due, and not written
};

// Throws Error if the load or the output does.
void play(Load& load, const PlayOptions& options, WallClock& clock, LoadOutput& output,
          PlayReport& report);

}  // namespace berth::loadgen
