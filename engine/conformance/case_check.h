#pragma once

// Checks the answer to a case file against what the file records.

#include <set>
#include <string>
#include <vector>

#include "engine/conformance/case_answer.h"
#include "engine/document/document.h"
#include "engine/runtime/assembly.h"

namespace berth::conformance {

struct CaseFile {
  document::Document document;
  document::Value root;  // valid as long as the document
};

// Throws Error if the file cannot be read or is not one document.
CaseFile read_case(const std::string& path);

// The files that `paths` name, and all *.json in the folders that they name; sorted. Throws Error
// for a path that does not exist.
std::vector<std::string> case_files(const std::vector<std::string>& paths);

struct CaseOutcome {
  std::vector<std::string> faults;     // one sentence each; empty: what was compared agrees
  std::set<std::string> not_compared;  // keys
  bool needs_more = false;             // a plugin or a part that is not built
};

// Answers the case and compares. A file that is no case is a fault.
CaseOutcome check_case(const std::string& path, runtime::Plugins& plugins, const Method& method);

}  // namespace berth::conformance
