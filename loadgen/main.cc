// berth-loadgen: synthetic clusters and pods. The same seed and options give the same bytes on any
// machine.

#include <memory>

#include "engine/base/program/program.h"
#include "engine/base/text/typed_number.h"
#include "loadgen/commands.h"
#include "loadgen/play/play_command.h"
#include "loadgen/workload/fields.h"

namespace berth::loadgen {
namespace {

// A time as workload files have it, above 0.
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
  CLI::Option* pace = command.add_flag(
      "--pace", options->play.pace,
      "on the wall clock: frames leave when their pods are due, however far the reader is");
  command
      .add_option("--speed", options->play.speed, "how fast planned time passes with --pace (1)")
      ->check(CLI::Validator([](std::string& text) { return number_problem(text, 1e-3, 1e9); }, ""))
      ->needs(pace)
      ->option_text("X");
  add_time(command, "--duration", "stop there, in planned time and, with --pace, on the clock",
           [options](Nanoseconds time) { options->play.duration = time; });
}

void add_output(CLI::App& command, const std::shared_ptr<PlayCommand>& options) {
  CLI::Option* output =
      command
          .add_option("--output", options->output,
                      "*.json: as kubectl prints a list; *.jsonl: the events of a watch; else a "
                      "stream; unix:PATH is a socket to connect to; - is standard output (the "
                      "default)")
          ->option_text("FILE");
  command
      .add_option("--listen", options->listen,
                  "unix:PATH: make a socket there and wait for one reader")
      ->excludes(output)
      ->option_text("SOCKET");
  command
      .add_option("--format", options->format,
                  "frames, jsonl or list, in place of what the output's name says")
      ->check(CLI::IsMember({"frames", "jsonl", "list"}))
      ->option_text("FORMAT");
  add_time(command, "--give-up", "end with an error when a write waits so long for its reader",
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
      ->add_option("--workload", options->pattern,
                   "of a file that holds several: the one whose name fits, with * and ?")
      ->option_text("PATTERN");
  command
      ->add_option("--set", options->settings,
                   "a parameter of the workload, such as nodes=20000; several times")
      ->option_text("NAME=VALUE");
  const auto number = [](std::string& text) { return whole_number_problem(text, 0, UINT64_MAX); };
  command->add_option("--seed", options->seed, "what is drawn depends on it (0)")
      ->check(CLI::Validator(number, ""))
      ->option_text("N");
  add_output(*command, options);
  if (part != Part::kCluster) add_pace(*command, options);
  command->callback([options, &status] { status = run(*options); });
}

void add_commands(CLI::App& app, int& status) {
  add_play(app, status, "cluster", Part::kCluster, "what is there when a workload begins");
  add_play(app, status, "pods", Part::kPods,
           "the pods of a workload, and what happens between them");
  add_play(app, status, "stream", Part::kAll, "both in one stream");
  app.add_subcommand("list", "the presets")->callback([] { list_presets(); });
  app.add_subcommand("schema", "the JSON schema of workload files")->callback([] {
    print_schema();
  });
  auto name = std::make_shared<std::string>();
  CLI::App* show = app.add_subcommand("show", "the file of a preset, to start from");
  show->add_option("preset", *name)->required()->option_text("PRESET");
  show->callback([name] { show_preset(*name); });
  auto files = std::make_shared<std::vector<std::string>>();
  CLI::App* check = app.add_subcommand("check", "looks for faults in workload files");
  check->add_option("files", *files)->required()->option_text("FILE...");
  check->callback([files] { check_files(*files); });
}

}  // namespace
}  // namespace berth::loadgen

int main(int argc, char** argv) {
  CLI::App app("Makes synthetic clusters and pods for Berth.", "berth-loadgen");
  app.require_subcommand(1);
  int status = berth::kOk;
  berth::loadgen::add_commands(app, status);
  return berth::run_program(app, argc, argv, status);
}
