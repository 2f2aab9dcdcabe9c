#include "engine/cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "engine/base/text/printable.h"
#include "engine/base/text/typed_number.h"

namespace berth::cli {

namespace {

std::vector<std::string> plugin_folder_names(const std::vector<std::string>& named) {
  std::vector<std::string> names;
  for (const std::filesystem::path& folder : runtime::plugin_folders(named))
    names.push_back(folder);
  return names;
}

}  // namespace

void name_once(const char* what, const std::vector<std::string>& names) {
  if (names.empty()) return;
  fmt::print(stderr, "berth: {}: {}\n", what, printable(fmt::format("{}", fmt::join(names, ", "))));
}

void name_missing(const std::vector<std::string>& default_plugins) {
  name_once("default plugins that are not built and were left out", default_plugins);
}

void name_what_is_not_done(const config::Configuration& configuration,
                           const runtime::Assembly& assembly) {
  name_once("accepted and without effect here", configuration.without_effect);
  name_once("arguments of plugins that take none", assembly.without_effect);
  name_missing(assembly.missing);
  name_once("extension points of enabled plugins that are not called yet", assembly.not_called);
}

void PluginOptions::add_to(CLI::App& command) {
  command
      .add_option("--plugins", folders,
                  "folders with plugins; replaces the folder that comes with berth")
      ->option_text("DIR...");
}

runtime::Plugins PluginOptions::discover() const {
  host::Discovery discovery = host::discover(runtime::plugin_folders(folders));
  for (const host::Problem& problem : discovery.problems)
    std::fprintf(stderr, "berth: %s\n", problem.error.what());
  if (discovery.plugins.empty())
    throw Error(fmt::format("no plugins (*.so) that can be used in {}{}",
                            fmt::join(plugin_folder_names(folders), ", "),
                            folders.empty() ? ""
                                            : "; --plugins replaces the folder that comes with "
                                              "berth: name that one too"));
  return runtime::Plugins(std::move(discovery));
}

void EvaluationOption::add_to(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--evaluation",
          [this](const std::string& name) {
            evaluation = name == "reference" ? framework::Evaluation::kReference
                         : name == "full"    ? framework::Evaluation::kFull
                                             : framework::Evaluation::kIncremental;
          },
          "reference: node by node; full: in batches; incremental: in batches, only for nodes "
          "whose inputs changed (the default)")
      ->check(one_of({"reference", "full", "incremental"}))
      ->option_text("reference|full|incremental");
}

CLI::Validator whole_number(uint64_t low, uint64_t high) {
  return CLI::Validator([=](std::string& text) { return whole_number_problem(text, low, high); },
                        "");
}

CLI::Validator number(double low, double high) {
  return CLI::Validator([=](std::string& text) { return number_problem(text, low, high); }, "");
}

CLI::Validator one_of(std::vector<std::string> words) {
  return CLI::Validator(
      [words = std::move(words)](std::string& text) {
        if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
        return fmt::format("expected {}, found \"{}\"", fmt::join(words, " or "), text);
      },
      "");
}

}  // namespace berth::cli
