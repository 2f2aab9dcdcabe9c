#pragma once

// Counts and times a run, and sums it up. One thread, that of the core.

#include <chrono>
#include <cstdint>

#include "cli/run/outcomes.h"
#include "engine/base/cycle_clock.h"
#include "engine/base/histogram.h"
#include "engine/drive/course/run_course.h"
#include "engine/drive/driver.h"
#include "engine/ingest/objects/remarks.h"
#include "engine/output/summary.h"
#include "engine/runtime/core.h"

namespace berth::cli {

// All functions take the core whose reports take() gets.
class RunTally {
 public:
  // The run begins with loading.
  RunTally() : begun_(Clock::now()) {}

  // The cluster is loaded.
  void loaded();
  // Scheduling begins and ends.
  void begin() { begun_ = Clock::now(); }
  void end(const runtime::Core& core, bool interrupted);

  void take(const runtime::Report& report, const runtime::Core& core);
  // A decision took so long.
  void decided(uint64_t cycles) { latency_.record(cycles); }
  // The core's clock moved.
  void time_passed(const runtime::Core& core) { course_.time_passed(core); }
  // Faults of the input were found, and remarks were made about it.
  void add_faults(uint64_t count) { faults_ += count; }
  void add(const ingest::Remarks& remarks);

  // The summary so far, without what the options say. `source`: of the work; null: the cluster is
  // still being loaded.
  output::Summary sum_up(runtime::Core& core, const drive::Driver& driver,
                         drive::WorkSource* source) const;

 private:
  using Clock = std::chrono::steady_clock;

  double seconds_since_begin() const {
    return std::chrono::duration<double>(Clock::now() - begun_).count();
  }

  Clock::time_point begun_;  // loading, then scheduling
  CycleRate rate_;
  Histogram latency_;  // cycles
  Outcomes outcomes_;
  drive::RunCourse course_;
  uint64_t faults_ = 0;
  output::Summary summary_;  // times, interruption and remarks so far
};

}  // namespace berth::cli
