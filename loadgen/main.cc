// berth-loadgen: synthetic clusters and pods. The same seed and options give the same bytes on any
// machine.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>

#include "engine/base/error.h"
#include "engine/base/io.h"
#include "engine/base/whole_number.h"
#include "loadgen/play.h"
#include "loadgen/preset_texts.h"
#include "loadgen/workload.h"

namespace berth::loadgen {
namespace {

struct PlayOptions {
  Part part = Part::kAll;
  std::string workload;
  std::string pattern;
  std::vector<std::string> settings;
  uint64_t seed = 0;
  std::string output = "-";
};

void print_faults(const Diagnostics& diagnostics) {
  for (const Error& error : diagnostics.kept())
    fmt::print(stderr, "berth-loadgen: {}\n", error.what());
  if (diagnostics.count() > diagnostics.kept().size())
    fmt::print(stderr, "berth-loadgen: and {} more\n",
               diagnostics.count() - diagnostics.kept().size());
}

// The one that is meant. Throws Error if there is none, or more than one.
Workload choose(const std::string& name, const std::string& pattern) {
  Diagnostics diagnostics;
  std::vector<Workload> found = find_workloads(name, diagnostics);
  print_faults(diagnostics);
  if (found.empty()) throw Error(Place{.file = name, .field = {}}, "there is no workload to play");
  if (!pattern.empty())
    std::erase_if(found, [&](const Workload& w) { return w.name.find(pattern) == w.name.npos; });
  if (found.size() == 1) return std::move(found.front());
  if (found.empty())
    throw Error(Place{.file = name, .field = {}},
                fmt::format("has no workload with \"{}\" in its name", pattern));
  std::string names;
  for (const Workload& workload : found) names += "\n  " + workload.name;
  throw Error(Place{.file = name, .field = {}},
              "holds several such workloads; choose one with --workload:" + names);
}

std::map<std::string, std::string> parse_settings(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> settings;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(fmt::format("--set: expected NAME=VALUE, found \"{}\"", text));
    if (!settings.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
      throw Error(fmt::format("--set: \"{}\" is set twice", text.substr(0, equals)));
  }
  return settings;
}

void report(const PlayOptions& options, const std::string& note, const OutputCounts& counts) {
  std::string what;
  const auto add = [&](uint64_t count, const char* name) {
    if (count != 0) what += fmt::format("{}{} {}", what.empty() ? "" : ", ", count, name);
  };
  add(counts.nodes, "nodes");
  add(counts.namespaces, "namespaces");
  add(counts.pod_sets, "objects with selectors");
  add(counts.placed, "pods that run already");
  add(counts.pods, "pods");
  add(counts.events, "events");
  fmt::print(stderr, "{}\nwrote {} to {}\n", note, what.empty() ? "nothing" : what,
             options.output == "-" ? "standard output" : options.output);
  if (counts.drained != 0)
    fmt::print(stderr, "{} drains of nodes are in it without the evictions of their pods\n",
               counts.drained);
}

void run(const PlayOptions& options) {
  const Workload workload = choose(options.workload, options.pattern);
  const std::unique_ptr<Load> load =
      workload.open({.seed = options.seed, .parameters = parse_settings(options.settings)});
  FileSink sink(options.output);
  const std::unique_ptr<LoadOutput> output =
      options.output.ends_with(".json") ? list_output(sink) : frame_output(sink);
  play(*load, options.part, *output);
  report(options, load->note(), output->counts());
}

void list() {
  for (const Workload& workload : presets()) {
    std::string parameters;
    for (const auto& [name, value] : workload.parameters)
      parameters += fmt::format("{}{}={}", parameters.empty() ? "" : " ", name, value);
    fmt::print("{:<10} {} ({})\n", workload.name, workload.description, parameters);
  }
}

void show(const std::string& name) {
  for (const PresetText& preset : preset_texts())
    if (preset.name == name) return fmt::print("{}", preset.text);
  throw Error(fmt::format("there is no preset \"{}\"; see berth-loadgen list", name));
}

void check(const std::vector<std::string>& files) {
  uint64_t faults = 0;
  for (const std::string& file : files) {
    Diagnostics diagnostics;
    const std::vector<Workload> found = find_workloads(file, diagnostics);
    print_faults(diagnostics);
    faults += diagnostics.count();
    for (const Workload& workload : found) fmt::print("{}: {} is right\n", file, workload.name);
  }
  if (faults != 0) throw Error(fmt::format("{} faults were found", faults));
}

void add_play(CLI::App& app, const char* name, Part part, const char* description) {
  auto options = std::make_shared<PlayOptions>();
  options->part = part;
  CLI::App* command = app.add_subcommand(name, description);
  command->add_option("workload", options->workload, "a preset (see `list`) or a file")
      ->required()
      ->option_text("WORKLOAD");
  command
      ->add_option("--workload", options->pattern,
                   "of a file that holds several: the one with this in its name")
      ->option_text("TEXT");
  command
      ->add_option("--set", options->settings,
                   "a parameter of the workload, such as nodes=20000; several times")
      ->option_text("NAME=VALUE");
  const auto number = [](std::string& text) { return whole_number_problem(text, 0, UINT64_MAX); };
  command->add_option("--seed", options->seed, "what is drawn depends on it (0)")
      ->check(CLI::Validator(number, ""))
      ->option_text("N");
  command
      ->add_option("--output", options->output,
                   "*.json: as kubectl prints a list; else a stream; - is standard output (the "
                   "default)")
      ->option_text("FILE");
  command->callback([options] { run(*options); });
}

void add_commands(CLI::App& app) {
  add_play(app, "cluster", Part::kCluster, "what is there when a workload begins");
  add_play(app, "pods", Part::kPods, "the pods of a workload, and what happens between them");
  add_play(app, "stream", Part::kAll, "both in one stream");
  app.add_subcommand("list", "the presets")->callback([] { list(); });
  auto name = std::make_shared<std::string>();
  CLI::App* show_command = app.add_subcommand("show", "the file of a preset, to start from");
  show_command->add_option("preset", *name)->required()->option_text("PRESET");
  show_command->callback([name] { show(*name); });
  auto files = std::make_shared<std::vector<std::string>>();
  CLI::App* check_command = app.add_subcommand("check", "looks for faults in workload files");
  check_command->add_option("files", *files)->required()->option_text("FILE...");
  check_command->callback([files] { check(*files); });
}

}  // namespace
}  // namespace berth::loadgen

int main(int argc, char** argv) {
  CLI::App app("Makes synthetic clusters and pods for Berth.", "berth-loadgen");
  app.require_subcommand(1);
  berth::loadgen::add_commands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "berth-loadgen: %s\n", error.what());
    return 1;
  }
  return 0;
}
