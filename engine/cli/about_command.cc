// berth plugin list|describe|check, berth version.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "berth/build_info.h"
#include "engine/base/program/allocator_name.h"
#include "engine/base/text/printable.h"
#include "engine/cli/check_command.h"
#include "engine/cli/command.h"
#include "engine/cli/format_option.h"
#include "engine/document/json/json_writer.h"
#include "engine/host/loading/library.h"
#include "engine/startup/plugin_options.h"

namespace berth::cli {
namespace {

void list_text(const host::Discovery& discovery) {
  size_t name = 4, id = 2;
  for (const host::Found& plugin : discovery.plugins) {
    name = std::max(name, printable(plugin.identity.name).size());
    id = std::max(id, printable(plugin.identity.id).size());
  }
  fmt::print("{:<{}}  {:<{}}  ABI  EXTENSION POINTS\n", "NAME", name, "ID", id);
  for (const host::Found& plugin : discovery.plugins)
    fmt::print("{:<{}}  {:<{}}  {}.{}  {}\n", printable(plugin.identity.name), name,
               printable(plugin.identity.id), id, plugin.identity.abi_major,
               plugin.identity.abi_minor_needed, fmt::join(plugin.identity.points, " "));
}

void write_identity(document::PrettyJsonWriter& json, const host::Identity& identity) {
  json.member("name", identity.name);
  json.member("id", identity.id);
  json.member("abi_major", uint64_t{identity.abi_major});
  json.member("abi_minor_needed", uint64_t{identity.abi_minor_needed});
  json.member("abi_minor_built", uint64_t{identity.abi_minor_built});
  json.texts("extension_points", identity.points);
}

void list_json(const host::Discovery& discovery) {
  rapidjson::StringBuffer buffer;
  document::PrettyJsonWriter json(buffer);
  json.StartArray();
  for (const host::Found& plugin : discovery.plugins) {
    json.StartObject();
    write_identity(json, plugin.identity);
    json.EndObject();
  }
  json.EndArray();
  std::puts(buffer.GetString());
}

// Loads the plugin, because loading checks that its descriptor agrees with its note.
void describe(const std::string& file, bool as_json) {
  auto library = host::Library::load(std::filesystem::absolute(file));
  const host::Identity& identity = library->identity();
  if (as_json) {
    rapidjson::StringBuffer buffer;
    document::PrettyJsonWriter json(buffer);
    json.StartObject();
    write_identity(json, identity);
    json.member("version", library->version());
    json.member("takes_arguments", library->takes_arguments());
    json.member("hash", library->hash());
    json.EndObject();
    std::puts(buffer.GetString());
    return;
  }
  fmt::print("Name:              {}\n", printable(identity.name));
  fmt::print("Id:                {}\n", printable(identity.id));
  fmt::print("Version:           {}\n", printable(library->version()));
  fmt::print("ABI:               {}.{}, needs {}.{}\n", identity.abi_major,
             identity.abi_minor_built, identity.abi_major, identity.abi_minor_needed);
  fmt::print("Takes arguments:   {}\n", library->takes_arguments() ? "yes" : "no");
  fmt::print("Hash:              {}\n", library->hash());
  fmt::print("Extension points:  {}\n", fmt::join(identity.points, "\n                   "));
}

void version(bool as_json) {
  if (as_json) {
    rapidjson::StringBuffer buffer;
    document::PrettyJsonWriter json(buffer);
    json.StartObject();
    json.member("version", BERTH_BUILD_VERSION);
    json.member("abi", host::host_abi());
    json.member("commit", BERTH_BUILD_COMMIT);
    json.member("compiler", BERTH_BUILD_COMPILER);
    json.member("allocator", allocator_name());
    json.EndObject();
    std::puts(buffer.GetString());
    return;
  }
  fmt::print("berth {}\n", BERTH_BUILD_VERSION);
  fmt::print("  ABI        {}\n", host::host_abi());
  fmt::print("  commit     {}\n", BERTH_BUILD_COMMIT);
  fmt::print("  compiler   {}\n", BERTH_BUILD_COMPILER);
  fmt::print("  allocator  {}\n", allocator_name());
}

}  // namespace

void add_plugin(CLI::App& app, int& status) {
  CLI::App* plugin = app.add_subcommand("plugin", "list, describe, check and begin plugins");
  plugin->require_subcommand(1);
  add_plugin_new(*plugin);

  CLI::App* list =
      plugin->add_subcommand("list", "list the plugins in the folders, without running their code");
  auto plugins = std::make_shared<startup::PluginOptions>();
  plugins->add_to(*list);
  auto list_format = add_format(*list);
  list->callback([=] {
    runtime::Plugins found = plugins->discover();
    *list_format == "json" ? list_json(found.discovery()) : list_text(found.discovery());
  });

  CLI::App* one = plugin->add_subcommand("describe", "load one plugin and describe it");
  auto file = std::make_shared<std::string>();
  one->add_option("FILE", *file, "the plugin's shared object")->required();
  auto one_format = add_format(*one);
  one->callback([=] { describe(*file, *one_format == "json"); });
  add_plugin_check(*plugin, status);
}

void add_version(CLI::App& app, int&) {
  CLI::App* command =
      app.add_subcommand("version", "version, ABI, commit, compiler and allocator of this program");
  auto format = add_format(*command);
  command->callback([=] { version(*format == "json"); });
}

}  // namespace berth::cli
