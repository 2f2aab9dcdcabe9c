#include "cli/project/plugin_project.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "berth/shipped_plugins.h"
#include "cli/project/plugin_templates.h"
#include "engine/base/assert.h"
#include "engine/base/points.h"
#include "engine/base/text/characters.h"
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

// The files of a project beside its source and .gitignore, as far as there are templates of them.
constexpr const char* kFiles[] = {
    "test.sh",        "cluster.yaml", "pods.yaml",      "pods.jsonl", "scheduler.yaml",
    "expected.jsonl", "expected.log", "CMakeLists.txt", "Cargo.toml", "README.md"};

// The text of a file in abi/templates, from the first of the folders that has it. Nothing if none
// has.
std::optional<std::string_view> find_template(std::string_view name,
                                              std::initializer_list<std::string_view> folders) {
  for (const std::string_view folder : folders)
    for (const PluginTemplate& file : plugin_templates())
      if (file.name == fmt::format("{}/{}", folder, name)) return file.text;
  return std::nullopt;
}

using Values = std::vector<std::pair<std::string_view, std::string>>;

Values values_of(const PluginProject& project, const std::string& source) {
  const bool has_lines = find_template("pods.jsonl", {project.point}).has_value();
  return {{"@NAME@", project.name},
          {"@ID@", project.id},
          {"@FILE@", words_of(project.name, '_')},
          {"@PACKAGE@", words_of(project.name, '-')},
          {"@POINT@", project.point},
          {"@SOURCE@", source},
          {"@LANGUAGE@", project.language == "c" ? "C" : "CXX"},
          {"@CRATE@", project.crate},
          {"@PODS@", has_lines ? "pods.jsonl" : "pods.yaml"},
          {"@ABI@", std::string(host::host_abi())}};
}

// The text with the values of @NAME@ and the like.
std::string filled(std::string_view text, const Values& values) {
  std::string made;
  while (!text.empty()) {
    const size_t at = std::min(text.find('@'), text.size());
    made += text.substr(0, at);
    text.remove_prefix(at);
    if (text.empty()) break;
    const auto value = std::ranges::find_if(
        values, [&](const auto& entry) { return text.starts_with(entry.first); });
    made += value == values.end() ? "@" : value->second;
    text.remove_prefix(value == values.end() ? 1 : value->first.size());
  }
  return made;
}

}  // namespace

std::vector<std::string> project_languages() {
  std::vector<std::string> names;
  for (const Language& language : kLanguages) names.emplace_back(language.name);
  return names;
}

std::vector<std::string> project_points() {
  std::vector<std::string> names;
  for (const PointInfo& info : kPoints) names.push_back(words_of(info.name, '-'));
  return names;
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
    words += lower(name[i]);
  }
  return words;
}

std::vector<std::string> project_commands(const PluginProject& project, std::string_view folder,
                                          std::string_view prefix) {
  if (language_of(project).build == kCargo)
    return {fmt::format("cargo build --release --manifest-path {}/Cargo.toml", folder),
            fmt::format("sh {0}/test.sh berth {0}/target/release", folder)};
  const std::string told =
      prefix.empty() ? "" : fmt::format(" -D CMAKE_PREFIX_PATH=\"{}\"", prefix);
  return {fmt::format("cmake -S {0} -B {0}/build{1} && cmake --build {0}/build", folder, told),
          fmt::format("ctest --test-dir {}/build", folder)};
}

std::string prefix_to_tell(const CmakeSearch& search) {
  const auto names = [](const std::string& list, const std::string& folder) {
    return fmt::format(":{}:", list).find(fmt::format(":{}:", folder)) != std::string::npos;
  };
  const bool found = names("/usr:/usr/local", search.prefix) ||
                     names(search.prefix_path, search.prefix) ||
                     names(search.program_path, search.prefix + "/bin");
  return found ? "" : search.prefix;
}

std::vector<ProjectFile> project_files(const PluginProject& project) {
  const Language& language = language_of(project);
  const std::string source_template = fmt::format("plugin.{}", language.extension);
  const std::string source =
      language.build == kCargo
          ? "src/lib.rs"
          : fmt::format("{}.{}", words_of(project.name, '_'), language.extension);
  const Values values = values_of(project, source);
  std::vector<ProjectFile> files;
  const auto add = [&](const std::string& name, std::string_view file) {
    if (const auto text = find_template(file, {project.point, "common", language.build}))
      files.push_back({name, filled(*text, values)});
  };
  add(source, source_template);
  BERTH_ASSERT(files.size() == 1);
  for (const char* name : kFiles) add(name, name);
  add(".gitignore", "gitignore");
  return files;
}

}  // namespace berth::cli
