#include "engine/cli/project/several_hooks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace berth::cli {
namespace {

using Hooks = std::span<const HookTemplate>;

std::string source_of(const HookTemplate& hook, std::string_view extension) {
  return fmt::format("{}/plugin.{}", hook.point, extension);
}

bool has_point(Hooks hooks, std::string_view point) {
  const auto points = points_of(hooks);
  return std::ranges::find(points, point) != points.end();
}

std::string upper(std::string_view point) {
  std::string text(point);
  for (char& c : text) c = c == '-' ? '_' : static_cast<char>(c - 'a' + 'A');
  return text;
}

// The name of a point's type in C: "pre_filter".
std::string lower(std::string_view point) {
  std::string text(point);
  std::ranges::replace(text, '-', '_');
  return text;
}

// The name of a point's table in the templates: "kPreFilter".
std::string table(std::string_view point) {
  std::string text = "k";
  for (size_t i = 0; i < point.size(); ++i)
    if (point[i] != '-')
      text += static_cast<char>(i == 0 || point[i - 1] == '-' ? point[i] - 'a' + 'A' : point[i]);
  return text;
}

// A literal with the ids of the points in C and C++, a line each.
std::string points_literal(Hooks hooks, std::string_view between) {
  std::string text;
  for (const std::string_view point : points_of(hooks))
    text += (text.empty() ? "" : " \" \"" + std::string(between)) + "BERTH_" + upper(point);
  return text;
}

// A source whose hook follows its title as a comment.
std::string titled(std::string title, std::string_view begin) {
  // "// @NAME@, a Filter: ..." becomes "// A Filter: ...".
  constexpr std::string_view kName = "@NAME@, a ";
  title.replace(title.find(kName), kName.size(), "A ");
  std::string text;
  for (size_t at = 0; at < title.size();) {
    const size_t end = std::min(title.find('\n', at), title.size() - 1) + 1;
    const std::string_view line = std::string_view(title).substr(at, end - at);
    text +=
        line.starts_with("//!") ? fmt::format("{}{}", begin, line.substr(3)) : std::string(line);
    at = end;
  }
  return text;
}

// The code of a hook. A plugin with a Filter must not skip it.
std::string hook_text(std::string_view text, Hooks hooks) {
  const bool with_filter = has_point(hooks, "filter");
  std::string made;
  for (const TemplateSection& section : sections_of(text))
    if (section.name == "hook" ||
        section.name == (with_filter ? "several-hook-with-filter" : "hook-without-filter"))
      made += section.text;
  return made;
}

using Parts = std::vector<std::string>;

void add_once(Parts& parts, std::string part) {
  if (std::ranges::find(parts, part) == parts.end()) parts.push_back(std::move(part));
}

// The parts of the sections of a name, each of which ends with `end`, each once.
Parts parts_of(Hooks hooks, std::string_view extension, std::string_view name,
               std::string_view end) {
  Parts parts;
  for (const HookTemplate& hook : hooks) {
    const std::string text = section_text(template_text(source_of(hook, extension)), name);
    for (size_t at = text.find_first_not_of('\n'); at < text.size();) {
      const size_t next = std::min(text.find(end, at), text.size() - end.size()) + end.size();
      add_once(parts, text.substr(at, next - at));
      at = text.find_first_not_of('\n', next);
    }
  }
  return parts;
}

std::string joined(const Parts& parts) { return fmt::format("{}", fmt::join(parts, "")); }

// Those that begin like `first`, an empty line, and the others.
std::string grouped(Parts parts, std::string_view first) {
  std::ranges::sort(parts);
  const auto others = std::stable_partition(
      parts.begin(), parts.end(), [&](const std::string& part) { return part.starts_with(first); });
  const std::string before = joined({parts.begin(), others});
  return before + (before.empty() || others == parts.end() ? "" : "\n") +
         joined({others, parts.end()});
}

// The arguments of the sections of a name, each once.
Parts arguments_of(Hooks hooks, std::string_view extension, std::string_view name) {
  constexpr std::string_view kBetween = ", ";
  Parts names;
  for (const HookTemplate& hook : hooks) {
    std::string_view rest = section_argument(template_text(source_of(hook, extension)), name);
    while (!rest.empty()) {
      const size_t end = std::min(rest.find(kBetween), rest.size());
      add_once(names, std::string(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + kBetween.size(), rest.size()));
    }
  }
  return names;
}

std::string hooks_text(Hooks hooks, std::string_view extension) {
  std::string made;
  for (const HookTemplate& hook : hooks) {
    const std::string_view text = template_text(source_of(hook, extension));
    made += titled(section_text(text, "title"), "//") + "\n" + hook_text(text, hooks);
  }
  return made;
}

constexpr std::string_view kSystemInclude = "#include <";

std::string cpp_source(Hooks hooks) {
  return filled(
      template_text("several/plugin.cc"),
      {{"@INCLUDES@", grouped(parts_of(hooks, "cc", "includes", "\n"), kSystemInclude)},
       {"@HOOKS@", hooks_text(hooks, "cc")},
       {"@CLASSES@", fmt::format("{}", fmt::join(arguments_of(hooks, "cc", "classes"), ", "))},
       {"@POINTS@", points_literal(hooks, "\n                 ")}});
}

std::string use_of_services(Parts services) {
  if (services.empty()) return {};
  std::ranges::sort(services);
  return services.size() == 1
             ? fmt::format("use berth_plugin::services::{};\n", services.front())
             : fmt::format("use berth_plugin::services::{{{}}};\n", fmt::join(services, ", "));
}

std::string rust_source(Hooks hooks) {
  Parts classes = arguments_of(hooks, "rs", "classes");
  for (std::string& of_point : classes) of_point = fmt::format("        {},\n", of_point);
  return filled(template_text("several/plugin.rs"),
                {{"@USES@", grouped(parts_of(hooks, "rs", "uses", ";\n"), "use std::") +
                                use_of_services(arguments_of(hooks, "rs", "services"))},
                 {"@HOOKS@", hooks_text(hooks, "rs")},
                 {"@CLASSES@", joined(classes)}});
}

// The look-ups of services, and whether all are there.
std::string c_lookups(Hooks hooks) {
  constexpr size_t kIndent = 2;
  const Parts lines = parts_of(hooks, "c", "lookups", "\n");
  Parts found;
  for (const std::string& line : lines)
    found.push_back(line.substr(kIndent, line.find(" = ") - kIndent) + " != NULL");
  if (found.empty()) found = {"plugin->host != NULL"};
  return fmt::format("{}  return {};\n", joined(lines), fmt::join(found, " &&\n         "));
}

ProjectFile c_header(std::string_view file, Hooks hooks) {
  std::string guard(file), declarations, constants;
  for (char& c : guard) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  for (const std::string_view point : points_of(hooks))
    declarations += fmt::format("extern const berth_{} {};\n", lower(point), table(point));
  for (const HookTemplate& hook : hooks)
    constants += section_text(template_text(source_of(hook, "c")), "constants");
  Parts includes = parts_of(hooks, "c", "includes", "\n");
  std::erase_if(includes, [](const std::string& line) { return line.starts_with(kSystemInclude); });
  std::ranges::sort(includes);
  return {fmt::format("{}.h", file),
          filled(template_text("several/plugin.h"),
                 {{"@GUARD@", guard + "_H_"},
                  {"@INCLUDES@", joined(includes)},
                  {"@CONSTANTS@", constants},
                  {"@MEMBERS@", joined(parts_of(hooks, "c", "members", "\n"))},
                  {"@DECLARATIONS@", declarations}})};
}

// A table is `static` in a project with one hook. Without the word, lines that are aligned with its
// first member move.
std::string extern_tables(std::string_view text) {
  constexpr std::string_view kMark = "@STATIC@";
  constexpr size_t kShortest = 8, kMoved = 7;  // the length of "static "
  std::string made;
  bool in_table = false;
  while (!text.empty()) {
    std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    text.remove_prefix(line.size());
    if (line.starts_with(kMark)) {
      line.remove_prefix(kMark.size());
      in_table = true;
    } else if (in_table && line.find_first_not_of(' ') >= kShortest) {
      line.remove_prefix(kMoved);
    }
    in_table = in_table && line.find(';') == line.npos;
    made += line;
  }
  return made;
}

ProjectFile c_hook(std::string_view file, const HookTemplate& hook, Hooks hooks) {
  const std::string_view text = template_text(source_of(hook, "c"));
  Parts includes = parts_of({&hook, 1}, "c", "includes", "\n");
  std::erase_if(includes,
                [](const std::string& line) { return !line.starts_with(kSystemInclude); });
  if (!includes.empty()) includes.push_back("\n");
  std::string code = extern_tables(hook_text(text, hooks));
  code.erase(code.find_last_not_of('\n') + 1);
  return {
      fmt::format("{}_{}.c", file, lower(hook.point)),
      filled(template_text("several/hook.c"), {{"@TITLE@", titled(section_text(text, "title"), "")},
                                               {"@INCLUDES@", joined(includes)},
                                               {"@HOOK@", code}})};
}

std::vector<ProjectFile> c_sources(std::string_view file, Hooks hooks) {
  std::string tables;
  for (const std::string_view point : points_of(hooks))
    tables +=
        fmt::format("  if (berth_is(id, BERTH_{})) return &{};\n", upper(point), table(point));
  const std::string main =
      filled(template_text("several/plugin.c"), {{"@POINTS@", points_literal(hooks, " \\\n  ")},
                                                 {"@LOOKUPS@", c_lookups(hooks)},
                                                 {"@TABLES@", tables}});
  std::vector<ProjectFile> files = {
      {fmt::format("{}.c", file), main + std::string(template_text("cmake/end.c"))}};
  for (const HookTemplate& hook : hooks) files.push_back(c_hook(file, hook, hooks));
  files.push_back(c_header(file, hooks));
  return files;
}

std::string configuration_of(const HookTemplate& hook) {
  return std::string(find_template_text(fmt::format("{}/scheduler.yaml", hook.point)).value_or(""));
}

}  // namespace

