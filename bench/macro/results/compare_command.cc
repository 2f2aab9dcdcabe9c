// berth-bench compare: what changed between two files of results.

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "bench/macro/commands.h"
#include "bench/macro/results/compare.h"
#include "engine/base/program/program.h"
#include "engine/base/text/printable.h"
#include "engine/cli/options.h"

namespace berth::bench {
namespace {

struct CompareOptions {
  std::string before, after;
  std::vector<std::string> fail_if, ignored;
  std::string output = "text";
};

int run_compare(const CompareOptions& options) {
  std::vector<FailIf> conditions;
  for (const std::string& text : options.fail_if) conditions.push_back(parse_fail_if(text));
  const ResultsChange change =
      compare(read_results(options.before), read_results(options.after), options.ignored);
  std::fputs((options.output == "json" ? to_json(change) : to_text(change)).c_str(), stdout);
  if (change.runs.empty())
    throw Error("nothing was compared: " + options.before + " and " + options.after +
                " have no run in common");
  int status = kOk;
  for (const FailIf& condition : conditions)
    for (const std::string& line : violations(change, condition)) {
      fmt::print(stderr, "berth-bench: {}\n", printable(line));
      status = kWorse;
    }
  return status;
}

}  // namespace

void add_compare(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "compare", "two files of results, figure by figure; exit status 3 if --fail-if is met");
  auto options = std::make_shared<CompareOptions>();
  command->add_option("BEFORE", options->before, "what berth-bench run -o json wrote")->required();
  command->add_option("AFTER", options->after, "the same, later")->required();
  command
      ->add_option("--fail-if", options->fail_if,
                   "slower:5% and the like: a figure that is worse by more than that, and "
                   "significantly so; decisions: other decisions. Several times")
      ->option_text("FIGURE:N%");
  command
      ->add_option("--ignore", options->ignored,
                   "what runs may differ in and be compared all the same: " +
                       fmt::format("{}", fmt::join(kTellsRunsApart, ", ")))
      ->delimiter(',')
      ->option_text("NAME,...");
  command->add_option("-o,--output", options->output, "text (the default) or json")
      ->check(cli::one_of({"text", "json"}))
      ->option_text("FORMAT");
  command->callback([options, &status] { status = run_compare(*options); });
}

}  // namespace berth::bench
