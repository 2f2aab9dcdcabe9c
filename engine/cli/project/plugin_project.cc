#include "engine/cli/project/plugin_project.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "berth/shipped_plugins.h"
#include "engine/base/assert.h"
#include "engine/cli/project/plugin_templates.h"
#include "engine/host/loading/library.h"

namespace berth::cli {
namespace {

constexpr size_t kLongestName = 64;

constexpr std::string_view kPoints[] = {
    "pre-enqueue", "queue-sort", "hints",  "pre-filter", "filter", "post-filter", "pre-score",
    "score",       "reserve",    "permit", "pre-bind",   "bind",   "post-bind",   "overlay-state"};

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
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Null if there is none of that name.
const PluginTemplate* find_template(std::string_view name) {
  const auto all = plugin_templates();
  const auto found = std::ranges::find(all, name, &PluginTemplate::name);
  return found == all.end() ? nullptr : &*found;
}

std::string_view template_text(std::string_view name) {
  const PluginTemplate* found = find_template(name);
  BERTH_ASSERT(found != nullptr);
  return found->text;
}

const Language& language_of(const PluginProject& project) {
  const auto* found = std::ranges::find(kLanguages, project.language, &Language::name);
  BERTH_ASSERT(found != std::end(kLanguages));
  return *found;
}

using Values = std::vector<std::pair<std::string_view, std::string>>;

// The text with the values of @NAME@, @FILE@ and the like.
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

std::vector<std::string> project_points() { return {std::begin(kPoints), std::end(kPoints)}; }

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
  const std::string file = words_of(project.name, '_');
  const bool is_stream = find_template(project.point + "/pods.jsonl") != nullptr;
  Values values = {{"@NAME@", project.name},
                   {"@ID@", project.id},
                   {"@FILE@", file},
                   {"@PACKAGE@", words_of(project.name, '-')},
                   {"@POINT@", project.point},
                   {"@EXTENSION@", std::string(language.extension)},
                   {"@LANGUAGE@", language.name == "c" ? "C" : "CXX"},
                   {"@CRATE@", project.crate},
                   {"@PODS@", is_stream ? "pods.jsonl" : "pods.yaml"},
                   {"@ABI@", host::host_abi()}};
  values.emplace_back("@BEGIN@", filled(template_text("cmake/begin.c"), values));
  const std::string source = fmt::format("plugin.{}", language.extension);
  const std::string name = language.build == kCargo ? "src/lib.rs" : file + source.substr(6);
  std::string text(template_text(project.point + "/" + source));
  if (language.name == "c") text += template_text("cmake/end.c");
  std::vector<ProjectFile> files = {{name, filled(text, values)}};
  const auto add = [&](std::string_view to, const PluginTemplate* from) {
    if (from != nullptr) files.push_back({std::string(to), filled(from->text, values)});
  };
  for (const std::string_view to :
       {"CMakeLists.txt", "Cargo.toml", "README.md", "test.sh", "cluster.yaml", "pods.yaml",
        "pods.jsonl", "scheduler.yaml", "expected.jsonl", "expected.log"}) {
    const PluginTemplate* found = nullptr;
    // The point may have one of its own.
    for (const std::string_view folder :
         {std::string_view(project.point), language.build, std::string_view("common")})
      if (found == nullptr) found = find_template(fmt::format("{}/{}", folder, to));
    add(to, found);
  }
  add(".gitignore", find_template("common/gitignore"));
  return files;
}

}  // namespace berth::cli
