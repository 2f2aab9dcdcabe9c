#pragma once

// The summary of a run, as JSON for programs and as text for people. Scripts of
// users read the JSON keys, so they are not renamed.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/output/distribution.h"
#include "engine/output/plugin_metric.h"

namespace berth::output {

struct ResourceUse {
  std::string resource;
  int64_t requested = 0;    // cpu in thousandths of a core, everything else in units
  int64_t allocatable = 0;  // sum over all nodes
};

// Pods that wait in each queue at one time. Pods that back off after an error count in `backoff`.
struct QueueSizes {
  double seconds = 0;  // on the run's clock
  uint64_t active = 0;
  uint64_t backoff = 0;
  uint64_t unschedulable = 0;
  uint64_t gated = 0;
  uint64_t permit = 0;   // on a node, held by a Permit plugin
  uint64_t binding = 0;  // on a node, and not bound yet
  uint64_t evicted = 0;  // so far

  // Those that may be tried when their time comes.
  uint64_t waiting() const { return active + backoff + unschedulable; }
  // Those that may be bound when their time comes.
  uint64_t coming() const { return waiting() + permit + binding; }
  // Those that arrived and are not bound.
  uint64_t without_node() const { return coming() + gated; }
};

// The recovery of a run from its evictions. On the run's clock.
struct Recovery {
  double first_seconds = 0, last_seconds = 0;  // evictions
  // After the last eviction: when no more pods were to be bound than before the first one, those
  // behind gates aside. Nothing: more are at the end.
  std::optional<double> settled_seconds{};
};

// Calls of one hook (plugin and extension point).
struct PluginCalls {
  std::string plugin, hook;
  uint64_t calls = 0;
  uint64_t errors = 0;
  double sampled_seconds_per_call = 0;  // average over the timed calls; 0: no call was timed
};

// A metric that a plugin made.
// Pods of the work that have something in common, and the first of them as namespace/name.
struct PodsWithRemark {
  uint64_t count = 0;
  std::vector<std::string> examples;
};

struct Summary {
  bool interrupted = false;  // a signal ended the run
  bool input_read = false;   // the input was read to its end
  std::string error;         // the error that ended the run before its input did; empty: none

  uint64_t nodes = 0;
  // Pods in the cluster files: on nodes, waiting, finished.
  uint64_t pods_placed_before = 0;
  uint64_t pods_waiting_in_cluster = 0;
  uint64_t pods_finished_in_cluster = 0;

  // Pods that arrived as work. Each counts in exactly one of the numbers below pods_total.
  uint64_t pods_total = 0;
  uint64_t pods_scheduled = 0;
  uint64_t pods_held = 0;  // decided, and not bound at the end: Permit or PreBind holds them
  uint64_t pods_unschedulable = 0;
  uint64_t pods_failed = 0;  // an error of a plugin or of the binding
  uint64_t pods_gated = 0;
  uint64_t pods_ignored = 0;  // no profile has their scheduler name
  uint64_t pods_already_placed = 0;
  uint64_t pods_finished = 0;
  uint64_t pods_terminating = 0;
  uint64_t pods_bound_by_another = 0;  // scheduler, while they waited here
  uint64_t pods_deleted = 0;           // before they had a node
  uint64_t pods_rejected = 0;          // malformed, or of a name that is taken
  uint64_t pods_untried = 0;           // still to be tried for the first time when the run ended

  uint64_t decisions = 0;       // attempts; a pod may be tried more than once
  uint64_t nominations = 0;     // of pods to nodes that preemption frees
  uint64_t pods_evicted = 0;    // for the sake of pods of higher priority
  uint64_t pods_disrupted = 0;  // by controllers
  uint64_t oom_kills = 0;       // of containers that started again
  // Pods whose containers ended by themselves: with the exit code 0, and with another one.
  uint64_t pods_succeeded = 0, pods_exited_with_error = 0;
  std::optional<Recovery> recovery;  // there were evictions by controllers
  // Drains of nodes that came to their end, and those that were refused, failed or go on.
  uint64_t nodes_drained = 0, nodes_not_drained = 0;
  std::string clock = "virtual";  // or "wall"
  double virtual_seconds = 0;     // that the run's clock passed; 0 by the wall clock

  Distribution attempts_per_pod;  // of pods that were tried and exist or were bound
  // On the run's clock, of bound pods: from the first time a pod was active in the queue to its
  // binding, waits included. kube-scheduler's pod_scheduling_sli_duration_seconds.
  Distribution queue_to_bound_seconds;
  uint64_t backoffs = 0;                // times that a pod began to back off
  Distribution victims_per_preemption;  // of nominations for which pods were evicted
  std::vector<QueueSizes> queues;       // over time, at equal distances; the last: at the end

  uint64_t events = 0;                           // applied events other than arriving pods
  uint64_t errors_in_input = 0;                  // faults reported in files and streams
  std::map<std::string, uint64_t> unread_kinds;  // skipped objects by kind
  // Occurrences of fields that the Kubernetes API does not have, by path (Pod.spec.nodeSelectors).
  std::map<std::string, uint64_t> unknown_fields;
  PodsWithRemark pods_with_resource_claims;  // name resource claims, which no plugin reads
  PodsWithRemark pods_without_priority;      // name a priority class and have no priority

  double load_seconds = 0;     // time to read cluster files and load plugins
  double elapsed_seconds = 0;  // from the first pop to the last binding
  double pods_per_second = 0;  // decisions per elapsed second
  Distribution latency;        // of one decision, in seconds
  // Rows that threads other than the deciding one evaluated, each as often as it was.
  uint64_t rows_off_main_thread = 0;
  int threads = 1;
  // Rankings of kinds of pods, see engine/framework/ranking: at the end, and evicted so far.
  uint64_t rankings = 0, ranking_bytes = 0, ranking_bytes_limit = 0, rankings_evicted = 0;
  uint64_t rankings_evicted_for_memory = 0;  // of rankings_evicted
  // Decisions that were made again by the reference evaluation and compared, and those that were
  // not because something external took part in them.
  uint64_t decisions_verified = 0, decisions_not_compared = 0;

  std::string kube_version;  // whose rules decided: "1.34"
  uint64_t seed = 0;
  std::string decision_hash;
  std::string bindings_file;  // empty: no file was written
  std::string results_file;   // the same
  std::string events_file;    // the same

  std::vector<ResourceUse> resources;
  std::map<std::string, uint64_t> pods_per_zone;  // pods placed by this run
  // Messages of unschedulable pods, with the number of pods.
  std::map<std::string, uint64_t> messages;
  // Messages of failed pods, and of those that an error keeps out of the queue, with the number of
  // pods.
  std::map<std::string, uint64_t> failures;
  uint64_t failed_attempts = 0;  // of all pods
  // Pods that failed were tried again, with backoff, until so many seconds of the run's clock
  // brought no change; 0: none failed at the end, or the run was interrupted.
  double gave_up_after_seconds = 0;
  std::vector<PluginCalls> calls;
  std::vector<PluginMetric> metrics;
};

// One JSON object, with a final newline.
std::string to_json(const Summary& summary);

enum class Rows : uint8_t {
  kMost,  // a table of many rows is cut, and ends with the number of the others
  kAll,
};
// A page for a terminal of `width` columns.
std::string to_text(const Summary& summary, int width = 80, Rows rows = Rows::kMost);

}  // namespace berth::output
