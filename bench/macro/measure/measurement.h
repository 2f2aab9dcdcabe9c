#pragma once

// What one repetition of a run measured, as plain values. Seconds, bytes and counts.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/histogram.h"
#include "engine/output/summary.h"

namespace berth::bench {

// Values of a histogram times `unit` are seconds.
struct Times {
  Histogram histogram;
  double unit = 1e-9;
};

// One plugin at one extension point, during what was measured.
struct HookCost {
  std::string plugin, extension_point;
  uint64_t calls = 0;
  uint64_t errors = 0;
  double seconds_per_call = 0;  // of calls that were timed; 0: none was
  double seconds_per_decision = 0;
};

// How many pods were refused for a reason so far; a pod counts for each reason that it was given.
struct ReasonSeries {
  std::string reason;
  std::vector<uint64_t> refused;
};

// Over the measured part, one element of each per time.
struct Series {
  std::vector<double> time_seconds;
  std::vector<uint64_t> decisions, scheduled, refused;  // so far
  std::vector<uint64_t> waiting;                        // at that time
  std::vector<ReasonSeries> reasons;
};

// Utilisation of nodes over time. Cells are parts of the screen: a node, or some of one group.
struct Grid {
  struct Group {
    std::string name;  // a zone's
    uint64_t cells = 0;
  };
  static constexpr uint8_t kPerWhole = 200;  // of a cell that is all in use
  static constexpr uint8_t kNoNode = 255;

  uint64_t nodes = 0;
  uint64_t nodes_per_cell = 1;
  std::vector<Group> groups;  // cells stand in their order
  std::vector<double> time_seconds;
  std::vector<std::vector<uint8_t>> frames;  // one per time, one element per cell
};

// Free amounts on nodes on which no shape of pod that the workload has would fit any more.
struct Fragmentation {
  std::string resource;
  int64_t free = 0, unusable = 0;
};

// Of the nodes' utilisations.
struct Balance {
  std::string resource;
  double mean = 0, standard_deviation = 0, maximum = 0;
};

// Pods per domain of a topology key.
struct Spread {
  std::string topology_key;
  uint64_t domains = 0, minimum = 0, maximum = 0;
  double mean = 0;
};

// Of the cluster as the run left it.
struct Quality {
  std::vector<output::ResourceUse> utilisation;
  std::vector<Fragmentation> fragmentation;
  std::vector<Balance> balance;
  std::vector<Spread> spread;
};

struct Measurement {
  std::string note;  // of the load: its seed and options
  uint64_t nodes = 0;
  uint64_t pods_total = 0;  // measured, as are all numbers of pods here
  uint64_t pods_scheduled = 0, pods_unschedulable = 0, pods_failed = 0, pods_gated = 0,
           pods_ignored = 0;
  uint64_t pods_evicted = 0;  // by drains; those that came again count as pods of their own
  uint64_t pods_before = 0;   // placed when measuring began
  uint64_t decisions = 0;
  uint64_t decisions_of_all = 0;  // measured or not
  bool interrupted = false;       // it ends before the workload does
  double elapsed_seconds = 0;     // see Player
  Times decision;
  std::optional<Times> queue_to_bound;
  double user_seconds = 0, system_seconds = 0;  // of the whole process, while it measured
  std::optional<uint64_t> peak_memory_bytes;    // of the whole process
  std::optional<double> bytes_per_node, bytes_per_pod;
  std::optional<double> allocations_per_decision;
  std::string decision_hash;                 // of all decisions, measured or not
  std::vector<std::string> failures;         // messages of pods that failed, the first of them
  std::vector<std::string> plugins_missing;  // default plugins that are not there
  // Enabled plugins at extension points that no decision calls yet: "NAME at PostFilter".
  std::vector<std::string> points_not_called;
  std::vector<HookCost> hooks;
  Series series;
  Grid grid;
  Quality quality;
  uint64_t trace_events_dropped = 0;
};

}  // namespace berth::bench
