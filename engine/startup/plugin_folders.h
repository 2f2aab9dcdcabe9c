#pragma once

// The folders in which a program looks for plugins. Two plugins of one name are an error that names
// both files, unless one of them is in a folder of the command line (host/loading/discovery.h).
// Otherwise the order of the folders decides about the order of messages alone.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::startup {

// The places from which the default folders of plugins follow.
struct PluginPlaces {
  // PREFIX of PREFIX/bin/PROGRAM and PREFIX/lib/berth/PROGRAM, absolute, links resolved.
  std::filesystem::path prefix;
  std::string home;         // the variable HOME; empty: not set
  std::string search_path;  // the variable BERTH_PLUGIN_PATH; empty: not set
};
PluginPlaces places_of_process();

// In a list of folders: the default ones.
inline constexpr std::string_view kDefaultFolders = "default";

// The folders of a list DIR[:DIR...], in order. Empty elements are left out.
std::vector<std::string> folders_in(std::string_view list);

// Accepts lists DIR[:DIR...] that name a folder.
CLI::Validator is_folder_list();

struct PluginFolders {
  // Absolute, each once, in the order of the search: those of the lists, of BERTH_PLUGIN_PATH, then
  // the default ones, HOME/.local/lib/berth/plugins (if it exists) and PREFIX/lib/berth/plugins.
  std::vector<std::filesystem::path> all;
  // The number of folders at the front of `all` that a list names: what is wrong with one of these
  // is an error of the command line, and their plugins win over others.
  size_t named = 0;
  // HOME/.local/lib/berth/plugins, if it is in `all` as a default folder and not that of this
  // program; else empty. An installation in HOME/.local has its own plugins there.
  std::filesystem::path of_user;
};

// `lists`: each DIR[:DIR...], relative to the working folder, where the word "default" means the
// default folders. Without `with_defaults` only this word adds these. Throws Error for a relative
// folder in BERTH_PLUGIN_PATH.
PluginFolders plugin_folders(std::span<const std::string> lists, bool with_defaults,
                             const PluginPlaces& places);

// The absolute folder with the plugins of conformance cases, in a build; an installation has none.
std::filesystem::path case_plugin_folder(const PluginPlaces& places);

}  // namespace berth::startup
