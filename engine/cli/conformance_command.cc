// berth evaluate, berth conformance.

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "engine/base/program/checks.h"
#include "engine/base/text/printable.h"
#include "engine/cli/command.h"
#include "engine/conformance/case_answer.h"
#include "engine/conformance/case_check.h"
#include "engine/startup/evaluation_option.h"
#include "engine/startup/notices.h"
#include "engine/startup/plugin_options.h"

namespace berth::cli {
namespace {

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
  explicit Method(const MethodOptions& options)
      : limit_(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(options.threads)),
        workers_(options.threads),
        method_{options.evaluation.evaluation, &workers_} {}

  operator const conformance::Method&() const { return method_; }

 private:
  tbb::global_control limit_;  // also allows more threads than there are cores
  framework::Workers workers_;
  conformance::Method method_;
};

void evaluate(const std::string& path, const startup::PluginOptions& plugins,
              const MethodOptions& options) {
  const Method method(options);
  const conformance::CaseFile file = conformance::read_case(path);
  runtime::Plugins found = plugins.discover(file.root.find("script").present());
  const conformance::CaseAnswer answer =
      conformance::answer_case(file.document, file.root, found, method);
  startup::name_missing(answer.missing_plugins);
  std::puts(answer.json.c_str());
}

// One feature's line in the table.
struct Tally {
  uint64_t passed = 0;
  uint64_t in_part = 0;  // agree in all compared values, but have others that are not compared
  uint64_t failed = 0;
  uint64_t needs_more = 0;  // of the failed ones: a plugin or a part that is not built
};

void print_tally(const std::string& name, size_t width, const Tally& tally) {
  fmt::print("{:<{}}  {:>6}  {:>14}  {:>6}  {:>18}\n", name, width, tally.passed, tally.in_part,
             tally.failed, tally.needs_more);
}

void print_table(const std::map<std::string, Tally>& tallies) {
  size_t width = 7;
  for (const auto& [feature, tally] : tallies) width = std::max(width, feature.size());
  fmt::print("{:<{}}  PASSED  PASSED IN PART  FAILED  OF THESE NOT BUILT\n", "FEATURE", width);
  Tally all;
  for (const auto& [feature, tally] : tallies) {
    print_tally(feature, width, tally);
    all.passed += tally.passed;
    all.in_part += tally.in_part;
    all.failed += tally.failed;
    all.needs_more += tally.needs_more;
  }
  print_tally("all", width, all);
}

// Keys that no comparison of a case that passed in part looked at, with the number of such cases.
void print_not_compared(const std::map<std::string, uint64_t>& keys) {
  if (keys.empty()) return;
  std::string list;
  for (const auto& [key, cases] : keys)
    list += fmt::format("{}{} ({} cases)", list.empty() ? "" : ", ", key, cases);
  fmt::print("not compared: {}\n", printable(list));
}

int conformance(const std::vector<std::string>& paths, const startup::PluginOptions& options,
                const MethodOptions& method_options, bool quiet, bool complete) {
  runtime::Plugins plugins = options.discover(/*of_cases=*/true);
  std::vector<std::string> files = conformance::case_files(paths);
  if (files.empty()) throw Error("no case (*.json) in the folders that were named");
  const Method method(method_options);
  std::map<std::string, Tally> tallies;
  std::map<std::string, uint64_t> not_compared;
  bool all_pass = true;
  for (const std::string& file : files) {
    conformance::CaseOutcome outcome = conformance::check_case(file, plugins, method);
    Tally& tally =
        tallies[printable(std::filesystem::path(file).parent_path().filename().string())];
    const bool in_part = outcome.faults.empty() && !outcome.not_compared.empty();
    ++(in_part ? tally.in_part : outcome.faults.empty() ? tally.passed : tally.failed);
    tally.needs_more += outcome.needs_more;
    if (in_part) {
      for (const std::string& key : outcome.not_compared) ++not_compared[key];
      if (complete)
        outcome.faults.push_back(
            fmt::format("not compared: {}", fmt::join(outcome.not_compared, ", ")));
    }
    all_pass &= outcome.faults.empty();
    if (quiet || outcome.faults.empty()) continue;
    fmt::print(stderr, "{}\n", printable(file));
    for (const std::string& fault : outcome.faults) fmt::print(stderr, "  {}\n", printable(fault));
  }
  print_table(tallies);
  print_not_compared(not_compared);
  return all_pass ? kOk : kFailed;
}

}  // namespace

void add_evaluate(CLI::App& app, int&) {
  CLI::App* command =
      app.add_subcommand("evaluate", "answer a conformance case, as JSON on stdout");
  auto path = std::make_shared<std::string>();
  auto plugins = std::make_shared<startup::PluginOptions>();
  auto method = std::make_shared<MethodOptions>();
  command->add_option("CASE", *path, "the case's file; - is standard input")->required();
  plugins->add_to(*command);
  method->add_to(*command);
  command->callback([=] { evaluate(*path, *plugins, *method); });
}

void add_conformance(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "conformance",
      "compare answers with recorded ones; exit status 1 if any differs, or, with --complete, if "
      "a recorded value is not compared");
  auto paths = std::make_shared<std::vector<std::string>>();
  auto plugins = std::make_shared<startup::PluginOptions>();
  auto method = std::make_shared<MethodOptions>();
  auto quiet = std::make_shared<bool>(false);
  auto complete = std::make_shared<bool>(false);
  command->add_option("DIR", *paths, "cases, or folders with cases")->required();
  command->add_flag("--quiet", *quiet, "print only the table, not the differences");
  command->add_flag("--complete", *complete,
                    "fail cases with recorded values that are not compared");
  plugins->add_to(*command);
  method->add_to(*command);
  command->callback(
      [=, &status] { status = conformance(*paths, *plugins, *method, *quiet, *complete); });
}

}  // namespace berth::cli
