#include "engine/cli/project/plugin_project.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <span>
#include <utility>

#include "berth/shipped_plugins.h"
#include "engine/base/assert.h"
#include "engine/base/text/characters.h"
#include "engine/cli/project/hook_template.h"
#include "engine/cli/project/several_hooks.h"
#include "engine/cli/project/template_sections.h"
#include "engine/host/loading/library.h"

namespace berth::cli {
namespace {

constexpr size_t kLongestName = 64;

// The folders in abi/templates of what builds a project.
constexpr std::string_view kCmake = "cmake";
constexpr std::string_view kCargo = "cargo";

struct Language {
  std::string_view name;
  std::string_view extension;
  std::string_view build;
};

constexpr Language kLanguages[] = {
    {"c", "c", kCmake}, {"c++", "cc", kCmake}, {kRust, "rs", kCargo}};

// Targets that CMake makes itself.
constexpr std::string_view kTargetsOfCmake[] = {
    "all",     "clean",      "depend", "help",           "install",      "edit_cache",
    "package", "preinstall", "test",   "package_source", "rebuild_cache"};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

const Language& language_of(const PluginProject& project) {
  const auto* found = std::ranges::find(kLanguages, project.language, &Language::name);
  BERTH_ASSERT(found != std::end(kLanguages));
  return *found;
}

// Beside a source, in a project with one hook and in the folder of a case.
constexpr std::string_view kInputs[] = {"cluster.yaml",   "pods.yaml",      "pods.jsonl",
                                        "scheduler.yaml", "expected.jsonl", "expected.log"};

std::string_view pods_of(const HookTemplate& hook) {
  return find_template_text(fmt::format("{}/pods.jsonl", hook.point)) ? "pods.jsonl" : "pods.yaml";
}

// The file of a project, if there is one for the hook or else in one of the folders.
void add(std::vector<ProjectFile>& files, std::string_view name,
         std::initializer_list<std::string_view> folders) {
  for (const std::string_view folder : folders)
    if (const auto text = find_template_text(fmt::format("{}/{}", folder, name))) {
      files.push_back({std::string(name), std::string(*text)});
      return;
    }
}

// The files that depend on the hook of a project with one.
std::vector<ProjectFile> files_of_hook(const Language& language, const std::string& source,
                                       const HookTemplate& hook) {
  std::string text(template_text(fmt::format("{}/plugin.{}", hook.point, language.extension)));
  if (language.name == "c") text += template_text("cmake/end.c");
  std::vector<ProjectFile> files = {{source, std::move(text)}};
  add(files, "test.sh", {"common"});
  for (const std::string_view name : kInputs) add(files, name, {hook.point, "common"});
  return files;
}

std::vector<ProjectFile> files_of_case(const HookTemplate& hook) {
  std::vector<ProjectFile> files;
  for (const std::string_view name : kInputs) add(files, name, {hook.point, "common"});
  for (ProjectFile& file : files) {
    if (file.name == "scheduler.yaml") file.text = case_configuration(hook);
    file.name = fmt::format("cases/{}/{}", hook.point, file.name);
  }
  return files;
}

// The files that depend on the hooks of a project with several.
std::vector<ProjectFile> files_of_hooks(const Language& language, const std::string& file,
                                        std::span<const HookTemplate> hooks) {
  std::vector<ProjectFile> files = several_sources(language.name, file, hooks);
  add(files, "test.sh", {"several"});
  files.push_back({"scheduler.yaml", several_configuration(hooks)});
  for (const HookTemplate& hook : hooks)
    std::ranges::move(files_of_case(hook), std::back_inserter(files));
  return files;
}

TemplateValues values_of(const PluginProject& project, std::span<const HookTemplate> hooks) {
  const Language& language = language_of(project);
  const std::string file = words_of(project.name, '_');
  const bool several = hooks.size() > 1;
  const bool each_has_file = several && language.name == "c";
  const std::string source = fmt::format("{}.{}", file, language.extension);
  const std::string_view pods = pods_of(hooks.front());
  TemplateValues values = {
      {"@NAME@", project.name},
      {"@ID@", project.id},
      {"@FILE@", file},
      {"@PACKAGE@", words_of(project.name, '-')},
      {"@POINTS_OF@", several ? fmt::format("points {}", fmt::join(points_of(hooks), ", "))
                              : fmt::format("point {}", hooks.front().point)},
      {"@SAYS@", each_has_file ? "The file of each hook" : fmt::format("`{}`", source)},
      {"@SOURCE@", each_has_file ? fmt::format("`{0}`, `{1}.h`, `{1}_*.c`", source, file)
                                 : fmt::format("`{}`", source)},
      {"@LANGUAGE@", language.name == "c" ? "C" : "CXX"},
      {"@CRATE@", project.crate},
      {"@PODS@", std::string(pods)},
      {"@FOLDER@", several ? fmt::format("cases/{}/", hooks.front().point) : std::string()},
      {"@TESTS@", several ? "runs the cases" : fmt::format("schedules {} on cluster.yaml", pods)},
      {"@STATIC@", several ? "" : "static "},
      {"@ABI@", host::host_abi()}};
  values.emplace_back("@BEGIN@", filled(template_text("cmake/begin.c"), values));
  return values;
}

}  // namespace

std::vector<std::string> project_languages() {
  std::vector<std::string> names;
  for (const Language& language : kLanguages) names.emplace_back(language.name);
  return names;
}

std::vector<std::string> project_points() {
  std::vector<std::string> points;
  for (const HookTemplate& hook : hook_templates()) points.emplace_back(hook.point);
  return points;
}

std::optional<std::string> plugin_name_problem(std::string_view name) {
  const bool letters =
      std::ranges::all_of(name, [](char c) { return is_upper(c) || is_lower(c) || is_digit(c); });
  if (name.empty() || name.size() > kLongestName || !letters || !is_upper(name[0]) ||
      std::ranges::none_of(name, is_lower))
    return fmt::format(
        "expected a name such as RackAware, up to {} letters and digits that begin with a capital "
        "and have a small letter, found \"{}\"",
        kLongestName, name);
  if (std::ranges::find(kShippedPlugins, name) != std::end(kShippedPlugins))
    return fmt::format("\"{}\" is the name of a plugin that comes with Berth; choose another one",
                       name);
  if (std::ranges::find(kTargetsOfCmake, words_of(name, '_')) != std::end(kTargetsOfCmake))
    return fmt::format("\"{}\" would be a target of CMake's own; choose another name", name);
  return std::nullopt;
}

std::optional<std::string> plugin_id_problem(std::string_view id) {
  const bool letters = std::ranges::all_of(id, [](char c) {
    return is_upper(c) || is_lower(c) || is_digit(c) || c == '.' || c == '-' || c == '_';
  });
  const size_t dot = id.find('.');
  if (letters && !id.empty() && id.size() <= 4 * kLongestName - 1 && dot != id.npos && dot != 0 &&
      id.back() != '.')
    return std::nullopt;
  return fmt::format(
      "expected an id such as com.example.rack-aware, letters, digits, \"-\" and \"_\" with a dot "
      "between words, found \"{}\"",
      id);
}

std::string words_of(std::string_view name, char between) {
  std::string words;
  for (size_t i = 0; i < name.size(); ++i) {
    // "RackAware" has two words, and so has "GPUFilter".
    const bool begins = i > 0 && is_upper(name[i]) &&
                        (!is_upper(name[i - 1]) || (i + 1 < name.size() && is_lower(name[i + 1])));
    if (begins) words += between;
    words += static_cast<char>(is_upper(name[i]) ? name[i] - 'A' + 'a' : name[i]);
  }
  return words;
}

std::vector<std::string> project_commands(const PluginProject& project, std::string_view folder) {
  if (language_of(project).build == kCargo)
    return {fmt::format("cargo build --release --manifest-path {}/Cargo.toml", folder),
            fmt::format("sh {0}/test.sh berth {0}/target/release", folder)};
  return {fmt::format("cmake -S {0} -B {0}/build && cmake --build {0}/build", folder),
          fmt::format("ctest --test-dir {}/build", folder)};
}

std::vector<ProjectFile> project_files(const PluginProject& project) {
  const Language& language = language_of(project);
  const std::vector<HookTemplate> hooks = templates_of(project.points);
  const std::string file = words_of(project.name, '_');
  TemplateValues values = values_of(project, hooks);
  std::vector<ProjectFile> files =
      hooks.size() > 1
          ? files_of_hooks(language, file, hooks)
          : files_of_hook(language,
                          language.build == kCargo ? "src/lib.rs"
                                                   : fmt::format("{}.{}", file, language.extension),
                          hooks.front());
  std::string sources;
  for (const ProjectFile& made : files)
    if (made.name.ends_with(fmt::format(".{}", language.extension)))
      sources += (sources.empty() ? "" : " ") + made.name;
  values.emplace_back("@SOURCES@", sources);
  for (const std::string_view name : {"CMakeLists.txt", "Cargo.toml", "README.md"})
    add(files, name, {language.build});
  files.push_back({".gitignore", std::string(template_text("common/gitignore"))});
  for (ProjectFile& made : files)
    made.text = filled(text_without(made.text, hooks.size() > 1 ? "alone" : "several"), values);
  return files;
}

}  // namespace berth::cli
