#include "engine/validator/report.h"

#include <fmt/format.h>

#include "engine/base/text/printable.h"
#include "engine/document/json/json_writer.h"

namespace berth::validator {
namespace {

std::string_view status_name(Status status) {
  switch (status) {
    case Status::kPassed:
      return "passed";
    case Status::kFailed:
      return "failed";
    case Status::kSkipped:
      return "skipped";
  }
  return {};
}

void append(const Result& result, bool all_contracts, std::string& text) {
  const Check& check = *result.check;
  text += fmt::format("  {:<8} {}", status_name(result.status), check.name);
  if (result.status == Status::kSkipped) text += ": " + printable(result.seen);
  text += '\n';
  const bool failed = result.status == Status::kFailed;
  if (failed || all_contracts)
    text += fmt::format("           contract: {} ({})\n", check.contract, check.page);
  if (failed) text += fmt::format("           seen:     {}\n", printable(result.seen));
}

void append(const FileResults& file, bool all_contracts, std::string& text) {
  text += printable(file.file);
  if (!file.plugin.empty()) text += fmt::format(": plugin \"{}\"", printable(file.plugin));
  text += fmt::format(": {} passed, {} failed, {} skipped\n", file.count(Status::kPassed),
                      file.count(Status::kFailed), file.count(Status::kSkipped));
  for (const Result& result : file.results) append(result, all_contracts, text);
}

}  // namespace

std::string report_text(std::span<const FileResults> files, bool all_contracts) {
  std::string text;
  for (const FileResults& file : files) append(file, all_contracts, text);
  return text;
}

std::string report_json(std::span<const FileResults> files) {
  rapidjson::StringBuffer buffer;
  document::PrettyJsonWriter json(buffer);
  json.StartArray();
  for (const FileResults& file : files)
    json.object([&] {
      json.member("file", file.file);
      json.member("plugin", file.plugin);
      for (const Status status : {Status::kPassed, Status::kFailed, Status::kSkipped})
        json.member(status_name(status), uint64_t{file.count(status)});
      json.array("results", file.results, [&](const Result& result) {
        json.object([&] {
          json.member("check", result.check->name);
          json.member("status", status_name(result.status));
          json.member("contract", result.check->contract);
          json.member("page", result.check->page);
          json.member_if("seen", result.seen);
        });
      });
    });
  json.EndArray();
  return std::string(buffer.GetString()) + '\n';
}

}  // namespace berth::validator
