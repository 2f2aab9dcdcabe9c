// berth evaluate, berth conformance.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#include "engine/base/text/printable.h"
#include "engine/cli/command.h"
#include "engine/cli/conformance/case_answer.h"
#include "engine/cli/conformance/compare.h"
#include "engine/cli/options.h"
#include "engine/runtime/core.h"

namespace berth::cli {
namespace {

struct CaseFile {
  document::Document document;
  document::Value root;
};

CaseFile read_case(const std::string& path) {
  Diagnostics diagnostics;
  CaseFile file;
  file.document = document::Document::read(path, diagnostics);
  if (diagnostics.count() != 0) throw diagnostics.kept().front();
  if (file.document.roots().size() != 1)
    throw Error(Place{.file = path, .field = {}},
                fmt::format("a case is one JSON object, and the file has {} documents",
                            file.document.roots().size()));
  file.root = file.document.roots()[0];
  return file;
}

void evaluate(const std::string& path, const PluginOptions& plugins,
              framework::Evaluation evaluation) {
  CaseFile file = read_case(path);
  runtime::Plugins found = plugins.discover();
  CaseAnswer answer = answer_case(file.document, file.root, found, evaluation);
  name_missing(answer.missing_plugins);
  std::puts(answer.json.c_str());
}

// One feature's line in the table.
struct Tally {
  uint64_t passed = 0;
  uint64_t in_part = 0;  // agree in all compared values, but have others that are not compared
  uint64_t failed = 0;
  uint64_t needs_more = 0;  // of the failed ones: a plugin or a part that is not built
};

struct CaseOutcome {
  std::vector<std::string> faults;
  std::set<std::string> not_compared;  // keys
  bool needs_more = false;
};

bool mentions(document::Value value, const std::string& plugin) {
  return document::to_json(value).find('"' + plugin + '"') != std::string::npos;
}

CaseOutcome check(const std::string& path, runtime::Plugins& plugins,
                  framework::Evaluation evaluation) {
  CaseOutcome outcome;
  try {
    CaseFile file = read_case(path);
    CaseAnswer answer = answer_case(file.document, file.root, plugins, evaluation);
    Diagnostics diagnostics;
    document::Document mine = document::Document::parse(answer.json, "answer", diagnostics);
    if (diagnostics.count() != 0) throw diagnostics.kept().front();
    Comparison comparison = compare(file.root, mine.roots()[0]);
    outcome.faults = std::move(comparison.differences);
    outcome.not_compared = std::move(comparison.not_compared);
    if (outcome.faults.empty()) return outcome;
    document::Value expected = file.root.find("expect");
    for (const std::string& plugin : answer.missing_plugins)
      if (expected.present() && mentions(expected, plugin)) {
        outcome.faults.insert(outcome.faults.begin(),
                              "needs plugin " + plugin + ", which is not built");
        outcome.needs_more = true;
      }
  } catch (const config::MissingPlugins& error) {
    outcome.needs_more = true;
    outcome.faults.push_back(
        fmt::format("needs plugin {}, which is not built", fmt::join(error.names(), ", ")));
  } catch (const Error& error) {
    outcome.faults.emplace_back(error.what());
  }
  return outcome;
}

std::vector<std::string> case_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!std::filesystem::exists(path))
      throw Error(Place{.file = path, .field = {}}, "no such file or folder");
    if (!std::filesystem::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
      if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

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

int conformance(const std::vector<std::string>& paths, const PluginOptions& options,
                framework::Evaluation evaluation, bool quiet, bool complete) {
  runtime::Plugins plugins = options.discover();
  std::vector<std::string> files = case_files(paths);
  if (files.empty()) throw Error("no case (*.json) in the folders that were named");
  std::map<std::string, Tally> tallies;
  std::map<std::string, uint64_t> not_compared;
  bool all_pass = true;
  for (const std::string& file : files) {
    CaseOutcome outcome = check(file, plugins, evaluation);
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
  auto plugins = std::make_shared<PluginOptions>();
  auto evaluation = std::make_shared<EvaluationOption>();
  command->add_option("CASE", *path, "the case's file; - is standard input")->required();
  plugins->add_to(*command);
  evaluation->add_to(*command);
  command->callback([=] { evaluate(*path, *plugins, evaluation->evaluation); });
}

void add_conformance(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "conformance",
      "compare answers with recorded ones; exit status 1 if any differs, or, with --complete, if "
      "a recorded value is not compared");
  auto paths = std::make_shared<std::vector<std::string>>();
  auto plugins = std::make_shared<PluginOptions>();
  auto evaluation = std::make_shared<EvaluationOption>();
  auto quiet = std::make_shared<bool>(false);
  auto complete = std::make_shared<bool>(false);
  command->add_option("DIR", *paths, "cases, or folders with cases")->required();
  command->add_flag("--quiet", *quiet, "print only the table, not the differences");
  command->add_flag("--complete", *complete,
                    "fail cases with recorded values that are not compared");
  plugins->add_to(*command);
  evaluation->add_to(*command);
  command->callback([=, &status] {
    status = conformance(*paths, *plugins, evaluation->evaluation, *quiet, *complete);
  });
}

}  // namespace berth::cli
