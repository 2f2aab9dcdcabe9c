// berth evaluate, berth conformance.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "engine/cli/case_answer.h"
#include "engine/cli/command.h"
#include "engine/cli/compare.h"
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
  uint64_t failed = 0;
  uint64_t needs_more = 0;  // of the failed ones: a plugin or a part that is not built
};

struct CaseOutcome {
  std::vector<std::string> faults;
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
    outcome.faults = differences(file.root, mine.roots()[0]);
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

void print_table(const std::map<std::string, Tally>& tallies) {
  size_t width = 7;
  for (const auto& [feature, tally] : tallies) width = std::max(width, feature.size());
  fmt::print("{:<{}}  PASSED  FAILED  OF THESE NOT BUILT\n", "FEATURE", width);
  Tally all;
  for (const auto& [feature, tally] : tallies) {
    fmt::print("{:<{}}  {:>6}  {:>6}  {:>18}\n", feature, width, tally.passed, tally.failed,
               tally.needs_more);
    all.passed += tally.passed;
    all.failed += tally.failed;
    all.needs_more += tally.needs_more;
  }
  fmt::print("{:<{}}  {:>6}  {:>6}  {:>18}\n", "all", width, all.passed, all.failed,
             all.needs_more);
}

int conformance(const std::vector<std::string>& paths, const PluginOptions& options,
                framework::Evaluation evaluation, bool quiet) {
  runtime::Plugins plugins = options.discover();
  std::vector<std::string> files = case_files(paths);
  if (files.empty()) throw Error("no case (*.json) in the folders that were named");
  std::map<std::string, Tally> tallies;
  bool all_pass = true;
  for (const std::string& file : files) {
    CaseOutcome outcome = check(file, plugins, evaluation);
    Tally& tally = tallies[std::filesystem::path(file).parent_path().filename().string()];
    ++(outcome.faults.empty() ? tally.passed : tally.failed);
    tally.needs_more += outcome.needs_more;
    all_pass &= outcome.faults.empty();
    if (quiet || outcome.faults.empty()) continue;
    fmt::print(stderr, "{}\n", file);
    for (const std::string& fault : outcome.faults) fmt::print(stderr, "  {}\n", fault);
  }
  print_table(tallies);
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
      "conformance", "compare answers with recorded ones; exit status 1 if any differs");
  auto paths = std::make_shared<std::vector<std::string>>();
  auto plugins = std::make_shared<PluginOptions>();
  auto evaluation = std::make_shared<EvaluationOption>();
  auto quiet = std::make_shared<bool>(false);
  command->add_option("DIR", *paths, "folders with cases, or cases")->required();
  command->add_flag("--quiet", *quiet, "only the table, not what differs");
  plugins->add_to(*command);
  evaluation->add_to(*command);
  command->callback(
      [=, &status] { status = conformance(*paths, *plugins, evaluation->evaluation, *quiet); });
}

}  // namespace berth::cli
