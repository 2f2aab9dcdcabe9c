#pragma once

// The options of `berth run`.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/admission_plugins.h"
#include "engine/drive/pace.h"
#include "engine/drive/work_source.h"
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
  // For a caller that looks at the run, which both outlive.
  bool keeps_results = false;                  // for Run::results, also if none are written
  framework::DecisionWatch* watch = nullptr;   // hears of decisions
  runtime::OnReport hears = nullptr;           // of what happened
  std::function<bool()> has_enough = nullptr;  // asked before each decision: the run ends
  std::function<void()> decided = nullptr;     // told after each decision
  std::function<void()> rests = nullptr;       // told before the run waits
  drive::OpenInput open = ingest::open_input;  // of streams, sockets and standard input
  drive::Machine* machine = nullptr;           // asked by the wall clock; null: it is measured
  // Opens the work, once the cluster is there, in the place of that which is named. Null: that.
  std::function<std::unique_ptr<drive::WorkSource>(ingest::Creation&)> work = nullptr;
  // Makes another source of the one that is opened, once the cluster is there. Null: it is taken.
  std::function<std::unique_ptr<drive::WorkSource>(std::unique_ptr<drive::WorkSource>)> wrap =
      nullptr;
  // Objects of the cluster beside those of its files.
  std::vector<model::Change> more;
  // One of several runs of a question: nothing is said of what its cluster lacks.
  bool is_trial = false;
};

}  // namespace berth::cli
