// berth plugin check.

#include "cli/commands/check_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <span>

#include "engine/base/error.h"
#include "engine/base/program/checks.h"
#include "engine/document/document.h"
#include "engine/output/format_option.h"
#include "engine/validator/report.h"

namespace berth::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::vector<std::string> checks;  // names; empty: all
  std::string arguments;            // a file; empty: none
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
  std::vector<validator::FileResults> files;
  for (const std::string& file : options.files)
    files.push_back(validator::run_checks(
        {.file = std::filesystem::absolute(file), .arguments = arguments, .seed = options.seed},
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
