// berth convert: clusters, pods and streams from one format to another.

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <optional>

#include "cli/admission_plugins.h"
#include "cli/commands/command.h"
#include "cli/reports/remark_text.h"
#include "engine/base/io/former_files.h"
#include "engine/base/io/new_file.h"
#include "engine/base/io/overwrite.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/messages.h"
#include "engine/base/program/terminal.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"
#include "engine/ingest/conversion/convert.h"
#include "engine/ingest/objects/folder_files.h"
#include "engine/startup/rules_options.h"

namespace berth::cli {
namespace {

using ingest::Format;
using ingest::Part;

struct ConvertOptions {
  std::vector<std::string> inputs;
  std::string output = "-";
  std::string to;
  std::string part = "all";
  std::string admission = "on";
  AdmissionPlugins admission_plugins;
  std::string version;  // empty: the default
};

struct NamedFormat {
  std::string_view name;
  Format format;
};
constexpr NamedFormat kFormats[] = {{"json", Format::kJson},
                                    {"yaml", Format::kYaml},
                                    {"jsonl", Format::kLines},
                                    {"frames", Format::kFrames}};
// Other endings of files that mean a format.
constexpr NamedFormat kEndings[] = {{"yml", Format::kYaml}, {"ndjson", Format::kLines}};

Format format_of(const ConvertOptions& options) {
  std::string name = options.to;
  if (name.empty()) name = options.output.substr(options.output.rfind('.') + 1);
  for (const NamedFormat& known : kFormats)
    if (name == known.name) return known.format;
  for (const NamedFormat& known : kEndings)
    if (name == known.name) return known.format;
  throw Error(Place{.file = options.output, .field = {}},
              "its name does not tell the format: say --to json, yaml, jsonl or frames");
}

Part part_of(const std::string& name) {
  if (name == "cluster") return Part::kCluster;
  return name == "pods" ? Part::kPods : Part::kAll;
}

// Objects of files stay as they are, and so does what is not admitted. Throws Error for a version
// that would then have no effect.
KubeVersion version_of(const ConvertOptions& options, const ingest::Conversion& conversion) {
  if (options.version.empty()) return kDefaultKubeVersion;
  const bool validates = conversion.admission && (conversion.format == Format::kLines ||
                                                  conversion.format == Format::kFrames);
  if (!validates)
    throw Error(
        "--kube-version: has no effect: objects are validated where they are admitted, and "
        "written to jsonl or frames");
  return *kube_version_named(options.version);
}

void print(const ingest::Conversion& conversion) {
  say_faults(conversion.faults);
  for (const auto& [what, count] : conversion.dropped.counts())
    say(fmt::format("not in the output: {} ({})", printable(what), grouped(count)));
  print_remarks(conversion.remarks);
  for (const std::string& note : conversion.notes) say(printable(note));
}

// The exit status.
int convert(const ConvertOptions& options) {
  if (std::ranges::count(options.inputs, "-") > 1)
    throw Error("standard input: can be read once: name files for the others");
  ingest::Conversion conversion;
  conversion.format = format_of(options);
  conversion.part = part_of(options.part);
  std::vector<std::string> inputs = ingest::without_folders(options.inputs);
  inputs.push_back(options.admission_plugins.file());
  refuse_overwriting(options.output, inputs);
  if (conversion.format == Format::kFrames) refuse_on_terminal(options.output, "frames");
  const FormerFiles former(std::span(&options.output, 1));
  conversion.admission = options.admission == "on";
  conversion.admission_plugins = options.admission_plugins.read(conversion.admission);
  conversion.version = version_of(options, conversion);
  // A reader of the output that closes its pipe is an error, as a full disk is.
  std::signal(SIGPIPE, SIG_IGN);
  NewFile out(options.output);
  ingest::convert(options.inputs, out, conversion);
  out.finish();
  print(conversion);
  return conversion.faults.count() == 0 ? kOk : kFailed;
}

void add_options(CLI::App& command, ConvertOptions& options) {
  command
      .add_option(
          "FILE", options.inputs,
          "JSON, YAML, JSON lines or a stream of frames; of a folder its *.json, *.yaml and *.yml; "
          "- is standard input. Several files become one")
      ->option_text("FILE...")
      ->required();
  command
      .add_option("--output", options.output,
                  "the new file, none of the inputs; - is standard output (the default)")
      ->option_text("FILE");
  command
      .add_option("--to", options.to,
                  "json (a List), yaml, jsonl (events of a watch) or frames; without it, the "
                  "output's name tells")
      ->check(check::one_of({"json", "yaml", "jsonl", "frames"}))
      ->option_text("json|yaml|jsonl|frames");
  command
      .add_option("--part", options.part,
                  "all: the cluster and the pods in one (the default); cluster: what is meant for "
                  "run --cluster; pods: pods without a node and manifests, for run --pods")
      ->check(check::one_of({"all", "cluster", "pods"}))
      ->option_text("all|cluster|pods");
  command
      .add_option("--admission", options.admission,
                  "on: pods that are created here are admitted when they are written to jsonl or "
                  "frames, as berth run does it (the default); off: they are taken as they are")
      ->check(check::one_of({"on", "off"}))
      ->option_text("on|off");
  options.admission_plugins.add_to(command);
  startup::add_kube_version(command, options.version,
                            "the version of Kubernetes by whose rules objects that are created "
                            "here are validated");
}

}  // namespace

void add_convert(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "convert",
      "convert clusters and pods between JSON, YAML, JSON lines and frames; names what the new "
      "format does not hold; exit status 1 if objects were left out because of a fault");
  auto options = std::make_shared<ConvertOptions>();
  add_options(*command, *options);
  command->callback([=, &status] { status = convert(*options); });
}

}  // namespace berth::cli
