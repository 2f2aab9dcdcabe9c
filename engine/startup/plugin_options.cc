#include "engine/startup/plugin_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/program/messages.h"
#include "engine/base/text/joined.h"
#include "engine/config/config.h"
#include "engine/startup/isolation.h"
#include "engine/startup/plugin_folders.h"

namespace berth::startup {
namespace {

void tell_problems(const host::Discovery& discovery, const PluginFolders& folders) {
  const std::span named(folders.all.data(), folders.named);
  for (const host::Problem& problem : discovery.problems) {
    if (problem.is_folder && std::ranges::find(named, problem.path) != named.end())
      throw Error(problem.error);
    say(problem.error.what());
  }
}

std::string names_of(const PluginFolders& folders) {
  const std::string names = joined(
      folders.all, ", ", [](const std::filesystem::path& folder) { return folder.string(); });
  return names.empty() ? "no folder: --plugins names some" : names;
}

}  // namespace

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
  if (loads) isolation.add_to(command);
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
  return runtime::Plugins(std::move(discovery), isolated_loader(all, places.prefix, load_from));
}

}  // namespace berth::startup
