// berth-bench merge: puts the parts of a sweep together.

#include <memory>

#include "bench/macro/commands.h"
#include "bench/macro/results/results.h"
#include "bench/macro/run/planned_run.h"
#include "bench/macro/sweep/merge.h"
#include "engine/base/io/overwrite.h"
#include "engine/base/program/program.h"
#include "engine/output/format_option.h"

namespace berth::bench {
namespace {

struct MergeOptions {
  std::vector<std::string> files, front;
  bool allow_missing = false;
  std::string report;
  std::shared_ptr<const output::FormatOption> format;
};

int run_merge(const MergeOptions& options, const std::string& line) {
  std::vector<SweepPart> parts;
  for (const std::string& file : options.files) parts.push_back(read_part(file));
  Merged merged = merge(parts, options.allow_missing, line);
  if (!options.front.empty())
    merged.sweep.figures = SweepFigures::with_front(options.front, "--front");
  refuse_overwriting(options.report, options.files);
  ReportFile report(options.report);
  add_sweep(merged.document, merged.sweep);
  const std::string json = to_json(merged.document);
  report.write(json);
  options.format->print({.text = [&] { return sweep_text(merged.document, merged.sweep, false); },
                         .wide = [&] { return sweep_text(merged.document, merged.sweep, true); },
                         .json = [&] { return json; },
                         .names = [&] { return run_names(merged.document); }});
  return kOk;
}

}  // namespace

void add_merge(CLI::App& app, const std::string& line, int& status) {
  CLI::App* command = app.add_subcommand("merge", "put the parts of a sweep together");
  auto options = std::make_shared<MergeOptions>();
  command->add_option("FILE", options->files, "outputs of berth-bench sweep --part I/N -o json")
      ->required()
      ->option_text("FILE...");
  command->add_flag("--allow-missing", options->allow_missing,
                    "merge what is there, although combinations are missing");
  command
      ->add_option("--front", options->front,
                   "the figures that make the Pareto front (those of the first file)")
      ->delimiter(',')
      ->option_text("FIGURE,...");
  command->add_option("--report", options->report, "write the report, one HTML page, to this file")
      ->option_text("FILE.html");
  using output::OutputFormat;
  options->format =
      output::add_format(*command, {{OutputFormat::kText, "a row for each setting"},
                                    {OutputFormat::kWide, "a row for each combination, all digits"},
                                    {OutputFormat::kJson, ""},
                                    {OutputFormat::kYaml, "all figures"},
                                    {OutputFormat::kName, "run/NAME of each combination"}});
  command->callback([options, line, &status] { status = run_merge(*options, line); });
}

}  // namespace berth::bench
