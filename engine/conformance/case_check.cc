#include "engine/conformance/case_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "engine/conformance/case_answer.h"
#include "engine/conformance/compare.h"
#include "engine/conformance/scripts/extender_scripts.h"

namespace berth::conformance {
namespace {

document::Document parsed(const std::string& json, const std::string& name) {
  Diagnostics diagnostics;
  document::Document document = document::Document::parse(json, name, diagnostics);
  if (diagnostics.count() != 0) throw diagnostics.kept().front();
  return document;
}

// The entry with what its pod's extenders were asked.
std::string with_requests(document::Value entry, const ExtenderScripts& scripts) {
  const document::Value pod = entry.find("pod");
  std::string json = document::to_json(entry);
  json.pop_back();
  return json + ",\"requests\":" +
         scripts.requests(std::string(pod.present() ? pod.as_string() : std::string_view())) + "}";
}

std::string answer_with_extenders(const CaseFile& file, runtime::Plugins& plugins,
                                  const Method& method) {
  const ExtenderScripts scripts(file.root);
  const document::Document here = parsed(scripts.to_here(document::to_json(file.root)), "case");
  const document::Document mine =
      parsed(scripts.to_recorded(answer_case(here, here.roots()[0], plugins, method)), "answer");
  std::string answer = "{\"expect\":[";
  bool first = true;
  for (const document::Value entry : mine.roots()[0].find("expect").elements()) {
    answer += (first ? "" : ",") + with_requests(entry, scripts);
    first = false;
  }
  return answer + "]}";
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

CaseOutcome check_case(const std::string& path, runtime::Plugins& plugins, const Method& method) {
  CaseOutcome outcome;
  try {
    CaseFile file = read_case(path);
    std::string answer = has_extender_scripts(file.root)
                             ? answer_with_extenders(file, plugins, method)
                             : answer_case(file.document, file.root, plugins, method);
    const document::Document mine = parsed(std::move(answer), "answer");
    Comparison comparison = compare(file.root, mine.roots()[0]);
    outcome.faults = std::move(comparison.differences);
    outcome.not_compared = std::move(comparison.not_compared);
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
