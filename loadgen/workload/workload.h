#pragma once

// Workloads by name: presets, workload files and what is imported from elsewhere.

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

struct LoadSettings {
  uint64_t seed = 0;
  std::map<std::string, std::string> parameters;  // in place of the workload's own values
};

// One workload that can be played.
struct Workload {
  std::string name;                // "mixed"; of kube-scheduler's benchmark "TESTCASE/WORKLOAD"
  std::string source;              // the file, or "preset"
  std::vector<std::string> files;  // all files that it is read from; "-" is standard input
  std::string description;         // one line; may be empty
  std::map<std::string, std::string> parameters;  // that can be set, with their values
  std::vector<std::string> labels;                // of kube-scheduler's benchmark: "performance"
  std::optional<double> threshold;  // pods a second under which kube-scheduler's own CI fails
  std::string scheduler_config;     // a KubeSchedulerConfiguration that belongs to it; may be empty
  // What it needs and the engine does not have, in words ("preemption", "feature gate X"). Not
  // empty: it cannot be opened.
  std::vector<std::string> missing;
  // Throws Error: for settings that it does not have or that make no sense, and if `missing` is not
  // empty, naming what is.
  std::function<std::unique_ptr<Load>(const LoadSettings&)> open;
};

// All workloads of a preset's name, a file or a folder, in their order. What is wrong in it is
// reported with its place and left out, and what is right beside it stays. Throws Error if there is
// no such preset or file, or if it is nothing that holds workloads.
std::vector<Workload> find_workloads(const std::string& name, Diagnostics& diagnostics);

std::vector<Workload> presets();

// Whether a workload's name, as a whole, fits a pattern in which * stands for any characters and ?
// for one (of UTF-8).
bool name_fits(std::string_view name, std::string_view pattern);

}  // namespace berth::loadgen
