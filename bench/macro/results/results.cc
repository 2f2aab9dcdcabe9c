#include "bench/macro/results/results.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bench/macro/measure/figures/figures.h"
#include "bench/macro/measure/figures/statistics.h"
#include "bench/macro/results/text_table.h"
#include "engine/base/error.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"
#include "engine/document/json/json_writer.h"

namespace berth::bench {
namespace {

using rapidjson::Document;
using rapidjson::Value;

// Above this the output warns that repetitions vary too much.
constexpr double kMostVariation = 0.1;

std::vector<double> speeds(const Value& run) {
  return samples_of(run, figure_named("decisions_per_second"));
}

// Name and label of a run, printable on a terminal.
std::string name_of(const Value& run) {
  std::string name = printable(run["workload"].GetString());
  if (run["label"].GetStringLength() != 0) name += " (" + printable(run["label"].GetString()) + ")";
  return name;
}

Value environment_value(const Environment& environment, const Neighbours::Shares& neighbours,
                        const std::vector<Document>& runs, Document& of) {
  auto& allocator = of.GetAllocator();
  Value value(rapidjson::kObjectType);
  const auto add = [&](const char* name, const std::string& content) {
    value.AddMember(rapidjson::StringRef(name), text(content, of), allocator);
  };
  add("cpu", environment.cpu);
  value.AddMember("cores", environment.cores, allocator);
  value.AddMember("memory_bytes", environment.memory_bytes, allocator);
  add("governor", environment.governor);
  add("kernel", environment.kernel);
  add("version", environment.version);
  add("commit", environment.commit);
  add("compiler", environment.compiler);
  add("flags", environment.flags);
  add("allocator", environment.allocator);
  Value libraries(rapidjson::kObjectType);
  for (const auto& [name, version] : environment.libraries)
    libraries.AddMember(text(name, of), text(version, of), allocator);
  value.AddMember("libraries", libraries, allocator);
  value.AddMember("steal_fraction", neighbours.steal, allocator);
  value.AddMember("other_cpu_fraction", neighbours.other_cpu, allocator);
  Value disturbed(rapidjson::kArrayType);
  for (const std::string& words : disturbances(neighbours))
    disturbed.PushBack(text(words, of), allocator);
  for (const Document& run : runs)
    if (const double varied = variation(speeds(run)); varied > kMostVariation)
      disturbed.PushBack(text(fmt::format("{}: the speed of repetitions varied by {:.0f} %",
                                          name_of(run), 100 * varied),
                              of),
                         allocator);
  value.AddMember("disturbed", disturbed, allocator);
  return value;
}

// The figure's median with its digits; "-" if the run has none.
std::string text_of(const Value& run, const char* name, Columns columns) {
  const Figure& figure = figure_named(name);
  const std::optional<double> value = figure_of(run, figure);
  if (!value) return "-";
  return figure_text(figure, *value, spread_of(samples_of(run, figure)), columns == Columns::kAll);
}

// A spread is shown like what varies by it.
std::string variation_text(const Value& run, Columns columns) {
  const double percent = 100 * variation(speeds(run));
  if (columns == Columns::kAll) return fmt::format("{:.12g} %", percent);
  return measured_text(percent, percent) + " %";
}

TableRow heads(Columns columns) {
  if (columns == Columns::kUsual)
    return {"workload", "nodes",        "scheduled", "refused", "decisions/s",
            "+-",       "decision p50", "p99",       "memory"};
  // The cells of all digits have no units.
  return {"workload",
          "nodes",
          "scheduled",
          "refused",
          "decisions/s",
          "+-",
          "decision p50 (s)",
          "p99 (s)",
          "memory (bytes)",
          "queue to bound p50 (s)",
          "p99 (s)",
          "cpu (s)",
          "allocations/decision",
          "instructions/decision",
          "bytes/node",
          "decision hash"};
}

// Counts are equal in all repetitions, unless a run depends on time.
TableRow row_of(const Value& run, Columns columns) {
  TableRow row = {name_of(run), grouped(run["nodes"].GetUint64())};
  for (const char* figure : {"pods_scheduled", "pods_unschedulable", "decisions_per_second"})
    row.push_back(text_of(run, figure, columns));
  row.push_back(variation_text(run, columns));
  for (const char* figure : {"latency_p50_seconds", "latency_p99_seconds", "peak_memory_bytes"})
    row.push_back(text_of(run, figure, columns));
  if (columns != Columns::kAll) return row;
  for (const char* figure :
       {"queue_to_bound_p50_seconds", "queue_to_bound_p99_seconds", "cpu_seconds",
        "allocations_per_decision", "instructions_per_decision", "bytes_per_node"})
    row.push_back(text_of(run, figure, columns));
  row.push_back(printable(run["decision_hash"].GetString()));
  return row;
}

uint64_t count_of(const Value& run, const char* member) {
  return run.HasMember(member) ? static_cast<uint64_t>(run[member].GetDouble()) : 0;
}

// Attempts, preemption and backoff, if there were any beyond one attempt for each pod.
std::string retries_of(const Value& run) {
  const uint64_t decisions = count_of(run, "decisions"), bound = count_of(run, "pods_bound");
  const uint64_t preemptions = count_of(run, "preemptions"), backoffs = count_of(run, "backoffs");
  if (preemptions + backoffs == 0) return {};
  std::string text = fmt::format("{}: {} attempts for {} bound pods", name_of(run),
                                 grouped(decisions), grouped(bound));
  if (run.HasMember("pods_bound_per_second"))
    text += fmt::format(" ({} bound per second)",
                        text_of(run, "pods_bound_per_second", Columns::kUsual));
  if (preemptions != 0)
    text += fmt::format(", {} preemptions that evict {} pods", grouped(preemptions),
                        grouped(count_of(run, "victims")));
  if (backoffs != 0) text += fmt::format(", {} backoffs", grouped(backoffs));
  if (run.HasMember("queue_to_bound_virtual_seconds"))
    text += fmt::format("; queue to bound with all waits p50 {}, p99 {}",
                        text_of(run, "queue_to_bound_virtual_p50_seconds", Columns::kUsual),
                        text_of(run, "queue_to_bound_virtual_p99_seconds", Columns::kUsual));
  return text + "\n";
}

// The recovery of the run from the evictions of controllers, if there were any.
std::string evictions_of(const Value& run) {
  const auto evictions = run.FindMember("evictions");
  if (evictions == run.MemberEnd()) return {};
  const auto at = [&](const char* name) { return evictions->value[name].GetDouble(); };
  const Value& over_time = run["evictions_over_time"];
  uint64_t most = 0;
  for (rapidjson::SizeType i = 0; i < over_time["seconds"].Size(); ++i)
    if (over_time["seconds"][i].GetDouble() >= at("first_seconds"))
      most = std::max(most, over_time["without_node"][i].GetUint64());
  std::string text = fmt::format(
      "{}: controllers evict {} pods, from {} to {}, at most {} are without a node; ", name_of(run),
      grouped(count_of(run, "pods_disrupted")), duration_text(at("first_seconds")),
      duration_text(at("last_seconds")), grouped(most));
  if (!evictions->value.HasMember("settled_seconds")) return text + "not as before until the end\n";
  return text + fmt::format("as before again at {}, {} after the first\n",
                            duration_text(at("settled_seconds")),
                            duration_text(at("settled_seconds") - at("first_seconds")));
}

bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_./=:,+%@").find(c) != std::string_view::npos;
}

std::string quoted(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return std::string(word);
  std::string text = "'";
  for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

Value text(const std::string& value, Document& of) {
  return Value(value.c_str(), static_cast<rapidjson::SizeType>(value.size()), of.GetAllocator());
}

Document results(const Command& command, const Environment& environment,
                 const Neighbours::Shares& neighbours, Done done) {
  Document document(rapidjson::kObjectType);
  auto& allocator = document.GetAllocator();
  document.AddMember("format", "berth-bench/1", allocator);
  document.AddMember("command", text(command.line, document), allocator);
  document.AddMember(
      "started",
      text(fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(command.started))),
           document),
      allocator);
  document.AddMember("elapsed_seconds", command.elapsed_seconds, allocator);
  document.AddMember("environment", environment_value(environment, neighbours, done.runs, document),
                     allocator);
  Value failed(rapidjson::kArrayType);
  for (const std::string& words : done.failed) failed.PushBack(text(words, document), allocator);
  document.AddMember("failed", failed, allocator);
  Value list(rapidjson::kArrayType);
  for (const Document& run : done.runs) list.PushBack(Value(run, allocator), allocator);
  document.AddMember("results", list, allocator);
  return document;
}

