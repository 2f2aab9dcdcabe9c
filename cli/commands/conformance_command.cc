// berth evaluate, berth conformance.

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <memory>
#include <string>

#include "cli/commands/command.h"
#include "cli/reports/conformance_report.h"
#include "engine/base/error.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/messages.h"
#include "engine/config/config.h"
#include "engine/conformance/case_answer.h"
#include "engine/conformance/case_check.h"
#include "engine/output/format_option.h"
#include "engine/startup/evaluation_option.h"
#include "engine/startup/plugin_options.h"

namespace berth::cli {
namespace {

using output::OutputFormat;

// --evaluation and --threads.
struct MethodOptions {
  startup::EvaluationOption evaluation;
  int threads = 1;

  void add_to(CLI::App& command) {
    evaluation.add_to(command);
    command
        .add_option("--threads", threads,
                    "number of threads that evaluate nodes, from 64 nodes on, and try preemption "
                    "(1)")
        ->check(check::whole_number(1, 1024))
        ->option_text("N");
  }
};

// The threads exist as long as this.
class Method {
 public:
  Method(const MethodOptions& options, const startup::PluginOptions& plugins)
      : limit_(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(options.threads)),
        workers_(options.threads),
        method_{options.evaluation.evaluation, &workers_, plugins.deadlines()} {}

  operator const conformance::Method&() const { return method_; }

 private:
  tbb::global_control limit_;  // also allows more threads than there are cores
  framework::Workers workers_;
  conformance::Method method_;
};

// The folders of plugins, and the way in which plugins run. The configuration is that of each case,
// so that a file says at most which plugins are isolated.
struct CasePlugins {
  startup::PluginOptions options;
  std::string isolation;  // a file; empty: none

  void add_to(CLI::App& command) {
    options.add_to(command);
    command
        .add_option("--isolation", isolation,
                    "plugins run in processes of their own as the PluginIsolation (berth/v1) of "
                    "this file says, which may stand beside a configuration; that is not read, "
                    "because each case has its own. - is standard input")
        ->option_text("FILE");
  }
  runtime::Plugins discover(bool of_cases) const {
    if (isolation.empty()) return options.discover({}, of_cases);
    return options.discover(config::load_isolation(isolation), of_cases);
  }
};

void evaluate(const std::string& path, const CasePlugins& plugins, const MethodOptions& options,
              const output::FormatOption& format) {
  if (path == "-" && plugins.isolation == "-")
    throw Error("the case and --isolation are both standard input; name a file for one of them");
  const Method method(options, plugins.options);
  const conformance::CaseFile file = conformance::read_case(path);
  runtime::Plugins found = plugins.discover(file.root.find("script").present());
  const std::string answer = conformance::answer_case(file.document, file.root, found, method);
  format.print({.json = [&] { return answer + "\n"; }});
}

struct ConformanceOptions {
  std::vector<std::string> paths;
  CasePlugins plugins;
  MethodOptions method;
  bool quiet = false;
  bool complete = false;
  std::shared_ptr<const output::FormatOption> format;
};

// Compares all cases. Prints the differences of each on stderr, unless options.quiet.
ConformanceReport compare_all(const ConformanceOptions& options) {
  runtime::Plugins plugins = options.plugins.discover(/*of_cases=*/true);
  const std::vector<std::string> files = conformance::case_files(options.paths);
  if (files.empty()) throw Error("no case (*.json) in the folders that were named");
  const Method method(options.method, options.plugins.options);
  ConformanceReport report;
  for (const std::string& file : files) {
    const CheckedCase& checked =
        report.add(file, conformance::check_case(file, plugins, method), options.complete);
    if (options.quiet || checked.faults.empty()) continue;
    const Place place{.file = file, .field = {}};
    say(Error(place, "the answer differs from what was recorded", checked.faults).what());
  }
  return report;
}

int conformance(const ConformanceOptions& options) {
  const ConformanceReport report = compare_all(options);
  options.format->print({.text = [&] { return to_text(report); },
                         .wide = [&] { return cases_text(report) + to_text(report); },
                         .json = [&] { return to_json(report); },
                         .names = [&] { return case_names(report); }});
  return report.all_pass() ? kOk : kFailed;
}
}  // namespace

void add_evaluate(CLI::App& app, int&) {
  CLI::App* command =
      app.add_subcommand("evaluate", "answer a conformance case, as a document on stdout");
  auto path = std::make_shared<std::string>();
  auto plugins = std::make_shared<CasePlugins>();
  auto method = std::make_shared<MethodOptions>();
  command->add_option("CASE", *path, "the case's file; - is standard input")->required();
  plugins->add_to(*command);
  method->add_to(*command);
  const auto format =
      output::add_format(*command, {{OutputFormat::kJson, ""}, {OutputFormat::kYaml, ""}});
  command->callback([=] { evaluate(*path, *plugins, *method, *format); });
}

void add_conformance(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "conformance",
      "compare answers with recorded ones; exit status 1 if any differs, or, with --complete, if "
      "a recorded value is not compared");
  auto options = std::make_shared<ConformanceOptions>();
  command->add_option("DIR", options->paths, "cases, or folders with cases")->required();
  command->add_flag("--quiet", options->quiet, "print only the table, not the differences");
  command->add_flag("--complete", options->complete,
                    "fail cases with recorded values that are not compared");
  options->plugins.add_to(*command);
  options->method.add_to(*command);
  options->format = output::add_format(
      *command, {{OutputFormat::kText, "a table of the folders"},
                 {OutputFormat::kWide, "a line for each case before it"},
                 {OutputFormat::kJson, ""},
                 {OutputFormat::kYaml, "all cases with their differences, and the table"},
                 {OutputFormat::kName, "case/FOLDER/NAME of each case that was compared"}});
  command->callback([=, &status] { status = conformance(*options); });
}

}  // namespace berth::cli
