#pragma once

// What a run did, for machines (JSON) and for people.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace berth::output {

struct Latency {  // seconds
  double p50 = 0, p90 = 0, p99 = 0, p999 = 0, max = 0;
};

struct ResourceUse {
  std::string resource;
  int64_t requested = 0;    // cpu in thousandths, all else in units
  int64_t allocatable = 0;  // of all nodes
};

struct PluginCalls {
  std::string plugin, hook;
  uint64_t calls = 0;
  uint64_t errors = 0;
  double sampled_seconds_per_call = 0;  // 0: no call was timed
};

struct Summary {
  bool interrupted = false;  // a signal ended the run before its input did

  uint64_t nodes = 0;
  // Pods of the cluster files: that count on a node, that wait, that are finished.
  uint64_t pods_placed_before = 0;
  uint64_t pods_waiting_in_cluster = 0;
  uint64_t pods_finished_in_cluster = 0;

  // Pods that came in as work. Each is in exactly one of the numbers below it.
  uint64_t pods_total = 0;
  uint64_t pods_scheduled = 0;
  uint64_t pods_unschedulable = 0;
  uint64_t pods_failed = 0;  // a plugin failed, or the binding
  uint64_t pods_gated = 0;
  uint64_t pods_ignored = 0;  // no profile of their scheduler name
  uint64_t pods_already_placed = 0;
  uint64_t pods_finished = 0;
  uint64_t pods_terminating = 0;
  uint64_t pods_rejected = 0;  // malformed, or of a name that is taken
  uint64_t pods_untried = 0;   // queued when the run was interrupted

  uint64_t events = 0;               // of all but pods that arrive, as far as they were applied
  uint64_t objects_passed_over = 0;  // nodes and namespaces in a file of pods
  uint64_t errors_in_input = 0;      // everything that was reported about files and streams
  std::vector<std::string> plugins_missing;
  std::map<std::string, uint64_t> unread_kinds;

  double load_seconds = 0;     // reading cluster files, loading plugins
  double elapsed_seconds = 0;  // from the first pop to the last binding written
  double pods_per_second = 0;  // decisions in that time
  Latency latency;
  uint64_t rows_off_main_thread = 0;
  int threads = 1;

  uint64_t seed = 0;
  std::string decision_hash;
  std::string bindings_file;  // empty: none was written

  std::vector<ResourceUse> resources;
  std::map<std::string, uint64_t> pods_per_zone;  // that this run placed
  std::map<std::string, uint64_t> messages;       // of unschedulable pods, by text
  std::map<std::string, uint64_t> failures;       // of failed pods, by text
  std::vector<PluginCalls> calls;
};

std::string to_json(const Summary& summary);
// A page for a terminal. `width` in columns.
std::string to_text(const Summary& summary, int width = 80);

}  // namespace berth::output
