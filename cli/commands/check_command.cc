// berth plugin check.

#include "cli/commands/check_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "engine/base/error.h"
#include "engine/base/program/checks.h"
#include "engine/config/isolation/plugin_isolation.h"
#include "engine/document/document.h"
#include "engine/host/loading/sealed_file.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/workloads/creation.h"
#include "engine/output/format_option.h"
#include "engine/startup/isolation.h"
#include "engine/startup/plugin_folders.h"
#include "engine/validator/report.h"
#include "engine/validator/world/given.h"

namespace berth::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::vector<std::string> checks;         // names; empty: all
  std::string arguments;                   // a file; empty: none
  std::vector<std::string> cluster, pods;  // files
  bool isolate = false;
  uint64_t seed = 1;
  uint64_t timeout_seconds = 10;
  std::shared_ptr<const output::FormatOption> format;
};

std::vector<std::string> check_names() {
  std::vector<std::string> names;
  for (const validator::Check& check : validator::all_checks()) names.emplace_back(check.name);
  return names;
}

// The document with the arguments; without roots if no file is named.
document::Document read_arguments(const std::string& file) {
  if (file.empty()) return {};
  Diagnostics diagnostics;
  document::Document read = document::Document::read(file, diagnostics);
  if (diagnostics.count() != 0) throw diagnostics.kept().front();
  if (read.roots().size() != 1)
    throw Error(Place{.file = file, .field = {}},
                fmt::format("expected one document with the arguments of the plugin, found {}",
                            read.roots().size()));
  return read;
}

// Throws the first fault: without the faulty part, the checks would be about other objects.
void refuse_faults(const Diagnostics& diagnostics) {
  if (diagnostics.count() != 0) throw diagnostics.kept().front();
}

void add_objects(ingest::Objects objects, validator::GivenObjects& given) {
  for (model::Change& change : objects.others) given.others.push_back(std::move(change.object));
  for (model::Pod& pod : objects.pods) given.pods.push_back(std::move(pod));
}

// The objects of --cluster as they are, and of --pods the pods that controllers make of them.
validator::GivenObjects read_objects(const CheckOptions& options) {
  validator::GivenObjects given;
  for (const std::string& file : options.cluster) {
    Diagnostics diagnostics;
    ingest::ObjectReader reader(diagnostics);
    reader.read(file);
    refuse_faults(diagnostics);
    add_objects(reader.take(), given);
  }
  ingest::Creation creation([] { return std::vector<model::Node>(); }, true);
  for (const std::string& file : options.pods) {
    Diagnostics diagnostics;
    ingest::ObjectReader reader(diagnostics, ingest::Defaults::kApiServer,
                                ingest::Workloads::kManifests);
    reader.read(file);
    ingest::Objects objects = reader.take();
    creation.create(objects, file, diagnostics);
    refuse_faults(diagnostics);
    add_objects(std::move(objects), given);
  }
  return given;
}

// The way in which all plugins run in processes of their own. A call that does not return fails
// before its check does.
validator::Apart apart_of(const CheckOptions& options) {
  config::PluginIsolation all;
  config::IsolatedPlugin& every = all.plugins.emplace_back();
  every.name = config::kAllPlugins;
  every.deadline =
      std::min(every.deadline, std::chrono::milliseconds(options.timeout_seconds * 500));
  return {.load =
              [load = startup::isolated_loader(
                   std::move(all), startup::places_of_process().prefix, host::LoadFrom::kSealedCopy,
                   startup::CallClock::kStandsStill)](const std::filesystem::path& file) {
                return load(file.string(), host::SealedFile(file));
              },
          .failure = startup::isolation_failure};
}

// A file that is not a plugin has no name.
std::vector<std::string> plugin_names(std::span<const validator::FileResults> files) {
  std::vector<std::string> names;
  for (const validator::FileResults& file : files)
    if (!file.plugin.empty()) names.push_back("plugin/" + file.plugin);
  return names;
}

int check_plugins(const CheckOptions& options) {
  const document::Document document = read_arguments(options.arguments);
  host::Arguments arguments{.value = {}, .place = {.file = options.arguments, .field = {}}};
  if (!document.roots().empty()) arguments.value = document.roots()[0];
  validator::RunOptions run;
  run.limit = std::chrono::seconds(options.timeout_seconds);
  for (const std::string& name : options.checks) run.checks.push_back(validator::find_check(name));
  const validator::GivenObjects given = read_objects(options);
  std::optional<validator::Apart> apart;
  if (options.isolate) apart = apart_of(options);
  std::vector<validator::FileResults> files;
  for (const std::string& file : options.files)
    files.push_back(validator::run_checks({.file = std::filesystem::absolute(file),
                                           .arguments = arguments,
                                           .seed = options.seed,
                                           .given = &given,
                                           .apart = apart ? &*apart : nullptr},
                                          run));
  options.format->print({.text = [&] { return validator::report_text(files); },
                         .wide = [&] { return validator::report_text(files, true); },
                         .json = [&] { return validator::report_json(files); },
                         .names = [&] { return plugin_names(files); }});
  const bool failed = std::ranges::any_of(files, [](const validator::FileResults& file) {
    return file.count(validator::Status::kFailed) != 0;
  });
  return failed ? kFailed : kOk;
}

}  // namespace

void add_plugin_check(CLI::App& plugin, int& status) {
  CLI::App* command = plugin.add_subcommand(
      "check",
      "check plugins against the contract of the ABI, each check in a process of its own; exit "
      "status 1 if one fails. Runs the code of the plugins");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("FILE", options->files, "the shared objects of plugins")
      ->option_text("FILE...")
      ->required();
  command
      ->add_option("--check", options->checks,
                   "run these checks and those that they need, not all; can be repeated")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(check::one_of(check_names()))
      ->option_text("NAME[,NAME...]");
  command
      ->add_option("--arguments", options->arguments,
                   "YAML or JSON with the arguments of the plugins (pluginConfig[].args)")
      ->option_text("FILE");
  command
      ->add_option(
          "--cluster", options->cluster,
          "JSON or YAML with objects of a cluster, which the checks put beside the made-up "
          "ones; can be repeated")
      ->allow_extra_args(false)
      ->option_text("FILE");
  command
      ->add_option("--pods", options->pods,
                   "pods, or workloads, that the checks ask about besides the made-up ones; can be "
                   "repeated")
      ->allow_extra_args(false)
      ->option_text("FILE");
  command->add_flag("--isolate", options->isolate,
                    "run the plugins in processes of their own; checks of the process and its "
                    "memory are skipped");
  command->add_option("--seed", options->seed, "of the made-up cluster and of garbage (1)")
      ->check(check::whole_number(0, UINT64_MAX))
      ->option_text("N");
  command
      ->add_option("--timeout", options->timeout_seconds,
                   "seconds after which a check has failed (10)")
      ->check(check::whole_number(1, 86'400))
      ->option_text("SECONDS");
  options->format =
      output::add_format(*command, {{output::OutputFormat::kText, "a line for each check"},
                                    {output::OutputFormat::kWide, "with what it requires"},
                                    {output::OutputFormat::kJson, ""},
                                    {output::OutputFormat::kYaml, "all results"},
                                    {output::OutputFormat::kName, "plugin/NAME"}});
  command->callback([=, &status] { status = check_plugins(*options); });
}

}  // namespace berth::cli
