#include "engine/startup/plugin_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/messages.h"
#include "engine/base/text/joined.h"
#include "engine/base/text/suggestion.h"
#include "engine/config/config.h"
#include "engine/host/faults/life_cycle_call.h"
#include "engine/startup/isolation.h"
#include "engine/startup/plugin_folders.h"

namespace berth::startup {
namespace {

// "; did you mean mine?": the folder beside the one that is not there whose name is most alike.
std::string folder_meant(const std::filesystem::path& missing) {
  std::error_code ignored;
  if (std::filesystem::exists(missing, ignored)) return {};
  std::vector<std::string> beside;
  for (const auto& entry : std::filesystem::directory_iterator(missing.parent_path(), ignored))
    if (entry.is_directory(ignored)) beside.push_back(entry.path().filename().string());
  std::ranges::sort(beside);
  const std::string meant = nearest_word(missing.filename().string(), beside);
  return meant.empty() ? "" : "; did you mean " + meant + "?";
}

void tell_problems(const host::Discovery& discovery, const PluginFolders& folders) {
  const std::span named(folders.all.data(), folders.named);
  for (const host::Problem& problem : discovery.problems) {
    if (problem.is_folder && std::ranges::find(named, problem.path) != named.end())
      throw Error(problem.error.place(), problem.error.message() + folder_meant(problem.path));
    say(problem.error.what());
  }
}

std::string names_of(const PluginFolders& folders) {
  const std::string names = joined(
      folders.all, ", ", [](const std::filesystem::path& folder) { return folder.string(); });
  return names.empty() ? "no folder: --plugins names some" : names;
}

}  // namespace

void add_plugin_timeout(CLI::App& command, std::chrono::milliseconds& limit) {
  command
      .add_option_function<uint32_t>(
          "--plugin-timeout", [&limit](uint32_t number) { limit = std::chrono::seconds(number); },
          "seconds after which a plugin's call that has not returned ends the run; a call that "
          "takes longer than a third of it fails its pod (30)")
      ->check(check::whole_number(1, 86400))
      ->option_text("N");
}

host::WatchdogOptions deadlines_of(std::chrono::milliseconds limit) {
  return {.late = limit / 3, .limit = limit, .on_stuck = {}};
}

void PluginOptions::add_to(CLI::App& command, bool loads) {
  command
      .add_option("--plugins", lists,
                  "folders with plugins, searched besides those of the variable BERTH_PLUGIN_PATH "
                  "and the default ones, ~/.local/lib/berth/plugins and the one that comes with "
                  "berth; can be repeated")
      ->allow_extra_args(false)
      ->check(is_folder_list())
      ->option_text("DIR[:DIR...]");
  command.add_flag_callback(
      "--no-default-plugins", [this] { with_defaults = false; },
      "do not search the default folders, unless --plugins names \"default\"");
  if (!loads) return;
  add_plugin_timeout(command, call_limit);
  isolation.add_to(command);
}

void PluginOptions::add_debugging_to(CLI::App& command) {
  command.add_flag_callback(
      "--debug-plugins", [this] { load_from = host::LoadFrom::kFile; },
      "load plugins from their files instead of from sealed copies of them, so that perf and "
      "Valgrind find their symbols; a file must not be overwritten while the command runs");
  command.add_flag(
      "--check-plugins", guard_columns,
      "let plugins see columns in memory that they cannot write to: one that writes to "
      "a column ends the process, with its name and that of the hook");
}

runtime::Plugins PluginOptions::discover(const config::PluginIsolation& isolated,
                                         bool of_cases) const {
  host::LifeCycleCall::set_limit(call_limit);
  const config::PluginIsolation all = isolation.added_to(isolated);
  const PluginPlaces places = places_of_process();
  PluginFolders folders = plugin_folders(lists, with_defaults, places);
  // Without the folder, cases that need it fail and name what is missing.
  if (of_cases && std::filesystem::is_directory(case_plugin_folder(places)))
    folders.all.push_back(case_plugin_folder(places));
  host::Discovery discovery = host::discover(folders.all, folders.of_user, folders.named);
  tell_problems(discovery, folders);
  if (discovery.plugins.empty())
    throw Error(fmt::format("no plugins (*.so) that can be used in {}{}", names_of(folders),
                            with_defaults ? ""
                                          : "; --no-default-plugins leaves out those that "
                                            "come with berth"));
  if (all.empty()) return runtime::Plugins(std::move(discovery), load_from);
  std::vector<Error> faults = isolation_faults(all, discovery, call_limit);
  if (!faults.empty()) throw config::InvalidConfiguration(std::move(faults));
  return runtime::Plugins(std::move(discovery),
                          isolated_loader(all, places.prefix, load_from, clock));
}

}  // namespace berth::startup
