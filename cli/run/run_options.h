#pragma once

// The options of `berth run`.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/admission_plugins.h"
#include "cli/run/run_hooks.h"
#include "engine/drive/pace.h"
#include "engine/metrics/port/metrics_port.h"
#include "engine/played/api_server.h"
#include "engine/runtime/core.h"
#include "engine/startup/controllers_option.h"

namespace berth::cli {

struct RunOptions {
  std::vector<std::string> dumps;  // a cluster and its pods; else those two are given apart:
  std::vector<std::string> cluster;
  std::string pods;
  const std::string& stream() const { return dumps.empty() ? pods : dumps.front(); }
  std::string config;  // empty: the defaults
  // Of decisions, audits and columns. Run sets the pointers and the deadlines.
  runtime::CoreOptions core;
  int threads = framework::Workers::threads_of_the_machine();
  std::string bindings;        // empty: none are written
  bool binding_names = false;  // of bound pods, on standard output
  std::string summary;
  std::string results;  // empty: none are written
  std::string events;   // empty: none are written
  std::string metrics;  // empty: none are written
  std::string report;   // an HTML page of the run; empty: none is written
  // The address at which metrics are served, by the wall clock; nothing: none.
  std::optional<metrics::PortAddress> serve_metrics;
  bool has_metrics() const { return !metrics.empty() || serve_metrics; }
  std::optional<uint32_t> other_scores;  // nodes beside the chosen one; nothing: no scores
  int log_level = 0;                     // as klog takes it
  drive::ClockKind clock = drive::ClockKind::kVirtual;
  // The time for which the run goes on after its input for pods that only wait for too long.
  Time play_on{};
  // True: a controller of ours binds and provisions volumes. Without a value it does so in virtual
  // time; with the machine's clock the cluster's own controllers do.
  std::optional<bool> volume_binding;
  played::VolumeControllerOptions volumes;  // its seed is that of the run
  bool binds_volumes() const {
    return volume_binding.value_or(clock == drive::ClockKind::kVirtual);
  }
  startup::ControllersOption controllers;
  played::ControllerList played_controllers() const {
    return controllers.played(clock == drive::ClockKind::kWall);
  }
  bool strict = false;
  bool admission = true;  // of pods that are created here
  AdmissionPlugins admission_plugins;
  RunHooks hooks;              // of a caller that looks at the run
  bool keeps_results = false;  // for Run::results, also if none are written
  // Objects of the cluster beside those of its files.
  std::vector<model::Change> more;
  // One of several runs of a question: nothing is said of what its cluster lacks.
  bool is_trial = false;
};

}  // namespace berth::cli
