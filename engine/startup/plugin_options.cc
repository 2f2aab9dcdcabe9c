#include "engine/startup/plugin_options.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "engine/base/error.h"

namespace berth::startup {
namespace {

std::vector<std::string> plugin_folder_names(const std::vector<std::string>& named) {
  std::vector<std::string> names;
  for (const std::filesystem::path& folder : runtime::plugin_folders(named))
    names.push_back(folder);
  return names;
}

}  // namespace

void PluginOptions::add_to(CLI::App& command) {
  command
      .add_option("--plugins", folders,
                  "folders with plugins; replaces the folder that comes with berth")
      ->option_text("DIR...");
}

runtime::Plugins PluginOptions::discover(bool of_cases) const {
  std::vector<std::filesystem::path> all = runtime::plugin_folders(folders);
  if (of_cases) all.push_back(runtime::case_plugin_folder());
  host::Discovery discovery = host::discover(all);
  for (const host::Problem& problem : discovery.problems)
    std::fprintf(stderr, "berth: %s\n", problem.error.what());
  if (discovery.plugins.empty())
    throw Error(fmt::format("no plugins (*.so) that can be used in {}{}",
                            fmt::join(plugin_folder_names(folders), ", "),
                            folders.empty() ? ""
                                            : "; --plugins replaces the folder that comes with "
                                              "berth: name that one too"));
  return runtime::Plugins(std::move(discovery));
}

}  // namespace berth::startup
