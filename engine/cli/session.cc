#include "engine/cli/session.h"

#include <fmt/format.h>

namespace berth::cli {
namespace {

constexpr char kPluginsBesideProgram[] = "lib/berth/plugins";

}  // namespace

std::vector<std::filesystem::path> plugin_folders(const std::vector<std::string>& named) {
  std::vector<std::filesystem::path> folders;
  for (const std::string& folder : named) folders.push_back(std::filesystem::absolute(folder));
  if (folders.empty()) {
    std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
    folders.push_back(program.parent_path().parent_path() / kPluginsBesideProgram);
  }
  return folders;
}

void name_once(const char* what, const std::vector<std::string>& names) {
  if (!names.empty()) fmt::print(stderr, "berth: {}: {}\n", what, fmt::join(names, ", "));
}

void name_missing(const std::vector<std::string>& default_plugins) {
  name_once("default plugins that are not built and were left out", default_plugins);
}

void name_what_is_not_done(const config::Configuration& configuration,
                           const cycle::Assembly& assembly) {
  name_once("accepted and without effect here", configuration.without_effect);
  name_once("arguments of plugins that take none", assembly.without_effect);
  name_missing(assembly.missing);
  name_once("extension points of enabled plugins that are not called yet", assembly.not_called);
}

Session::Session(config::Configuration configuration, cycle::Plugins& plugins,
                 cycle::SchedulerOptions options, cycle::BindingSink* sink,
                 host::WatchdogOptions deadlines)
    : configuration_(std::move(configuration)), binder_(cluster_, sink) {
  watchdog_ = std::make_unique<host::Watchdog>(hooks_, std::vector<host::CallContext*>{&worker_},
                                               deadlines);
  host::Environment environment{model_services_, &binder_, host::standard_log(), hooks_};
  assembly_ = cycle::assemble(configuration_, plugins, environment, worker_, cluster_);
  options.decide.percentage_of_nodes_to_score = configuration_.percentage_of_nodes_to_score;
  scheduler_ = std::make_unique<cycle::Scheduler>(cluster_, assembly_.profiles, binder_, worker_,
                                                  std::move(options));
  std::vector<host::CallContext*> workers = scheduler_->other_workers();
  if (workers.empty()) return;
  workers.push_back(&worker_);
  watchdog_ = std::make_unique<host::Watchdog>(hooks_, std::move(workers), std::move(deadlines));
}

}  // namespace berth::cli
