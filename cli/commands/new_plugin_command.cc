// berth plugin new: writes the project of a plugin.

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "cli/commands/command.h"
#include "cli/project/plugin_project.h"
#include "engine/base/error.h"
#include "engine/base/io/new_file.h"
#include "engine/base/program/checks.h"
#include "engine/base/text/printable.h"
#include "engine/startup/plugin_folders.h"

namespace berth::cli {
namespace {

namespace fs = std::filesystem;

// The folders in which berth-dev installs the crate and the CMake package, below its prefix.
constexpr std::string_view kCrate = "share/berth/rust";
constexpr std::string_view kPackage = "share/cmake/berth/berth-config.cmake";

// Makes the folder. Throws Error if there is something in it.
void make_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) &&
      !(fs::is_directory(folder, error) && fs::is_empty(folder, error)))
    throw Error(Place{.file = folder.string(), .field = {}},
                "is there already; name a new or an empty folder with --directory");
  fs::create_directories(folder, error);
  if (error)
    throw Error(Place{.file = folder.string(), .field = {}},
                "cannot make the folder: " + error.message());
}

// The folders of a variable, with links resolved as in the prefix of this program.
std::string folders_of(const char* variable) {
  const char* list = std::getenv(variable);
  std::string resolved;
  for (const std::string& folder : startup::folders_in(list == nullptr ? "" : list)) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    resolved += (resolved.empty() ? "" : ":") + (error ? folder : real.string());
  }
  return resolved;
}

// The folder in which CMake has to look for the package, if it does not by itself and the package
// is there.
std::string prefix_for_cmake() {
  const fs::path prefix = startup::places_of_process().prefix;
  std::error_code error;
  if (!fs::exists(prefix / kPackage, error)) return {};
  return prefix_to_tell({prefix.string(), folders_of("CMAKE_PREFIX_PATH"), folders_of("PATH")});
}

void write_project(const PluginProject& project, const std::string& folder) {
  const std::vector<ProjectFile> files = project_files(project);
  make_folder(folder);
  for (const ProjectFile& file : files) {
    const fs::path path = fs::path(folder) / file.name;
    fs::create_directories(path.parent_path());
    NewFile out(path);
    out.write(std::string_view(file.text));
    out.finish();
  }
  const std::string shown = printable(folder);
  fmt::print("{}: the plugin {} in {}, at the point {}\n", shown, project.name, files.front().name,
             project.point);
  const std::string prefix = printable(prefix_for_cmake());
  for (const std::string& command : project_commands(project, shown, prefix))
    fmt::print("  {}\n", command);
}

// The folder of the crate that a Rust project depends on. `given`: of --crate; empty: the one that
// is installed beside this program. Throws Error if it is not there.
std::string crate_folder(const std::string& given) {
  const fs::path folder =
      given.empty() ? startup::places_of_process().prefix / kCrate : fs::path(given);
  std::error_code error;
  if (!fs::is_regular_file(folder / "Cargo.toml", error))
    throw Error(Place{.file = folder.string(), .field = {}},
                "the crate berth-plugin is not there; install berth-dev, or name its folder with "
                "--crate (abi/rust in the sources)");
  return fs::canonical(folder).string();
}

// Throws CLI::ValidationError unless there is one point, or none, which means filter.
std::string one_point(const std::vector<std::string>& points) {
  if (points.empty()) return "filter";
  if (points.size() == 1) return points.front();
  throw CLI::ValidationError(
      "--point",
      fmt::format("expected one point, found \"{}\"; make the project for one of them, and add "
                  "the other hooks to its source as abi/tutorial.md says",
                  fmt::join(points, ", ")));
}

// For CLI11, which takes an empty text for success.
template <typename Problem>
CLI::Validator checked_by(Problem problem) {
  return CLI::Validator([=](std::string& text) { return problem(text).value_or(std::string()); },
                        "");
}

}  // namespace

void add_plugin_new(CLI::App& plugin) {
  CLI::App* command = plugin.add_subcommand(
      "new", "write the project of a new plugin: its source, a build, a configuration, a test");
  auto project = std::make_shared<PluginProject>();
  auto points = std::make_shared<std::vector<std::string>>();
  auto folder = std::make_shared<std::string>();
  command->add_option("NAME", project->name, "the plugin's name in configurations: RackAware")
      ->check(checked_by(plugin_name_problem))
      ->required();
  command->add_option("--lang", project->language, "the language of the source")
      ->check(check::one_of(project_languages()))
      ->option_text("c|c++|rust")
      ->required();
  command
      ->add_option("--point", *points,
                   fmt::format("the extension point that the plugin implements (filter): {}",
                               fmt::join(project_points(), ", ")))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(check::one_of(project_points()))
      ->option_text("POINT");
  command
      ->add_option("--id", project->id,
                   "the plugin's id, which begins with a domain (com.example.NAME)")
      ->check(checked_by(plugin_id_problem))
      ->option_text("ID");
  command
      ->add_option("--directory", *folder,
                   "the folder to write, which is new or empty (the name in small letters)")
      ->option_text("DIR");
  CLI::Option* crate = command->add_option(
      "--crate", project->crate,
      "the folder of the crate berth-plugin, for Rust (the one that comes with berth-dev)");
  crate->option_text("DIR");
  command->callback([=] {
    if (project->language == kRust) {
      project->crate = crate_folder(project->crate);
    } else if (crate->count() != 0) {
      throw CLI::ValidationError("--crate", "is for --lang rust");
    }
    project->point = one_point(*points);
    if (project->id.empty()) project->id = "com.example." + words_of(project->name, '-');
    write_project(*project, folder->empty() ? words_of(project->name, '_') : *folder);
  });
}

}  // namespace berth::cli
