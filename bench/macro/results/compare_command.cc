// berth-bench compare: shows the differences between two files of results.

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "bench/macro/commands.h"
#include "bench/macro/results/compare.h"
#include "engine/base/error.h"
#include "engine/base/program/messages.h"
#include "engine/base/program/program.h"
#include "engine/base/text/printable.h"
#include "engine/output/format_option.h"

namespace berth::bench {
namespace {

struct CompareOptions {
  std::string before, after;
  std::vector<std::string> fail_if, ignored;
  std::shared_ptr<const output::FormatOption> format;
};

int run_compare(const CompareOptions& options) {
  std::vector<FailIf> conditions;
  for (const std::string& text : options.fail_if) conditions.push_back(parse_fail_if(text));
  const ResultsChange change =
      compare(read_results(options.before), read_results(options.after), options.ignored);
  options.format->print({.text = [&] { return to_text(change); },
                         .wide = [&] { return to_text(change, Digits::kAll); },
                         .json = [&] { return to_json(change); },
                         .names = [&] { return run_names(change); }});
  if (change.runs.empty())
    throw Error("nothing was compared: " + options.before + " and " + options.after +
                " have no run in common");
  int status = kOk;
  for (const FailIf& condition : conditions)
    for (const std::string& line : violations(change, condition)) {
      say(printable(line));
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
  using output::OutputFormat;
  options->format =
      output::add_format(*command, {{OutputFormat::kText, "a table for each run"},
                                    {OutputFormat::kWide, "with all digits"},
                                    {OutputFormat::kJson, ""},
                                    {OutputFormat::kYaml, "all of it"},
                                    {OutputFormat::kName, "run/NAME of each compared run"}});
  command->callback([options, &status] { status = run_compare(*options); });
}

}  // namespace berth::bench
