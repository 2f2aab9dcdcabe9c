#include "bench/macro/results/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/io/io.h"
#include "engine/base/rules/kube_version.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"
#include "engine/document/json/json_writer.h"

namespace berth::bench {
namespace {

using rapidjson::Document;
using rapidjson::Value;

constexpr char kFormat[] = "berth-bench/1";
constexpr char kDecisions[] = "decisions";

const char* text_of(const Value& object, const char* name) {
  const auto member = object.FindMember(name);
  return member != object.MemberEnd() && member->value.IsString() ? member->value.GetString() : "";
}

std::string number_of(const Value& object, const char* name) {
  const auto member = object.FindMember(name);
  if (member == object.MemberEnd() || !member->value.IsNumber()) return "";
  if (member->value.IsUint64()) return fmt::format("{}", member->value.GetUint64());
  return fmt::format("{}", member->value.GetDouble());
}

using IgnoredNames = std::vector<std::string>;

std::string texts_of(const Value& result, const char* name) {
  std::string joined;
  const auto list = result.FindMember(name);
  if (list == result.MemberEnd() || !list->value.IsArray()) return joined;
  for (const Value& text : list->value.GetArray())
    if (text.IsString()) joined += (joined.empty() ? "" : " ") + std::string(text.GetString());
  return joined;
}

// The texts of an object, each with its name.
std::string named_texts_of(const Value& result, const char* member) {
  std::string joined;
  const auto parameters = result.FindMember(member);
  if (parameters == result.MemberEnd() || !parameters->value.IsObject()) return joined;
  for (const auto& parameter : parameters->value.GetObject())
    if (parameter.value.IsString())
      joined += fmt::format("{}{}={}", joined.empty() ? "" : ", ", parameter.name.GetString(),
                            parameter.value.GetString());
  return joined;
}

// Empty for the default. Results that are older than the option are of 1.34.
std::string version_of(const Value& result) {
  std::string_view version = text_of(result, "kube_version");
  if (version.empty()) version = version_text(KubeVersion::k1_34);
  if (version == version_text(kDefaultKubeVersion)) return {};
  return "Kubernetes " + std::string(version);
}

// Empty: those of its clock, or the result is older than controllers.
std::string controllers_of(const Value& result, bool wall) {
  const auto member = result.FindMember("controllers");
  if (member == result.MemberEnd() || !member->value.IsString()) return "";
  const std::string list = member->value.GetString();
  if (list == (wall ? "" : "*")) return "";
  return list.empty() ? "no controllers" : "controllers " + list;
}

// The identity of a run, as text.
std::string run_name(const Value& result, const IgnoredNames& ignored) {
  std::string name;
  const auto add = [&](std::string_view what, const std::string& words) {
    if (words.empty() || std::ranges::find(ignored, what) != ignored.end()) return;
    name += (name.empty() ? "" : ", ") + words;
  };
  const std::string config = text_of(result, "configuration");
  const bool wall = std::string_view(text_of(result, "clock")) == "wall";
  add("workload", text_of(result, "workload"));
  add("nodes", number_of(result, "nodes") + " nodes");
  // As the labels of runs have it.
  const std::string percentage = number_of(result, "percentage_of_nodes_to_score");
  add("percentage", (percentage == "0" ? "default" : percentage) + " %");
  add("evaluation", text_of(result, "evaluation"));
  add("threads", "threads " + number_of(result, "threads"));
  add("seed", "seed " + number_of(result, "seed"));
  add("configuration", config == "default" ? "" : config);
  add("kube-version", version_of(result));
  add("feature-gates", text_of(result, "feature_gates"));
  add("plugins", texts_of(result, "plugins"));
  const std::string isolated = text_of(result, "isolation");
  add("isolation", isolated.empty() ? "" : "isolated " + isolated);
  add("parameters", named_texts_of(result, "parameters"));
  add("settings", named_texts_of(result, "settings"));
  add("controllers", controllers_of(result, wall));
  add("clock", wall ? "wall clock x" + number_of(result, "speed") : "");
  return name;
}

void check_ignored(const IgnoredNames& ignored) {
  for (const std::string& name : ignored)
    if (std::ranges::find(kTellsRunsApart, name) == kTellsRunsApart.end())
      throw Error(fmt::format("--ignore {}: expected {}", printable(name),
                              fmt::join(kTellsRunsApart, ", ")));
}

// Compares the environments of the files.
void add_remarks(const Document& before, const Document& after, ResultsChange& change) {
  static const Value kNone(rapidjson::kObjectType);
  const auto environment = [](const Document& of) -> const Value& {
    const auto member = of.FindMember("environment");
    return member != of.MemberEnd() && member->value.IsObject() ? member->value : kNone;
  };
  const Value &a = environment(before), &b = environment(after);
  for (const char* what : {"cpu", "cores", "kernel", "compiler", "flags", "allocator"}) {
    const std::string first = text_of(a, what) + number_of(a, what);
    const std::string second = text_of(b, what) + number_of(b, what);
    if (first != second)
      change.remarks.push_back(fmt::format("other {}: {}, then {}", what, first, second));
  }
  for (const auto& [which, of] : {std::pair("before", &a), std::pair("after", &b)})
    if (const std::string words = texts_of(*of, "disturbed"); !words.empty())
      change.remarks.push_back(fmt::format("disturbed {}: {}", which, words));
}

bool is_interrupted(const Value& result) {
  const auto member = result.FindMember("interrupted");
  return member != result.MemberEnd() && member->value.IsBool() && member->value.GetBool();
}

RunChange compare_run(const std::string& name, const Value& before, const Value& after) {
  RunChange change;
  change.run = name;
  const std::string_view hash = text_of(before, "decision_hash");
  change.same_decisions = !hash.empty() && hash == text_of(after, "decision_hash");
  change.interrupted = is_interrupted(before) || is_interrupted(after);
  for (const Figure& figure : figures()) {
    const std::vector<double> a = samples_of(before, figure), b = samples_of(after, figure);
    if (a.empty() != b.empty()) change.only_one.push_back(&figure);
    if (a.empty() || b.empty()) continue;
    FigureChange of;
    of.figure = &figure;
    of.before = median(a);
    of.after = median(b);
    of.samples_before = a.size();
    of.samples_after = b.size();
    of.spread_before = spread_of(a);
    of.spread_after = spread_of(b);
    of.p = p_of_same(a, b);
    if (of.before != 0) {
      of.ratio = of.after / of.before;
      of.interval = ratio_interval(a, b);
    }
    change.figures.push_back(of);
  }
  return change;
}

std::map<std::string, const Value*> runs_of(const Document& document, const IgnoredNames& ignored) {
  std::map<std::string, const Value*> runs;
  for (const Value& result : document["results"].GetArray()) {
    if (!result.IsObject()) continue;
    const std::string name = run_name(result, ignored);
    std::string numbered = name;
    for (int number = 2; !runs.emplace(numbered, &result).second; ++number)
      numbered = fmt::format("{} (run {} of that name)", name, number);
  }
  return runs;
}

std::string words() {
  std::string list = kDecisions;
  for (const Figure& figure : figures())
    if (figure.worse != nullptr) list += std::string(", ") + figure.worse + ":N%";
  return list;
}

void check_comparable(const ResultsChange& change) {
  if (change.runs.empty())
    throw Error("the files have no run in common, so they cannot be compared");
  if (!change.only_before.empty())
    throw Error("the second file lacks a run of the first: " + change.only_before.front());
  for (const RunChange& run : change.runs)
    if (run.interrupted)
      throw Error(run.run + ": was interrupted, so its figures are not those of the whole load");
}

// Samples per side at which the greatest possible difference is significant.
size_t enough_repetitions() {
  size_t count = 2;
  while (least_p(count, count) >= kSignificant) ++count;
  return count;
}

// Writes a number, or null if JSON cannot express it.
void number(document::PrettyJsonWriter& json, std::string_view name, double value) {
  if (std::isfinite(value)) return json.member(name, value);
  json.key(name);
  json.Null();
}

}  // namespace

double FigureChange::worse_by() const {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (before == 0)
    return after == 0 ? 0 : figure->better == Better::kLower ? kInfinite : -kInfinite;
  return figure->better == Better::kLower ? ratio - 1 : 1 - ratio;
}

Document read_results(const std::string& file) {
  const std::string text = read_file(file);
  Document document;
  // Iterative, because a file can be nested to any depth.
  document.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag>(text.c_str(),
                                                                                      text.size());
  const Place place{.file = file, .field = {}};
  if (document.HasParseError())
    throw Error(Place{.file = file, .byte = document.GetErrorOffset(), .field = {}},
                "malformed JSON; expected what berth-bench run -o json writes");
  if (!document.IsObject() || std::string_view(text_of(document, "format")) != kFormat ||
      !document.HasMember("results") || !document["results"].IsArray())
    throw Error(place, std::string("expected what berth-bench run -o json writes: an object with "
                                   "\"format\": \"") +
                           kFormat + "\" and \"results\"");
  return document;
}

ResultsChange compare(const Document& before, const Document& after, const IgnoredNames& ignored) {
  check_ignored(ignored);
  ResultsChange change;
  add_remarks(before, after, change);
  const auto a = runs_of(before, ignored), b = runs_of(after, ignored);
  for (const auto& [name, result] : a) {
    const auto other = b.find(name);
    if (other == b.end())
      change.only_before.push_back(name);
    else
      change.runs.push_back(compare_run(name, *result, *other->second));
  }
  for (const auto& entry : b)
    if (!a.contains(entry.first)) change.only_after.push_back(entry.first);
  return change;
}

FailIf parse_fail_if(const std::string& text) {
  if (text == kDecisions) return {};
  const std::string_view word = std::string_view(text).substr(0, text.find(':'));
  FailIf condition;
  for (const Figure& figure : figures())
    if (figure.worse != nullptr && word == figure.worse) condition.figure = &figure;
  double percent = -1;
  if (condition.figure != nullptr && word.size() < text.size()) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + word.size() + 1, end, percent);
    const std::string_view rest(stop, static_cast<size_t>(end - stop));
    if (error != std::errc() || (!rest.empty() && rest != "%")) percent = -1;
  }
  if (!(percent >= 0) || !std::isfinite(percent))
    throw Error(fmt::format("--fail-if {}: expected {}", printable(text), words()));
  condition.part = percent / 100;
  return condition;
}

