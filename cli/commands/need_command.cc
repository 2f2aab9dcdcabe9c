// berth need: the cheapest nodes with which the pods that wait get one.

#include <tbb/global_control.h>

#include <algorithm>
#include <memory>

#include "cli/commands/command.h"
#include "cli/commands/input_options.h"
#include "cli/commands/played_options.h"
#include "cli/commands/question_options.h"
#include "cli/diff/spooled.h"
#include "cli/need/need.h"
#include "engine/base/program/checks.h"
#include "engine/output/format_option.h"

namespace berth::cli {
namespace {

using output::OutputFormat;

struct NeedCommand {
  NeedOptions need;
  QuestionOptions question;
  std::shared_ptr<const output::FormatOption> format;
};

void add_need_options(CLI::App& command, NeedCommand& options) {
  command
      .add_option(
          "--node-template", options.need.templates,
          "nodes that may be added: a NodeTemplate (berth/v1), which is a Node with a price "
          "and a most number, or a Node, of which copies are taken; JSON or YAML files, "
          "folders with such")
      ->required()
      ->option_text("FILE...");
  command
      .add_option("--effort", options.need.limits.work,
                  "work, in decisions and nodes that are read, after which nodes that do are not "
                  "improved any more (800000)")
      ->check(check::whole_number(0, UINT64_MAX))
      ->option_text("N");
}

NeedAnswer ask_need(NeedCommand& options) {
  Prepared prepared = options.question.prepare(options.need.run);
  const SpooledInputs spooled(options.need.run);
  const MessageScope scope(spooled.names());
  try {
    return need(options.need, prepared.configuration, prepared.plugins);
  } catch (const Error& error) {
    throw Error(scope.of_user(error.what()));
  }
}

int run_need(NeedCommand& options) {
  check_inputs(options.need.run, "berth need");
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(options.need.run.threads));
  return show_answer(*options.format, ask_need(options));
}

}  // namespace

void add_need(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("need",
                                         "the cheapest nodes with which all pods that wait get "
                                         "one. Exit status 0 if all do, 3 if not, "
                                         "1 on faults, 130 if interrupted");
  auto options = std::make_shared<NeedCommand>();
  add_input_options(*command, options->need.run);
  add_need_options(*command, *options);
  options->question.add_to(*command, options->need.run);
  add_played_options(*command, options->need.run);
  options->format = output::add_format(
      *command, {{OutputFormat::kText, "nodes by template, and pods that no node helps"},
                 {OutputFormat::kWide, "with the names of nodes, all messages, and resources"},
                 {OutputFormat::kJson, ""},
                 {OutputFormat::kYaml, "everything"}});
  command->callback([=, &status] {
    status = run_need(*options);
    end_at_once(status);
  });
}

}  // namespace berth::cli
