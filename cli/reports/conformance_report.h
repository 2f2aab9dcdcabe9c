#pragma once

// The findings of `berth conformance`, case by case, and as text and JSON.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/conformance/case_check.h"

namespace berth::cli {

struct CheckedCase {
  std::string file;
  std::string feature;   // the name of its folder
  std::string name;      // of the file, without .json
  bool in_part = false;  // agrees in all compared values, but has others that are not compared
  std::vector<std::string> faults;        // empty: it passed
  std::vector<std::string> not_compared;  // keys
};

// The cases of one folder.
struct Tally {
  uint64_t passed = 0;
  uint64_t in_part = 0;
  uint64_t failed = 0;
  uint64_t needs_more = 0;  // of the failed ones: a plugin or a part that is not built
};

class ConformanceReport {
 public:
  // With `complete`, a case that passed in part has its keys that are not compared as a fault.
  // The result is valid until the next call.
  const CheckedCase& add(const std::string& file, const conformance::CaseOutcome& outcome,
                         bool complete);

  const std::vector<CheckedCase>& cases() const { return cases_; }
  const std::map<std::string, Tally>& tallies() const { return tallies_; }  // by feature
  // Keys that no comparison of a case that passed in part looked at, with the number of such cases.
  const std::map<std::string, uint64_t>& not_compared() const { return not_compared_; }
  bool all_pass() const;

 private:
  std::vector<CheckedCase> cases_;
  std::map<std::string, Tally> tallies_;
  std::map<std::string, uint64_t> not_compared_;
};

std::string to_text(const ConformanceReport& report);     // a table of the features
std::string cases_text(const ConformanceReport& report);  // a table of the cases
std::string to_json(const ConformanceReport& report);
std::vector<std::string> case_names(const ConformanceReport& report);  // case/FEATURE/NAME

}  // namespace berth::cli
