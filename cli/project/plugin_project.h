#pragma once

// The project that `berth plugin new` writes: a plugin for one extension point, a configuration
// that enables it, and a test that runs it. Its files are those of abi/templates, from the folders
// of the point, of all projects and of the build, with the names filled in.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth::cli {

// The language whose projects need the crate berth-plugin.
inline constexpr std::string_view kRust = "rust";

struct PluginProject {
  std::string name;      // as in configurations: "RackAware"
  std::string id;        // "com.example.rack-aware"
  std::string language;  // one of project_languages()
  std::string point;     // one of project_points()
  std::string crate;     // rust: the folder of the crate berth-plugin, absolute
};

// The values of the options --lang and --point.
std::vector<std::string> project_languages();
std::vector<std::string> project_points();

// Says why this cannot be the name of a new plugin, and what is expected. Nothing if it can.
std::optional<std::string> plugin_name_problem(std::string_view name);
std::optional<std::string> plugin_id_problem(std::string_view id);

// The words of a name in lower case: "rack_aware" for "RackAware" and '_'. Precondition: the name
// has no problem.
std::string words_of(std::string_view name, char between);

// The commands that build the project in a folder and run its test, for people. `prefix`: where
// Berth is installed, if CMake does not find it there by itself; else empty.
std::vector<std::string> project_commands(const PluginProject& project, std::string_view folder,
                                          std::string_view prefix);

// The variables of the environment by which CMake finds packages, and the prefix of this program.
struct CmakeSearch {
  std::string prefix;        // absolute
  std::string prefix_path;   // CMAKE_PREFIX_PATH
  std::string program_path;  // PATH
};
// The prefix if CMake has to be told of it; else empty.
std::string prefix_to_tell(const CmakeSearch& search);

struct ProjectFile {
  std::string name;
  std::string text;
};

// All files of the project, the source first. Precondition: name and id have no problem.
std::vector<ProjectFile> project_files(const PluginProject& project);

}  // namespace berth::cli
