#include "cli/diff/recorded.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "cli/diff/trail.h"
#include "engine/base/error.h"
#include "engine/base/io/io.h"
#include "engine/document/document.h"

namespace berth::cli {
namespace {

using document::Value;

std::vector<std::string> texts(Value list) {
  std::vector<std::string> found;
  for (const Value text : list.elements()) found.emplace_back(text.text());
  return found;
}

std::optional<Time> time_in(Value seconds) {
  const std::optional<double> number = seconds.as_double();
  if (!number) return std::nullopt;
  return std::chrono::round<Time>(std::chrono::duration<double>(*number));
}

bool is_true(Value of) { return of.is(document::Kind::kBoolean) && of.as_bool(); }

output::NodeScores node_scores_in(Value of) {
  output::NodeScores scores;
  scores.node = of.find("node").text();
  scores.total = of.find("total").as_int64().value_or(0);
  for (const document::Member& member : of.find("plugins").members())
    scores.plugins.push_back({std::string(member.key), member.value.find("raw").as_int64(),
                              member.value.find("normalised").as_int64().value_or(0),
                              member.value.find("weight").as_int64().value_or(0)});
  for (const document::Member& member : of.find("extenders").members())
    scores.extenders.emplace_back(std::string(member.key), member.value.as_int64().value_or(0));
  return scores;
}

// The results of runs tell of requests to evict a pod, and of drains, in lines of their own.
bool about_a_pod(Value line) { return line.find("name").present() && !line.find("code").present(); }

output::PodResult result_in(Value line) {
  output::PodResult result;
  result.namespace_name = line.find("namespace").text();
  result.name = line.find("name").text();
  result.outcome = line.find("outcome").text();
  result.node = line.find("node").text();
  result.message = line.find("message").text();
  result.refused_by = texts(line.find("refused_by"));
  result.nominated_node = line.find("nominated_node").text();
  result.evicted_by = line.find("evicted_by").text();
  result.evicted_because = line.find("evicted_because").text();
  result.tried = time_in(line.find("tried_seconds"));
  result.from_batch = is_true(line.find("from_batch"));
  for (const Value node : line.find("scores").elements())
    result.scores.push_back(node_scores_in(node));
  return result;
}

bool is_result(Value line) {
  return line.is(document::Kind::kObject) && line.find("outcome").is(document::Kind::kString);
}

// Its first line, as far as it is not too long for one of results.
std::string first_line(const std::string& path) {
  constexpr size_t kPiece = size_t{1} << 16, kMost = size_t{1} << 24;
  FileSource source(path);
  std::vector<uint8_t> piece(kPiece);
  std::string text;
  while (text.size() < kMost) {
    const size_t bytes = source.read(piece);
    text.append(piece.begin(), piece.begin() + static_cast<ptrdiff_t>(bytes));
    const size_t end = text.find('\n');
    if (end != std::string::npos) return text.substr(0, end);
    if (bytes == 0) break;
  }
  return text;
}

}  // namespace

bool holds_results(const std::string& path) try {
  if (!std::filesystem::is_regular_file(path)) return false;
  const std::string line = first_line(path);
  if (!line.starts_with('{')) return false;
  Diagnostics faults;
  const auto parsed = document::Document::parse(line, path, faults, {.json_only = true});
  return !parsed.roots().empty() && is_result(parsed.roots().front());
} catch (const Error&) {
  return false;
}

std::vector<output::PodResult> read_results(const std::string& path) {
  Diagnostics faults;
  const auto parsed = document::Document::read(path, faults, {.json_only = true});
  if (faults.count() != 0) throw faults.kept().front();
  std::vector<output::PodResult> results;
  for (const Value line : parsed.roots()) {
    if (!is_result(line))
      throw Error(line.place(), "expected a line of results, as berth run --results writes them");
    if (about_a_pod(line)) results.push_back(result_in(line));
  }
  return results;
}

Difference compare_lists(PerSide<std::vector<output::PodResult>> lists) {
  Difference difference;
  difference.recorded = true;
  PodNumbers numbers;
  PerSide<std::vector<uint32_t>> of_results;
  for (size_t side = 0; side < of_results.size(); ++side) {
    RunFacts& run = difference.runs[side];
    run.results = std::move(lists[side]);
    run.outcomes = count_outcomes(run.results);
    of_results[side] = numbers_of(run.results, numbers);
  }
  difference.pods_compared = difference.runs[0].results.size();
  difference.pods = compare_results(difference.runs, of_results);
  explain_recorded(difference.pods);
  difference.groups = group_by_cause(difference.pods);
  return difference;
}

Difference compare_recorded(const PerSide<std::string>& files) {
  Difference difference = compare_lists({read_results(files[0]), read_results(files[1])});
  for (size_t side = 0; side < files.size(); ++side)
    difference.runs[side].settings = {{"results", files[side]}};
  return difference;
}

}  // namespace berth::cli
