// berth plugin list|describe|check, berth version.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "berth/build_info.h"
#include "cli/commands/check_command.h"
#include "cli/commands/command.h"
#include "cli/commands/declared.h"
#include "engine/base/memory/allocator.h"
#include "engine/base/rules/kube_version.h"
#include "engine/base/text/joined.h"
#include "engine/base/text/printable.h"
#include "engine/document/json/json_writer.h"
#include "engine/host/loading/library.h"
#include "engine/output/format_option.h"
#include "engine/startup/plugin_options.h"

namespace berth::cli {
namespace {

using output::FormatOption;
using output::OutputFormat;

std::string list_text(const host::Discovery& discovery, bool wide) {
  size_t name = 4, id = 2, points = 16;
  for (const host::Found& plugin : discovery.plugins) {
    const host::Identity& identity = plugin.identity;
    name = std::max(name, printable(identity.name).size());
    id = std::max(id, printable(identity.id).size());
    points = std::max(points, fmt::formatted_size("{}", fmt::join(identity.points, " ")));
  }
  if (!wide) points = 0;
  std::string text = fmt::format("{:<{}}  {:<{}}  ABI  {:<{}}{}\n", "NAME", name, "ID", id,
                                 "EXTENSION POINTS", points, wide ? "  BUILT FOR  FILE" : "");
  for (const host::Found& plugin : discovery.plugins) {
    const host::Identity& identity = plugin.identity;
    text += fmt::format("{:<{}}  {:<{}}  {}.{}  {:<{}}", printable(identity.name), name,
                        printable(identity.id), id, identity.abi_major, identity.abi_minor_needed,
                        printable(fmt::format("{}", fmt::join(identity.points, " "))), points);
    if (wide)
      text += fmt::format("  {:<9}  {}",
                          fmt::format("{}.{}", identity.abi_major, identity.abi_minor_built),
                          printable(plugin.file.path().string()));
    text += "\n";
  }
  return text;
}

void write_identity(document::PrettyJsonWriter& json, const host::Identity& identity) {
  json.member("name", identity.name);
  json.member("id", identity.id);
  json.member("abi_major", uint64_t{identity.abi_major});
  json.member("abi_minor_needed", uint64_t{identity.abi_minor_needed});
  json.member("abi_minor_built", uint64_t{identity.abi_minor_built});
  json.texts("extension_points", identity.points);
}

// The text that `write` writes, with a final line feed.
template <typename Write>
std::string json_text(Write&& write) {
  rapidjson::StringBuffer buffer;
  document::PrettyJsonWriter json(buffer);
  write(json);
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

std::string list_json(const host::Discovery& discovery) {
  return json_text([&](document::PrettyJsonWriter& json) {
    json.StartArray();
    for (const host::Found& plugin : discovery.plugins)
      json.object([&] {
        write_identity(json, plugin.identity);
        json.member("file", plugin.file.path().string());
      });
    json.EndArray();
  });
}

std::vector<std::string> list_names(const host::Discovery& discovery) {
  std::vector<std::string> names;
  for (const host::Found& plugin : discovery.plugins)
    names.push_back("plugin/" + plugin.identity.name);
  return names;
}

std::string description_json(const host::Library& library, const Declared& declared) {
  return json_text([&](document::PrettyJsonWriter& json) {
    json.object([&] {
      write_identity(json, library.identity());
      json.member("version", library.version());
      json.member("takes_arguments", library.takes_arguments());
      json.member("hash", library.hash());
      write_declared(json, declared);
    });
  });
}

std::string description_text(const host::Library& library, const Declared& declared) {
  const host::Identity& identity = library.identity();
  std::string text = fmt::format("Name:              {}\n", printable(identity.name));
  text += fmt::format("Id:                {}\n", printable(identity.id));
  text += fmt::format("Version:           {}\n",
                      library.version().empty() ? "not stated" : printable(library.version()));
  text += fmt::format("ABI:               {}.{}, needs {}.{}\n", identity.abi_major,
                      identity.abi_minor_built, identity.abi_major, identity.abi_minor_needed);
  text += fmt::format("Takes arguments:   {}\n", library.takes_arguments() ? "yes" : "no");
  text += fmt::format("Hash:              {}\n", library.hash());
  text +=
      fmt::format("Extension points:  {}\n", fmt::join(identity.points, "\n                   "));
  return text + declared_text(declared);
}

// Loads the plugin, because loading checks that its descriptor agrees with its note, and begins an
// instance, which says what it declares. Returns the exit status.
int describe(const std::string& file, const FormatOption& format) {
  const auto library = host::Library::load(std::filesystem::absolute(file));
  const Declared declared = declared_by(library);
  format.print({.text = [&] { return description_text(*library, declared); },
                .json = [&] { return description_json(*library, declared); },
                .names = [&] { return std::vector{"plugin/" + library->identity().name}; }});
  return declared.unusable ? kFailed : kOk;
}

// The releases of kube-scheduler whose rules are here.
std::vector<std::string> releases() {
  std::vector<std::string> found;
  for (const KubeVersion version : kube_versions()) found.emplace_back(release_of(version));
  return found;
}

std::string version_json() {
  return json_text([](document::PrettyJsonWriter& json) {
    json.object([&] {
      json.member("version", BERTH_BUILD_VERSION);
      json.member("abi", host::host_abi());
      json.texts("kube_versions", releases());
      json.member("commit", BERTH_BUILD_COMMIT);
      json.member("compiler", BERTH_BUILD_COMPILER);
      json.member("allocator", allocator_name());
    });
  });
}

std::string version_text() {
  return fmt::format(
      "berth {}\n  rules of   kube-scheduler {}\n  ABI        {}\n  commit     {}\n  compiler   "
      "{}\n"
      "  allocator  {}\n",
      BERTH_BUILD_VERSION, joined(releases(), ", "), host::host_abi(), BERTH_BUILD_COMMIT,
      BERTH_BUILD_COMPILER, allocator_name());
}

}  // namespace

void add_plugin(CLI::App& app, int& status) {
  CLI::App* plugin = app.add_subcommand("plugin", "list, describe, check and begin plugins");
  plugin->require_subcommand(1);
  add_plugin_new(*plugin);

  CLI::App* list =
      plugin->add_subcommand("list", "list the plugins in the folders, without running their code");
  auto plugins = std::make_shared<startup::PluginOptions>();
  plugins->add_to(*list, /*loads=*/false);
  auto list_format =
      output::add_format(*list, {{OutputFormat::kText, "a table"},
                                 {OutputFormat::kWide, "with the files"},
                                 {OutputFormat::kJson, ""},
                                 {OutputFormat::kYaml, "all that is known without running code"},
                                 {OutputFormat::kName, "plugin/NAME"}});
  list->callback([=] {
    runtime::Plugins found = plugins->discover();
    const host::Discovery& discovery = found.discovery();
    list_format->print({.text = [&] { return list_text(discovery, false); },
                        .wide = [&] { return list_text(discovery, true); },
                        .json = [&] { return list_json(discovery); },
                        .names = [&] { return list_names(discovery); }});
  });

  CLI::App* one = plugin->add_subcommand(
      "describe",
      "load one plugin, begin an instance without arguments, and describe it; exit status 1 if no "
      "run could use it");
  auto file = std::make_shared<std::string>();
  one->add_option("FILE", *file, "the plugin's shared object")->required();
  auto one_format = output::add_format(*one, {{OutputFormat::kText, ""},
                                              {OutputFormat::kJson, ""},
                                              {OutputFormat::kYaml, "its description"},
                                              {OutputFormat::kName, "plugin/NAME"}});
  one->callback([=, &status] { status = describe(*file, *one_format); });
  add_plugin_check(*plugin, status);
  add_plugin_note(*plugin);
}

void add_version(CLI::App& app, int&) {
  CLI::App* command =
      app.add_subcommand("version", "version, ABI, commit, compiler and allocator of this program");
  auto format = output::add_format(*command, {{OutputFormat::kText, ""},
                                              {OutputFormat::kJson, ""},
                                              {OutputFormat::kYaml, "the same members"}});
  command->callback([=] { format->print({.text = version_text, .json = version_json}); });
}

}  // namespace berth::cli
