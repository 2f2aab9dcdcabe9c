// berth-bench compare: shows the differences between two files of results.

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "bench/macro/commands.h"
#include "bench/macro/results/compare.h"
#include "engine/base/error.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/program.h"
#include "engine/base/text/printable.h"

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
      "compare", "compare two files of results; exit status 3 if a --fail-if condition is met");
  auto options = std::make_shared<CompareOptions>();
  command->add_option("BEFORE", options->before, "output of berth-bench run -o json")->required();
  command->add_option("AFTER", options->after, "the same, later")->required();
  command
      ->add_option(
          "--fail-if", options->fail_if,
          "FIGURE:N%, such as slower:5%: the figure is significantly worse, by more than N %; "
          "decisions: any decision changed. Can be repeated")
      ->option_text("FIGURE:N%");
  command
      ->add_option("--ignore", options->ignored,
                   "settings in which compared runs may differ: " +
                       fmt::format("{}", fmt::join(kTellsRunsApart, ", ")))
      ->delimiter(',')
      ->option_text("NAME,...");
  command->add_option("-o,--output", options->output, "text (the default) or json")
      ->check(check::one_of({"text", "json"}))
      ->option_text("FORMAT");
  command->callback([options, &status] { status = run_compare(*options); });
}

}  // namespace berth::bench
