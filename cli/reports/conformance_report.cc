#include "cli/reports/conformance_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "engine/base/text/printable.h"
#include "engine/document/json/json_writer.h"

namespace berth::cli {
namespace {

std::string_view result_of(const CheckedCase& one) {
  if (!one.faults.empty()) return "failed";
  return one.in_part ? "passed in part" : "passed";
}

std::string tally_line(const std::string& name, size_t width, const Tally& tally) {
  return fmt::format("{:<{}}  {:>6}  {:>14}  {:>6}  {:>18}\n", name, width, tally.passed,
                     tally.in_part, tally.failed, tally.needs_more);
}

Tally sum_of(const std::map<std::string, Tally>& tallies) {
  Tally all;
  for (const auto& [feature, tally] : tallies) {
    all.passed += tally.passed;
    all.in_part += tally.in_part;
    all.failed += tally.failed;
    all.needs_more += tally.needs_more;
  }
  return all;
}

void write_case(document::PrettyJsonWriter& json, const CheckedCase& one) {
  json.object([&] {
    json.member("file", one.file);
    json.member("result", result_of(one));
    json.texts_if("faults", one.faults);
    json.texts_if("not_compared", one.not_compared);
  });
}

void write_tally(document::PrettyJsonWriter& json, const Tally& tally) {
  json.object([&] {
    json.member("passed", tally.passed);
    json.member("passed_in_part", tally.in_part);
    json.member("failed", tally.failed);
    json.member("failed_not_built", tally.needs_more);
  });
}

}  // namespace

const CheckedCase& ConformanceReport::add(const std::string& file,
                                          const conformance::CaseOutcome& outcome, bool complete) {
  const std::filesystem::path path(file);
  CheckedCase& one = cases_.emplace_back();
  one.file = file;
  one.feature = path.parent_path().filename().string();
  one.name = path.stem().string();
  one.faults = outcome.faults;
  one.not_compared.assign(outcome.not_compared.begin(), outcome.not_compared.end());
  one.in_part = outcome.faults.empty() && !outcome.not_compared.empty();
  Tally& tally = tallies_[one.feature];
  ++(one.in_part ? tally.in_part : one.faults.empty() ? tally.passed : tally.failed);
  tally.needs_more += outcome.needs_more;
  if (!one.in_part) return one;
  for (const std::string& key : one.not_compared) ++not_compared_[key];
  if (complete)
    one.faults.push_back(fmt::format("not compared: {}", fmt::join(one.not_compared, ", ")));
  return one;
}

bool ConformanceReport::all_pass() const {
  return std::ranges::all_of(cases_, [](const CheckedCase& one) { return one.faults.empty(); });
}

std::string to_text(const ConformanceReport& report) {
  size_t width = 7;
  for (const auto& [feature, tally] : report.tallies())
    width = std::max(width, printable(feature).size());
  std::string text =
      fmt::format("{:<{}}  PASSED  PASSED IN PART  FAILED  OF THESE NOT BUILT\n", "FEATURE", width);
  for (const auto& [feature, tally] : report.tallies())
    text += tally_line(printable(feature), width, tally);
  text += tally_line("all", width, sum_of(report.tallies()));
  std::string keys;
  for (const auto& [key, cases] : report.not_compared())
    keys += fmt::format("{}{} ({} cases)", keys.empty() ? "" : ", ", key, cases);
  return keys.empty() ? text : text + "not compared: " + printable(keys) + "\n";
}

std::string cases_text(const ConformanceReport& report) {
  size_t width = 4;
  for (const CheckedCase& one : report.cases()) width = std::max(width, printable(one.file).size());
  std::string text = fmt::format("{:<{}}  RESULT\n", "CASE", width);
  for (const CheckedCase& one : report.cases())
    text += fmt::format("{:<{}}  {}\n", printable(one.file), width, result_of(one));
  return text + "\n";
}

std::string to_json(const ConformanceReport& report) {
  rapidjson::StringBuffer buffer;
  document::PrettyJsonWriter json(buffer);
  json.object([&] {
    json.array("cases", report.cases(), [&](const CheckedCase& one) { write_case(json, one); });
    json.object("features", [&] {
      for (const auto& [feature, tally] : report.tallies()) {
        json.key(feature);
        write_tally(json, tally);
      }
    });
    json.key("all");
    write_tally(json, sum_of(report.tallies()));
    json.object("not_compared", [&] {
      for (const auto& [key, cases] : report.not_compared()) json.member(key, cases);
    });
  });
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

std::vector<std::string> case_names(const ConformanceReport& report) {
  std::vector<std::string> names;
  for (const CheckedCase& one : report.cases())
    names.push_back("case/" + (one.feature.empty() ? "" : one.feature + "/") + one.name);
  return names;
}

}  // namespace berth::cli
