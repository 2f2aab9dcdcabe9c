#pragma once

// The times that the steps of one scheduling cycle took, as k8s.io/utils/trace prints it: a trace
// that took at least 100 ms, with the steps that took more than their share of it.
//
//   Trace[7]: "Scheduling" namespace:default,name:a (22-Nov-2026 14:41:32.123) (total time: 120ms):
//   Trace[7]: ---"Computing predicates done" 110ms (14:41:32.233)
//   Trace[7]: [120ms] [120ms] END
//
// The share is 100 ms by the number of steps and one; with `every_step` all are printed.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/rules/rules.h"
#include "engine/base/time.h"

namespace berth::cli {

// Times are those of the machine's clock, since 1970.
class CycleTrace {
 public:
  static constexpr Time kLong = std::chrono::milliseconds(100);

  // The rules say which steps a trace has.
  explicit CycleTrace(const Rules& rules) : traces_snapshot_(!rules.has(Rule::kSnapshotUntraced)) {}

  void begin(Time now) {
    begun_ = now;
    steps_.clear();
  }
  // The nodes are as the attempt sees them.
  void snapshot(Time now) {
    if (traces_snapshot_) step(now, "Snapshotting scheduler cache and node infos done");
  }
  // `name` outlives the trace. Times do not go backwards.
  void step(Time now, const char* name) { steps_.push_back({now, name}); }
  // Ends the trace. Its lines, each with a line break; empty: it was not long. `number` names the
  // trace in its lines; `fields` are printed as they are.
  std::string end(Time now, uint64_t number, const std::string& fields, bool every_step) const;

 private:
  struct Step {
    Time at{};
    const char* name;
  };
  bool traces_snapshot_;
  Time begun_{};
  std::vector<Step> steps_;
};

}  // namespace berth::cli
