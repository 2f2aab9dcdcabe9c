// berth-loadgen: generates synthetic clusters and pods. The same seed and options give the same
// bytes on every machine.

#include <memory>

#include "engine/base/program/checks.h"
#include "engine/base/program/program.h"
#include "loadgen/commands.h"
#include "loadgen/play/play_command.h"
#include "loadgen/workload/fields/fields.h"
#include "loadgen/workload_list.h"

namespace berth::loadgen {
namespace {

// Adds an option that takes a time above 0, written as in workload files.
template <typename Set>
void add_time(CLI::App& command, const char* name, const char* description, Set set) {
  const auto take = [set](const std::string& text) {
    const std::optional<int64_t> time = parse_duration(text);
    if (!time || *time == 0) return false;
    set(Nanoseconds(*time));
    return true;
  };
  command
      .add_option_function<std::string>(
          name,
          [take, name](const std::string& text) {
            if (!take(text))
              throw CLI::ValidationError(
                  name, "expected a time such as 10s or 1m30s, found \"" + text + "\"");
          },
          description)
      ->option_text("TIME");
}

void add_pace(CLI::App& command, const std::shared_ptr<PlayCommand>& options) {
  CLI::Option* pace = command.add_flag("--pace", options->play.pace,
                                       "follow the wall clock: write a frame when its last pod is "
                                       "due, even if the reader is behind");
  command
      .add_option("--speed", options->play.speed, "with --pace: planned time per clock time (1)")
      ->check(check::number(1e-3, 1e9))
      ->needs(pace)
      ->option_text("X");
  add_time(command, "--duration", "end at this planned time; with --pace also at this clock time",
           [options](Nanoseconds time) { options->play.duration = time; });
}

void add_output(CLI::App& command, const std::shared_ptr<PlayCommand>& options) {
  CLI::Option* output =
      command
          .add_option("--output", options->output,
                      "*.json: a List as kubectl prints it; *.jsonl: watch events; other names: a "
                      "stream of frames; unix:PATH: connect to a socket; -: standard output "
                      "(default)")
          ->option_text("FILE");
  command
      .add_option("--listen", options->listen, "unix:PATH: create a socket and wait for one reader")
      ->excludes(output)
      ->option_text("SOCKET");
  command
      .add_option("--format", options->format,
                  "frames, jsonl or list; default: by the name of the output")
      ->check(check::one_of({"frames", "jsonl", "list"}))
      ->option_text("frames|jsonl|list");
  add_time(command, "--give-up", "end with an error if a write waits this long for its reader",
           [options](Nanoseconds time) { options->give_up = time; });
}

void add_play(CLI::App& app, int& status, const char* name, Part part, const char* description) {
  auto options = std::make_shared<PlayCommand>();
  options->play.part = part;
  CLI::App* command = app.add_subcommand(name, description);
  command->add_option("workload", options->workload, "a preset (see `list`) or a file")
      ->required()
      ->option_text("WORKLOAD");
  command
      ->add_option(
          "--workload", options->pattern,
          "for files with several workloads: the one whose name matches; * and ? are wildcards")
      ->option_text("PATTERN");
  command
      ->add_option("--set", options->settings,
                   "set a parameter of the workload, such as nodes=20000; can be repeated")
      ->option_text("NAME=VALUE");
  command->add_option("--seed", options->seed, "seed of the random draws (0)")
      ->check(check::whole_number(0, UINT64_MAX))
      ->option_text("N");
  add_output(*command, options);
  if (part != Part::kCluster) add_pace(*command, options);
  command->callback([options, &status] { status = run(*options); });
}

void add_commands(CLI::App& app, int& status) {
  add_play(app, status, "cluster", Part::kCluster,
           "write the cluster with which a workload begins");
  add_play(app, status, "pods", Part::kPods,
           "write the pods of a workload and the changes between them");
  add_play(app, status, "stream", Part::kAll, "write both in one stream");
  CLI::App* list = app.add_subcommand("list", "list the presets");
  const auto format = output::add_format(*list, list_choices());
  list->callback([format] { list_presets(*format); });
  app.add_subcommand("schema", "print the JSON schema of workload files")->callback([] {
    print_schema();
  });
  auto name = std::make_shared<std::string>();
  CLI::App* show = app.add_subcommand("show", "print the file of a preset, as a starting point");
  show->add_option("preset", *name)->required()->option_text("PRESET");
  show->callback([name] { show_preset(*name); });
  auto files = std::make_shared<std::vector<std::string>>();
  CLI::App* check = app.add_subcommand("check", "check workload files for faults");
  check->add_option("files", *files)->required()->option_text("FILE...");
  check->callback([files] { check_files(*files); });
}

}  // namespace
}  // namespace berth::loadgen

int main(int argc, char** argv) {
  CLI::App app("Generates synthetic clusters and pods for Berth.", "berth-loadgen");
  app.require_subcommand(1);
  int status = berth::kOk;
  berth::loadgen::add_commands(app, status);
  return berth::run_program(app, argc, argv, status);
}
