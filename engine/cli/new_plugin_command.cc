// berth plugin new: writes the project of a plugin.

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "engine/base/error.h"
#include "engine/base/io/new_file.h"
#include "engine/base/program/checks.h"
#include "engine/base/text/printable.h"
#include "engine/cli/command.h"
#include "engine/cli/project/plugin_project.h"

namespace berth::cli {
namespace {

namespace fs = std::filesystem;

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

void write_project(const PluginProject& project, const std::string& folder) {
  const std::vector<ProjectFile> files = project_files(project);
  make_folder(folder);
  for (const ProjectFile& file : files) {
    NewFile out(fs::path(folder) / file.name);
    out.write(std::string_view(file.text));
    out.finish();
  }
  const std::string shown = printable(folder);
  fmt::print("{}: the plugin {} in {}, at the point {}\n", shown, project.name, files.front().name,
             project.point);
  fmt::print("  cmake -S {0} -B {0}/build && cmake --build {0}/build\n", shown);
  fmt::print("  ctest --test-dir {}/build\n", shown);
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
  auto folder = std::make_shared<std::string>();
  command->add_option("NAME", project->name, "the plugin's name in configurations: RackAware")
      ->check(checked_by(plugin_name_problem))
      ->required();
  command->add_option("--lang", project->language, "the language of the source")
      ->check(check::one_of(project_languages()))
      ->option_text("c|c++")
      ->required();
  project->point = "filter";
  command
      ->add_option("--point", project->point,
                   "the extension point that the plugin implements (filter)")
      ->check(check::one_of(project_points()))
      ->default_str("")
      ->option_text("filter|score|pre-enqueue|queue-sort");
  command
      ->add_option("--id", project->id,
                   "the plugin's id, which begins with a domain (com.example.NAME)")
      ->check(checked_by(plugin_id_problem))
      ->option_text("ID");
  command
      ->add_option("--directory", *folder,
                   "the folder to write, which is new or empty (the name in small letters)")
      ->option_text("DIR");
  command->callback([=] {
    if (project->id.empty()) project->id = "com.example." + words_of(project->name, '-');
    write_project(*project, folder->empty() ? words_of(project->name, '_') : *folder);
  });
}

}  // namespace berth::cli
