// berth-bench list: lists workloads.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "bench/macro/commands.h"
#include "bench/macro/run/selection.h"
#include "engine/base/error.h"
#include "engine/base/program/checks.h"
#include "engine/base/text/printable.h"
#include "engine/document/json/json_writer.h"

namespace berth::bench {
namespace {

struct ListOptions {
  std::vector<std::string> names;
  std::string pattern;
  std::string output = "text";
};

std::vector<loadgen::Workload> listed(const ListOptions& options) {
  if (!options.names.empty()) return select_workloads(options.names, options.pattern);
  std::vector<std::string> all;
  for (const loadgen::Workload& workload : loadgen::presets()) all.push_back(workload.name);
  return select_workloads(all, options.pattern);
}

void print_text(const std::vector<loadgen::Workload>& workloads) {
  size_t width = 8;
  for (const loadgen::Workload& workload : workloads)
    width = std::max(width, printable(workload.name).size());
  for (const loadgen::Workload& workload : workloads) {
    std::string about = workload.description;
    const auto add = [&](const std::string& words) {
      about += (about.empty() ? "" : "; ") + words;
    };
    if (workload.threshold)
      add(fmt::format("kube-scheduler's CI fails under {:.0f} pods/s", *workload.threshold));
    if (!workload.labels.empty()) add(fmt::format("{}", fmt::join(workload.labels, ", ")));
    if (!workload.missing.empty())
      add(fmt::format("cannot run: needs {}", fmt::join(workload.missing, ", ")));
    fmt::print("{:<{}}  {}\n", printable(workload.name), width, printable(about));
  }
}

void print_json(const std::vector<loadgen::Workload>& workloads) {
  rapidjson::StringBuffer buffer;
  document::PrettyJsonWriter json(buffer);
  json.StartArray();
  for (const loadgen::Workload& workload : workloads) {
    json.StartObject();
    json.member("workload", workload.name);
    json.member("source", workload.source);
    json.member("description", workload.description);
    json.key("parameters");
    json.StartObject();
    for (const auto& [name, value] : workload.parameters) json.member(name, value);
    json.EndObject();
    json.texts("labels", workload.labels);
    if (workload.threshold) json.member("threshold_decisions_per_second", *workload.threshold);
    json.texts("missing", workload.missing);
    json.EndObject();
  }
  json.EndArray();
  std::puts(buffer.GetString());
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
  command->add_option("-o,--output", options->output, "text (the default) or json")
      ->check(check::one_of({"text", "json"}))
      ->option_text("FORMAT");
  command->callback([options] {
    const std::vector<loadgen::Workload> workloads = listed(*options);
    options->output == "json" ? print_json(workloads) : print_text(workloads);
  });
}

}  // namespace berth::bench
