#pragma once

// Counts the time and the instructions of the measured work. One thread, that of the core.

#include "bench/macro/measure/figures/measurement.h"
#include "bench/macro/measure/instructions.h"
#include "bench/macro/measure/stopwatch.h"
#include "loadgen/play/play.h"

namespace berth::bench {

// The watch and the counter of instructions run at the same times.
class WorkTime {
 public:
  // `clock` outlives it. `all_time`: a measured stretch is work from its begin to its end.
  WorkTime(loadgen::WallClock& clock, bool all_time) : all_time_(all_time), watch_(clock) {}

  // Begin and end a measured stretch.
  void begin() {
    if (all_time_) resume();
  }
  void end() {
    watch_.pause();
    instructions_.pause();
  }
  // Work begins and ends, within a stretch. They may be repeated and then have no effect.
  void resume() {
    watch_.resume();
    instructions_.resume();
  }
  void pause() {
    if (!all_time_) end();
  }
  // Runs what(); its time is not work.
  template <typename Do>
  void aside(Do&& what) {
    const bool running = watch_.running();
    pause();
    what();
    if (running) resume();
  }

  // Of the work so far.
  double seconds() const { return watch_.seconds(); }
  // Precondition: measurement.decisions is set.
  void give(Measurement& m) const {
    m.elapsed_seconds = seconds();
    m.no_instructions = instructions_.problem();
    if (const auto counted = instructions_.count(); counted && m.decisions != 0)
      m.instructions_per_decision =
          static_cast<double>(*counted) / static_cast<double>(m.decisions);
  }

 private:
  const bool all_time_;
  Stopwatch watch_;
  InstructionCounter instructions_;
};

}  // namespace berth::bench
