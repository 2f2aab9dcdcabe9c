#include "loadgen/workload_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/base/text/printable.h"
#include "engine/document/json/json_writer.h"

namespace berth::loadgen {
namespace {

using output::OutputFormat;

std::string about(const Workload& workload) {
  std::string text = workload.description;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
  if (workload.threshold)
    add(fmt::format("kube-scheduler's CI fails under {:.0f} pods/s", *workload.threshold));
  if (!workload.labels.empty()) add(fmt::format("{}", fmt::join(workload.labels, ", ")));
  if (!workload.missing.empty())
    add(fmt::format("cannot run: needs {}", fmt::join(workload.missing, ", ")));
  return printable(text);
}

std::string parameters_of(const Workload& workload) {
  std::string text;
  for (const auto& [name, value] : workload.parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return printable(text);
}

// Columns of a width that fits all rows; the last one is not padded.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i)
      text += fmt::format("{}{:<{}}", i == 0 ? "" : "  ", row[i], widths[i]);
    text += '\n';
  }
  return text;
}

std::string list_text(const std::vector<Workload>& workloads, bool wide) {
  std::vector<std::vector<std::string>> rows = {{"NAME", "DESCRIPTION"}};
  if (wide) rows.front() = {"NAME", "SOURCE", "PARAMETERS", "DESCRIPTION"};
  for (const Workload& workload : workloads) {
    std::vector<std::string>& row = rows.emplace_back();
    row.push_back(printable(workload.name));
    if (wide) {
      row.push_back(printable(workload.source));
      row.push_back(parameters_of(workload));
    }
    row.push_back(about(workload));
  }
  return table(rows);
}

std::string list_json(const std::vector<Workload>& workloads) {
  rapidjson::StringBuffer buffer;
  document::PrettyJsonWriter json(buffer);
  json.StartArray();
  for (const Workload& workload : workloads)
    json.object([&] {
      json.member("workload", workload.name);
      json.member("source", workload.source);
      json.member("description", workload.description);
      json.object("parameters", [&] {
        for (const auto& [name, value] : workload.parameters) json.member(name, value);
      });
      json.texts("labels", workload.labels);
      if (workload.threshold) json.member("threshold_decisions_per_second", *workload.threshold);
      json.texts("missing", workload.missing);
    });
  json.EndArray();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

std::vector<std::string> list_names(const std::vector<Workload>& workloads) {
  std::vector<std::string> names;
  for (const Workload& workload : workloads) names.push_back("workload/" + workload.name);
  return names;
}

}  // namespace

std::vector<output::FormatOption::Choice> list_choices() {
  return {{OutputFormat::kText, "a table"},
          {OutputFormat::kWide, "with sources and parameters"},
          {OutputFormat::kJson, ""},
          {OutputFormat::kYaml, "all of it"},
          {OutputFormat::kName, "workload/NAME"}};
}

output::Forms list_forms(const std::vector<Workload>& workloads) {
  return {.text = [&] { return list_text(workloads, false); },
          .wide = [&] { return list_text(workloads, true); },
          .json = [&] { return list_json(workloads); },
          .names = [&] { return list_names(workloads); }};
}

}  // namespace berth::loadgen
