// berth-bench list: lists workloads.

#include <memory>

#include "bench/macro/commands.h"
#include "bench/macro/run/selection.h"
#include "engine/output/format_option.h"
#include "loadgen/workload_list.h"

namespace berth::bench {
namespace {

struct ListOptions {
  std::vector<std::string> names;
  std::string pattern;
};

std::vector<loadgen::Workload> listed(const ListOptions& options) {
  if (!options.names.empty()) return select_workloads(options.names, options.pattern);
  std::vector<std::string> all;
  for (const loadgen::Workload& workload : loadgen::presets()) all.push_back(workload.name);
  return select_workloads(all, options.pattern);
}

}  // namespace

void add_list(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("list", "list the presets, or the workloads of files");
  auto options = std::make_shared<ListOptions>();
  command
      ->add_option("NAME", options->names,
                   "presets, workload files, kube-scheduler's benchmark definitions, traces, dumps")
      ->option_text("[NAME|FILE]...");
  command
      ->add_option("--workload", options->pattern,
                   "only workloads whose names match; * and ? are wildcards")
      ->option_text("PATTERN");
  const auto format = output::add_format(*command, loadgen::list_choices());
  command->callback([options, format] {
    const std::vector<loadgen::Workload> workloads = listed(*options);
    format->print(loadgen::list_forms(workloads));
  });
}

}  // namespace berth::bench