std::vector<std::string> violations(const ResultsChange& change, const FailIf& condition) {
  std::vector<std::string> found;
  check_comparable(change);
  if (condition.figure == nullptr) {
    for (const RunChange& run : change.runs)
      if (!run.same_decisions) found.push_back(run.run + ": other decisions");
    return found;
  }
  bool any = false;
  for (const RunChange& run : change.runs) {
    if (std::ranges::find(run.only_one, condition.figure) != run.only_one.end())
      throw Error(fmt::format("{}: only one of the files has {}", run.run, condition.figure->name));
    for (const FigureChange& of : run.figures) {
      if (of.figure != condition.figure) continue;
      any = true;
      if (of.nothing_can_be_said())
        throw Error(fmt::format(
            "{}: {} and {} samples of {} cannot show a significant difference; "
            "run with --repetitions {} or more",
            run.run, of.samples_before, of.samples_after, of.figure->name, enough_repetitions()));
      if (of.significant() && of.worse_by() > condition.part)
        found.push_back(fmt::format("{}: {} is worse by {:.1f} %, more than {:.1f} %", run.run,
                                    of.figure->name, 100 * of.worse_by(), 100 * condition.part));
    }
  }
  if (!any) throw Error(fmt::format("no run in common has the figure {}", condition.figure->name));
  return found;
}

std::string to_json(const ResultsChange& change) {
  rapidjson::StringBuffer buffer;
  document::PrettyJsonWriter json(buffer);
  json.StartObject();
  json.key("runs");
  json.StartArray();
  for (const RunChange& run : change.runs) {
    json.StartObject();
    json.member("run", run.run);
    json.member("same_decisions", run.same_decisions);
    json.member("interrupted", run.interrupted);
    json.key("figures");
    json.StartArray();
    for (const FigureChange& of : run.figures) {
      json.StartObject();
      json.member("figure", of.figure->name);
      json.member("before", of.before);
      json.member("after", of.after);
      number(json, "ratio", of.before == 0 ? NAN : of.ratio);
      number(json, "ratio_low", of.before == 0 ? NAN : of.interval.low);
      number(json, "ratio_high", of.before == 0 ? NAN : of.interval.high);
      json.member("p", of.p);
      json.member("significant", of.significant());
      number(json, "worse_by", of.worse_by());
      json.EndObject();
    }
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
  json.texts("remarks", change.remarks);
  json.texts("only_before", change.only_before);
  json.texts("only_after", change.only_after);
  json.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace berth::bench
