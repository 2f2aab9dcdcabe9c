#include "engine/startup/plugin_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "engine/base/error.h"

namespace berth::startup {
namespace {

namespace fs = std::filesystem;

constexpr char kPlugins[] = "lib/berth/plugins";
constexpr char kPluginsOfUser[] = ".local/lib/berth/plugins";
constexpr char kPluginsOfCases[] = "lib/berth/test-plugins";
constexpr char kSearchPath[] = "BERTH_PLUGIN_PATH";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// False: it is among them already.
bool add_once(std::vector<fs::path>& folders, const fs::path& folder) {
  fs::path normal = folder.lexically_normal();
  // "a/b/" and "a/b" are one folder.
  if (!normal.has_filename() && normal != normal.root_path()) normal = normal.parent_path();
  if (std::ranges::find(folders, normal) != folders.end()) return false;
  folders.push_back(std::move(normal));
  return true;
}

void add_defaults(PluginFolders& folders, const PluginPlaces& places) {
  const fs::path home = places.home;
  std::error_code unknown;
  if (home.is_absolute() && fs::exists(home / kPluginsOfUser, unknown) &&
      add_once(folders.all, home / kPluginsOfUser))
    folders.of_user = folders.all.back();
  if (!add_once(folders.all, places.prefix / kPlugins) &&
      folders.of_user == (places.prefix / kPlugins).lexically_normal())
    folders.of_user.clear();
}

void add_search_path(std::vector<fs::path>& folders, const PluginPlaces& places) {
  for (const std::string& folder : folders_in(places.search_path)) {
    if (!fs::path(folder).is_absolute())
      throw Error(fmt::format(
          "{}: expected absolute folders, separated by colons, found \"{}\"; --plugins takes "
          "folders relative to the working folder",
          kSearchPath, folder));
    add_once(folders, folder);
  }
}

}  // namespace

PluginPlaces places_of_process() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  const bool internal = folder.filename() == "berth";  // PREFIX/lib/berth
  return {internal ? folder.parent_path().parent_path() : folder.parent_path(), variable("HOME"),
          variable(kSearchPath)};
}

std::vector<std::string> folders_in(std::string_view list) {
  std::vector<std::string> folders;
  while (!list.empty()) {
    const size_t end = std::min(list.find(':'), list.size());
    if (end > 0) folders.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return folders;
}

CLI::Validator is_folder_list() {
  return CLI::Validator(
      [](std::string& text) {
        return folders_in(text).empty()
                   ? fmt::format("expected DIR[:DIR...] or default, found \"{}\"", text)
                   : std::string();
      },
      "");
}

PluginFolders plugin_folders(std::span<const std::string> lists, bool with_defaults,
                             const PluginPlaces& places) {
  PluginFolders folders;
  bool defaults = with_defaults;
  for (const std::string& list : lists)
    for (const std::string& folder : folders_in(list)) {
      if (folder == kDefaultFolders) {
        defaults = true;
      } else {
        add_once(folders.all, fs::absolute(folder));
      }
    }
  folders.named = folders.all.size();
  add_search_path(folders.all, places);
  if (defaults) add_defaults(folders, places);
  return folders;
}

fs::path case_plugin_folder(const PluginPlaces& places) { return places.prefix / kPluginsOfCases; }

}  // namespace berth::startup
