#pragma once

// Variants: the ways in which a workload is run.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/macro/run/config_edits.h"
#include "engine/config/config.h"
#include "engine/framework/decision/decision.h"
#include "engine/framework/evaluation/evaluator.h"
#include "engine/framework/evaluation/rows/row_work.h"
#include "engine/framework/verification/pace.h"
#include "engine/host/calls/checks/watchdog.h"
#include "engine/runtime/assembly.h"
#include "engine/startup/controllers_option.h"
#include "engine/startup/isolation_options.h"
#include "loadgen/workload/workload.h"

namespace berth::bench {

// kNone: planned times are ignored and everything happens as soon as possible. kWall: planned times
// are times of the wall clock, even if the scheduler is behind (open loop).
enum class Clock : uint8_t { kNone, kWall };

// One way to run a workload.
struct Variant {
  uint64_t seed = 0;
  std::map<std::string, std::string> parameters;  // overrides of the workload's parameters
  std::string config;         // a file; empty: the workload's own configuration, or the defaults
  config::RulesChoice rules;  // of options
  ConfigEdits edits;          // of that configuration
  // Folders with plugins, which take part beside those of BERTH_PLUGIN_PATH; "default" stands for
  // the default ones (startup/plugin_folders.h). Empty: the default ones.
  std::vector<std::string> plugins;
  startup::IsolationOptions isolation;  // added to that of the configuration
  std::chrono::milliseconds call_limit = host::WatchdogOptions{}.limit;  // of a plugin's call
  std::optional<int32_t> percentage;                                     // nullopt: as configured
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  size_t ranking_bytes = framework::FullOptions{}.ranking_bytes;
  uint64_t verify_every = framework::VerificationPace::kAsItPays;
  framework::TieBreak tie_break = framework::TieBreak::kRandom;
  std::optional<uint64_t> tie_seed;  // of the draws among equal nodes; nullopt: `seed`
  int threads = 1;
  Clock clock = Clock::kNone;
  double speed = 1;  // planned seconds per second of the wall clock
  startup::ControllersOption controllers;
  played::ControllerList played_controllers() const {
    return controllers.played(clock == Clock::kWall);
  }

  // The axes of a sweep and their values here, in the order of the axes; else empty.
  std::vector<std::pair<std::string, std::string>> settings;
  std::optional<uint64_t> combination;  // of a sweep, from 0

  std::string label;  // distinguishes variants of the same workload; may be empty
};

// The values to compare. An empty list means the value of the base variant.
struct Comparison {
  std::vector<std::string> configs;  // "default" means the workload's own
  std::vector<std::string> plugins;  // each is a list of folders (startup/plugin_folders.h)
  bool default_plugins = true;       // the default folders are part of each
  std::vector<int32_t> percentages;
  std::vector<framework::Evaluation> evaluations;
  std::vector<int> threads;
  std::map<std::string, std::vector<std::string>> parameters;
};

// Returns one variant per combination of list elements; the last list varies fastest. All other
// members are those of `base`.
std::vector<Variant> variants(const Variant& base, const Comparison& lists);

// Loads the variant's configuration file, or that of the workload if there is none, or the defaults
// if both are empty; by the variant's rules, with the gates of the workload that they do not set,
// and with the variant's edits. Throws Error.
config::Configuration configuration_of(const Variant& variant, const loadgen::Workload& workload);

// The plugins of the variant's folders, isolated as it and that configuration say. Throws as
// startup::PluginOptions::discover().
runtime::Plugins plugins_of(const Variant& variant, const config::Configuration& configuration);

}  // namespace berth::bench
