#include "engine/cli/options.h"

#include <cstdio>
#include <map>

#include "engine/cli/session.h"

namespace berth::cli {

void PluginOptions::add_to(CLI::App& command) {
  command
      .add_option("--plugins", folders,
                  "folders with plugins, in place of the one that comes with berth")
      ->option_text("DIR...");
}

cycle::Plugins PluginOptions::discover() const {
  host::Discovery discovery = host::discover(plugin_folders(folders));
  for (const host::Problem& problem : discovery.problems)
    std::fprintf(stderr, "berth: %s\n", problem.error.what());
  return cycle::Plugins(std::move(discovery));
}

void EvaluationOption::add_to(CLI::App& command) {
  static const std::map<std::string, framework::Evaluation> kNames = {
      {"reference", framework::Evaluation::kReference}, {"full", framework::Evaluation::kFull}};
  command
      .add_option("--evaluation", evaluation,
                  "reference: row by row; full: in batches (the default)")
      ->transform(CLI::CheckedTransformer(kNames, CLI::ignore_case).description(""))
      ->option_text("reference|full");
}

}  // namespace berth::cli
