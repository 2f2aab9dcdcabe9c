#include "engine/conformance/case_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "engine/conformance/case_answer.h"
#include "engine/conformance/compare.h"

namespace berth::conformance {
namespace {

bool mentions(document::Value value, const std::string& plugin) {
  return document::to_json(value).find('"' + plugin + '"') != std::string::npos;
}

}  // namespace

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

CaseOutcome check_case(const std::string& path, runtime::Plugins& plugins,
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

}  // namespace berth::conformance
