// berth run: a cluster and a stream of pods in, bindings and a summary out.

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <map>

#include "engine/base/io.h"
#include "engine/cli/command.h"
#include "engine/cli/options.h"
#include "engine/cli/run.h"
#include "engine/output/summary.h"

namespace berth::cli {
namespace {

void print_summary(const output::Summary& summary, const RunOptions& options) {
  if (!options.summary.empty()) FileSink(options.summary).write(output::to_json(summary));
  if (options.summary == "-") return;
  // Bindings on stdout are data; then the page goes to stderr.
  std::FILE* page = options.bindings == "-" ? stderr : stdout;
  winsize size{};
  int width = ioctl(fileno(page), TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : 80;
  fmt::print(page, "{}", output::to_text(summary, width));
}

void add_options(CLI::App& command, RunOptions& options) {
  static const std::map<std::string, framework::TieBreak> kTies = {
      {"random", framework::TieBreak::kRandom}, {"name", framework::TieBreak::kName}};
  command
      .add_option("--cluster", options.cluster,
                  "the cluster: nodes, the pods on them, namespaces; JSON, YAML or a stream; - is "
                  "standard input")
      ->option_text("FILE...")
      ->required();
  command
      .add_option("--pods", options.pods,
                  "the pods to schedule: a stream, or JSON or YAML; - is standard input")
      ->option_text("FILE")
      ->required();
  command.add_option("--config", options.config, "a KubeSchedulerConfiguration (v1)")
      ->option_text("FILE");
  command.add_option("--seed", options.seed, "of everything that is drawn (0)")->option_text("N");
  command.add_option("--tie-break", options.tie_break, "among the best nodes: random, or by name")
      ->transform(CLI::CheckedTransformer(kTies, CLI::ignore_case).description(""))
      ->option_text("random|name");
  command
      .add_option("--percentage-of-nodes-to-score", options.percentage,
                  "in place of what the configuration says; 0 is the adaptive rule")
      ->check(CLI::Range(0, 100).description(""))
      ->option_text("N");
  command.add_option("--threads", options.threads, "most threads that evaluate nodes (1)")
      ->check(CLI::Range(1, 1024).description(""))
      ->option_text("N");
  command
      .add_option("--bindings", options.bindings,
                  "where bindings go: JSON lines for - and *.jsonl, else a stream")
      ->option_text("FILE");
  command.add_option("--summary", options.summary, "where the summary goes as JSON; - is stdout")
      ->option_text("FILE");
  command
      .add_option(
          "--plugin-timeout", options.plugin_timeout_seconds,
          "seconds after which a plugin's call that has not returned ends the run; one that "
          "took a third of it fails its pod (30)")
      ->check(CLI::Range(1, 86400).description(""))
      ->option_text("N");
  command.add_flag("--strict", options.strict, "stop at the first thing wrong in the input");
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("run",
                         "schedule pods onto a cluster; exit status 1 if input was rejected "
                         "or a plugin failed, 70 if one did not return");
  auto options = std::make_shared<RunOptions>();
  auto plugins = std::make_shared<PluginOptions>();
  auto evaluation = std::make_shared<EvaluationOption>();
  add_options(*command, *options);
  plugins->add_to(*command);
  evaluation->add_to(*command);
  command->callback([=, &status] {
    options->evaluation = evaluation->evaluation;
    cycle::Plugins found = plugins->discover();
    Run run(*options, found);
    run.load();
    run.schedule();
    output::Summary summary = run.summary();
    print_summary(summary, *options);
    bool clean = summary.errors_in_input == 0 && summary.pods_failed == 0;
    status = clean ? kOk : kFailed;
  });
}

}  // namespace berth::cli