std::vector<ProjectFile> several_sources(std::string_view language, std::string_view file,
                                         std::span<const HookTemplate> hooks) {
  if (language == "c") return c_sources(file, hooks);
  if (language == kRust) return {{"src/lib.rs", rust_source(hooks)}};
  return {{fmt::format("{}.cc", file), cpp_source(hooks)}};
}

std::string several_configuration(std::span<const HookTemplate> hooks) {
  std::string sections, weight;
  for (const HookTemplate& hook : hooks) {
    weight += section_text(configuration_of(hook), "weight");
    sections += section_text(configuration_of(hook), "section");
  }
  return filled(template_text("several/scheduler.yaml"), {{"@SECTIONS@\n", weight + sections}});
}

std::string case_configuration(const HookTemplate& hook) {
  std::string sections = section_text(configuration_of(hook), "section");
  const std::string weight = section_text(configuration_of(hook), "weight");
  if (sections.empty())
    for (const std::string_view point : points_of({&hook, 1})) {
      if (configuration_key(point).empty()) continue;
      sections +=
          fmt::format("    {}:\n      enabled:\n      - name: @NAME@\n", configuration_key(point));
      if (point == "score") sections += weight;
    }
  return filled(template_text("several/case.yaml"), {{"@SECTIONS@\n", sections}});
}

}  // namespace berth::cli
