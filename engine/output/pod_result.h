#pragma once

// The outcome for one pod, as a line of JSON. Scripts of users read the keys, so they are not
// renamed; README.md ("Results") lists them.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/time.h"

namespace berth::output {

// A plugin's score of a node: raw as the plugin answered (nothing: it does not score the node),
// then normalised to 0..100; it counts `weight` times.
struct PluginScore {
  std::string plugin;
  std::optional<int64_t> raw;
  int64_t normalised = 0;
  int64_t weight = 0;
};

struct NodeScores {
  std::string node;
  int64_t total = 0;  // of plugins and extenders
  std::vector<PluginScore> plugins;
  std::vector<std::pair<std::string, int64_t>> extenders;  // by name, weighted
};

// Times are on the run's clock, since the beginning of the run. Texts that do not apply are empty.
struct PodResult {
  std::string namespace_name, name;
  std::string outcome;                  // one of those that README.md lists
  std::string node;                     // of a pod that is placed
  std::string message;                  // why the pod has no node
  std::vector<std::string> refused_by;  // plugins of the last attempt
  std::string queue;                    // in which the pod waits at the end of the run
  std::string nominated_node;
  std::string evicted_by;            // namespace/name of the pod for which it had to leave
  std::string evicted_because;       // what a controller that evicted it says
  std::string evicted_for;           // what its eviction goes back to: "drain of node n1"
  std::vector<std::string> victims;  // namespace/name of pods that had to leave for it
  bool gone = false;                 // it does not exist any more
  bool failed = false;               // its kubelet ended it; a phase Failed without exit code
  bool terminating = false;          // it is being deleted
  std::optional<int32_t> exit_code;  // of a pod that ended by itself
  uint32_t attempts = 0;
  std::optional<Time> arrived = Time{};  // nothing: it did not come as work
  std::optional<Time> queued;            // active in the queue for the first time
  std::optional<Time> tried;             // the last attempt
  std::optional<Time> bound;             // of a scheduled pod
  std::optional<Time> finished;          // of a pod with an exit code
  std::optional<Time> backoff_until;     // of a pod that backs off
  std::vector<NodeScores> scores;        // the chosen node's, then the best others'
  bool from_batch = false;               // a batch named the node, and nothing was scored
};

// The answer to a request to evict a pod, as the API server gives it (metav1.Status).
struct EvictionResult {
  std::string namespace_name, name;
  int32_t code = 0;                 // of HTTP; over 400 it was refused
  bool dry_run = false;             // it was only asked for
  std::string message;              // empty: none
  std::vector<std::string> causes;  // texts
  Time at{};
};

// The outcome of a drain of a node.
struct DrainResult {
  struct Pod {
    std::string name;     // namespace/name
    std::string message;  // why it is not gone; empty: nothing hinders it
  };
  std::string node;
  std::string outcome;               // one of those that README.md lists
  std::string message;               // kubectl's error; empty: none
  std::vector<std::string> evicted;  // pods that are gone, namespace/name
  std::vector<Pod> left;             // pods that are not
  Time began{};
  std::optional<Time> ended;

  // Pods are left that were to go, and nobody stopped it.
  bool undone() const { return outcome != "drained" && outcome != "drain_stopped"; }
};

// One JSON object and a line break.
std::string to_json_line(const PodResult& result);
std::string to_json_line(const EvictionResult& result);
std::string to_json_line(const DrainResult& result);

}  // namespace berth::output
