#pragma once

// Finds workloads by name: presets, workload files, and imports of foreign formats.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// The options that a user sets when a workload is opened.
struct LoadSettings {
  uint64_t seed = 0;
  std::map<std::string, std::string> parameters;  // override the workload's own values
};

// One workload that can be opened and played.
struct Workload {
  std::string name;                // "mixed"; "TESTCASE/WORKLOAD" for kube-scheduler's benchmark
  std::string source;              // the file, or "preset"
  std::vector<std::string> files;  // all files that it is read from; "-" is standard input
  uint64_t faults = 0;      // parts of the files, or objects in them, that are left out as wrong
  std::string description;  // one line; may be empty
  std::map<std::string, std::string> parameters;  // settable parameters and their values
  std::vector<std::string> labels;                // kube-scheduler's benchmark only: "performance"
  std::optional<double> threshold;  // pods per second; below it kube-scheduler's CI fails
  std::string scheduler_config;     // an accompanying KubeSchedulerConfiguration; may be empty
  std::map<std::string, bool> feature_gates;  // that its scheduler needs set otherwise than it has
  // Controllers of a run have something to do with its load, such as manifests of workloads, nodes
  // that fail and what pods use.
  bool for_controllers = false;
  // The features that the workload needs and the engine does not have, in words ("preemption",
  // "feature gate X"). The workload can be opened only if this is empty.
  std::vector<std::string> missing;
  // The same with these settings; null: settings change nothing about it.
  std::function<std::vector<std::string>(const LoadSettings&)> missing_with;
  // Starts a load. Throws UsageError for unknown or invalid settings; Error for what is wrong
  // without settings, too: a file that cannot be read, or `missing`, which the message lists.
  std::function<std::unique_ptr<Load>(const LoadSettings&)> open;
};

// The parts that the workload lacks with these settings: see Workload::missing.
inline std::vector<std::string> missing_of(const Workload& workload, const LoadSettings& settings) {
  return workload.missing_with ? workload.missing_with(settings) : workload.missing;
}

// The workloads of a preset, a file or a folder, in file order. Invalid workloads are reported with
// their place and left out; the valid ones are returned. Throws Error if the file is not there or
// holds no workloads, and UsageError if `name` is neither a preset nor like the name of a file.
std::vector<Workload> find_workloads(const std::string& name, Diagnostics& diagnostics);

// The values of all parameters with these settings. Throws UsageError if the workload has no
// parameter of a name in `settings`.
std::map<std::string, std::string> parameters_with(const Workload& workload,
                                                   const LoadSettings& settings);

// The presets that are built into the program.
std::vector<Workload> presets();

// True if `pattern` matches all of `name`. In a pattern * matches any number of characters, ?
// exactly one UTF-8 character.
bool name_fits(std::string_view name, std::string_view pattern);

}  // namespace berth::loadgen
