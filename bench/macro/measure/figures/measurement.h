#pragma once

// The measurements of one repetition, as plain values. Times are in seconds, memory in bytes,
// everything else are counts. Pods and decisions are those of the measured part unless a comment
// says otherwise.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/histogram.h"
#include "engine/output/spread.h"
#include "engine/output/summary.h"

namespace berth::bench {

// A distribution of times. A histogram value times `unit` is in seconds.
struct Times {
  Histogram histogram;
  double unit = 1e-9;
};

// The cost of one hook (one plugin at one extension point).
struct HookCost {
  std::string plugin, extension_point;
  uint64_t calls = 0;
  uint64_t errors = 0;
  double seconds_per_call = 0;  // average of the calls that were timed; 0: none was
  double seconds_per_decision = 0;
};

// Cumulative number of pods refused for a reason. A pod with several reasons counts once for each.
struct ReasonSeries {
  std::string reason;
  std::vector<uint64_t> refused;
};

// Cumulative counts over the measured time; all vectors have one element per sample.
struct Series {
  std::vector<double> time_seconds;
  std::vector<uint64_t> decisions, scheduled, refused;  // cumulative
  std::vector<uint64_t> waiting;                        // at the time of the sample
  std::vector<ReasonSeries> reasons;
  std::vector<double> run_seconds;                    // the run's own time, see Player
  std::vector<uint64_t> bound, preemptions, victims;  // cumulative
  // Pods by queue at the time of the sample.
  std::vector<uint64_t> active, backoff, error_backoff, unschedulable, gated, permit;
};

// Utilisation of nodes over time, as cells of a picture. A cell is one node or several nodes of the
// same group.
struct Grid {
  struct Group {
    std::string name;  // name of a zone
    uint64_t cells = 0;
  };
  static constexpr uint8_t kPerWhole = 200;  // value of a fully used cell
  static constexpr uint8_t kNoNode = 255;    // value of a cell without node

  uint64_t nodes = 0;
  uint64_t nodes_per_cell = 1;
  std::vector<Group> groups;  // cells are ordered by group
  std::vector<double> time_seconds;
  std::vector<std::vector<uint8_t>> frames;  // one frame per time, one element per cell
};

// Free amounts, and the part of them on nodes where no pod shape of the workload that requests the
// resource fits.
struct Fragmentation {
  std::string resource;
  int64_t free = 0, unusable = 0;
};

// Distribution of a resource's utilisation over the nodes.
struct Balance {
  std::string resource;
  double mean = 0, standard_deviation = 0, maximum = 0;
};

// Quality of the placements at the end of the run.
struct Quality {
  std::vector<output::ResourceUse> utilisation;
  std::vector<Fragmentation> fragmentation;
  std::vector<Balance> balance;
  std::vector<output::Spread> spread;
};

struct Measurement {
  std::string note;  // of the load: seed and options
  uint64_t nodes = 0;
  uint64_t pods_total = 0;  // measured pods, by the outcome of their last attempt
  uint64_t pods_scheduled = 0, pods_unschedulable = 0, pods_failed = 0, pods_gated = 0,
           pods_ignored = 0;
  uint64_t pods_bound = 0;    // including pods that arrived before the measurement
  uint64_t pods_evicted = 0;  // by drains; evicted pods that arrive again count as new pods
  uint64_t preemptions = 0, victims = 0;  // nominations by PostFilter, and pods evicted for them
  uint64_t backoffs = 0;                  // pods that had to back off, each time
  // Element i: pods that were bound at attempt i + 1; pods that were tried as often and still wait.
  // The last element holds all that needed more.
  std::vector<uint64_t> attempts_of_bound, attempts_of_waiting;
  uint64_t pods_before = 0;  // placed before the measurement began
  uint64_t decisions = 0;
  uint64_t decisions_of_all = 0;  // including unmeasured ones
  // Rankings of kinds of pods (engine/framework/ranking) at the end, and evicted so far.
  uint64_t rankings = 0, ranking_bytes = 0, ranking_bytes_limit = 0, rankings_evicted = 0;
  uint64_t rankings_evicted_for_memory = 0;  // of rankings_evicted
  uint64_t rows_off_main = 0;                // see Scheduler
  // Of all decisions: made again by the reference evaluation; or not, since something external took
  // part.
  uint64_t decisions_verified = 0, decisions_not_compared = 0;
  bool interrupted = false;    // the run ended before the workload
  double elapsed_seconds = 0;  // measured time, see Player
  Times decision;
  // Parts of `decision`: the first ones of each template, which evaluate all nodes, and those after
  // them. Verified decisions are in neither.
  Times first_decision, steady_decision;
  std::optional<Times> queue_to_bound;
  Times queue_to_bound_virtual;  // in the run's own time: with backoff and grace periods
  double user_seconds = 0, system_seconds = 0;  // of the whole process during the measurement
  std::optional<uint64_t> peak_memory_bytes;    // of the whole process
  std::optional<double> bytes_per_node, bytes_per_pod;
  std::optional<double> allocations_per_decision;
  // Of all that elapsed_seconds measures, by all threads; else why they were not counted.
  std::optional<double> instructions_per_decision;
  std::string no_instructions;
  std::string decision_hash;          // over all decisions, including unmeasured ones
  std::vector<std::string> failures;  // messages of the first failed pods
  std::vector<HookCost> hooks;
  std::vector<output::PluginMetric> metrics;  // at the end, of unmeasured decisions, too
  Series series;
  // Of the whole run, on its own clock: pods that controllers evicted, and pods in the queues over
  // time.
  uint64_t pods_disrupted = 0;
  std::optional<output::Recovery> recovery;  // there were some
  std::vector<output::QueueSizes> queues;
  Grid grid;
  Quality quality;
  uint64_t trace_events_dropped = 0;
};

}  // namespace berth::bench
