#pragma once

// What every command that schedules needs: plugins, a model, profiles and a scheduler over them.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/effective.h"
#include "engine/cycle/assembly.h"
#include "engine/cycle/scheduler.h"
#include "engine/host/calls/watchdog.h"

namespace berth::cli {

// Folders with plugins: those that the user named, made absolute, or the one that was installed
// beside the program.
std::vector<std::filesystem::path> plugin_folders(const std::vector<std::string>& named);

// Writes one line to stderr: "berth: WHAT: NAMES". Writes nothing without names.
void name_once(const char* what, const std::vector<std::string>& names);
void name_missing(const std::vector<std::string>& default_plugins);

// Writes to stderr what the configuration asks for and this program does not do: settings and
// arguments without effect, default plugins that are not built, extension points that are not
// called yet. Every command that schedules calls it once, at the start.
void name_what_is_not_done(const config::Configuration& configuration,
                           const cycle::Assembly& assembly);

// One cluster with the profiles of one configuration at work on it.
class Session {
 public:
  // `sink` may be null. Throws Error as cycle::assemble does. From here on a call of a plugin that
  // does not return ends the process, with the plugin's name.
  Session(config::Configuration configuration, cycle::Plugins& plugins,
          cycle::SchedulerOptions options, cycle::BindingSink* sink,
          host::WatchdogOptions deadlines = {});
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  model::Cluster& cluster() { return cluster_; }
  cycle::Scheduler& scheduler() { return *scheduler_; }
  host::CallContext& worker() { return worker_; }
  host::HookTable& hooks() { return hooks_; }
  const config::Configuration& configuration() const { return configuration_; }
  const cycle::Assembly& assembly() const { return assembly_; }

 private:
  config::Configuration configuration_;
  model::Cluster cluster_;
  host::ModelServices model_services_{cluster_};
  host::HookTable hooks_;
  host::CallContext worker_;
  cycle::Binder binder_;
  cycle::Assembly assembly_;  // before what it lives in goes
  std::unique_ptr<cycle::Scheduler> scheduler_;
  std::unique_ptr<host::Watchdog> watchdog_;  // goes first: it looks at workers of the others
};

}  // namespace berth::cli