std::string to_json(const Document& document) {
  rapidjson::StringBuffer buffer;
  berth::document::PrettyJsonWriter writer(buffer);
  writer.SetIndent(' ', 1);
  writer.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  document.Accept(writer);
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

std::string to_text(const Document& document, Columns columns) {
  std::vector<TableRow> rows = {heads(columns)};
  for (const Value& run : document["results"].GetArray()) rows.push_back(row_of(run, columns));
  std::string page = table_text(rows);
  for (const Value& run : document["results"].GetArray()) {
    if (run["interrupted"].GetBool())
      page +=
          fmt::format("{} was interrupted: its figures cover the part until then\n", name_of(run));
    if (run["pods_failed"].GetUint64() != 0)
      page +=
          fmt::format("{}: {} pods failed, such as: {}\n", name_of(run),
                      run["pods_failed"].GetUint64(), printable(run["failures"][0].GetString()));
    page += retries_of(run);
    page += evictions_of(run);
    for (const auto& [member, what] :
         {std::pair("pods_gated", "are held by scheduling gates"),
          std::pair("pods_ignored", "name a scheduler that the configuration has no profile for")})
      if (const uint64_t count = run[member].GetUint64(); count != 0)
        page += fmt::format("{}: {} pods {}\n", name_of(run), count, what);
  }
  for (const Value& words : document["failed"].GetArray())
    page += fmt::format("failed: {}\n", printable(words.GetString()));
  for (const Value& words : document["environment"]["disturbed"].GetArray())
    page += fmt::format("disturbed: {}\n", printable(words.GetString()));
  return page;
}

std::vector<std::string> run_names(const Document& document) {
  std::vector<std::string> names;
  for (const Value& run : document["results"].GetArray()) names.push_back("run/" + name_of(run));
  return names;
}

std::string shell_line(int argc, const char* const* argv) {
  std::string line;
  for (int i = 0; i < argc; ++i) line += (i == 0 ? "" : " ") + quoted(argv[i]);
  return line;
}

}  // namespace berth::bench
