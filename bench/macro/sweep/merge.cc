#include "bench/macro/sweep/merge.h"

#include <fmt/format.h>
#include <rapidjson/pointer.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/macro/results/compare.h"
#include "bench/macro/results/results.h"
#include "engine/base/error.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"

namespace berth::bench {
namespace {

using rapidjson::Document;
using rapidjson::Value;

constexpr size_t kMostNamed = 3;  // combinations in a message

[[noreturn]] void refuse(const SweepPart& part, const std::string& why) {
  throw Error(Place{.file = part.file, .field = {}}, why);
}

// The first setting in which the two differ, in words.
std::string difference(const std::map<std::string, std::string>& a,
                       const std::map<std::string, std::string>& b) {
  std::map<std::string, std::string> all = a;
  all.insert(b.begin(), b.end());
  for (const auto& [name, value] : all) {
    const auto first = a.find(name), second = b.find(name);
    const std::string left = first == a.end() ? "none" : "\"" + first->second + "\"";
    const std::string right = second == b.end() ? "none" : "\"" + second->second + "\"";
    if (left != right) return fmt::format("{} is {} there and {} here", name, left, right);
  }
  return {};
}

bool same_axes(const SettingsGrid& a, const SettingsGrid& b) {
  return std::ranges::equal(a.axes(), b.axes(), [](const Axis& x, const Axis& y) {
    return x.name == y.name && x.values == y.values;
  });
}

std::string build_of(const Document& document) {
  std::string build;
  for (const char* path : {"/environment/version", "/environment/commit"})
    if (const Value* value = rapidjson::Pointer(path).Get(document);
        value != nullptr && value->IsString())
      build += (build.empty() ? "" : " ") + std::string(value->GetString());
  return build;
}

void check_same(const SweepPart& first, const SweepPart& part) {
  const SharedSettings &a = first.sweep.shared, &b = part.sweep.shared;
  if (a.load != b.load)
    refuse(part, fmt::format("is a sweep of another load than {}: {}", first.file,
                             difference(a.load, b.load)));
  if (!same_axes(first.sweep.grid, part.sweep.grid))
    refuse(part, fmt::format("is a sweep of other axes or values than {}", first.file));
  if (a.options != b.options)
    refuse(part, fmt::format("is a sweep with other settings than {}: {}", first.file,
                             difference(a.options, b.options)));
  if (build_of(first.document) != build_of(part.document))
    refuse(part, fmt::format("was made by another build than {}: {}, not {}", first.file,
                             build_of(part.document), build_of(first.document)));
}

std::string combination_text(const SettingsGrid& grid, uint64_t combination) {
  const std::string settings = settings_text(grid.varied(combination));
  return settings.empty() ? fmt::format("combination {}", combination)
                          : fmt::format("combination {} ({})", combination, settings);
}

// The parts that have tried each combination, and its result if that is whole.
struct Tried {
  const SweepPart* part = nullptr;
  const Value* result = nullptr;  // null: it failed
};
using TriedByCombination = std::map<uint64_t, Tried>;

void note(TriedByCombination& tried, uint64_t combination, const Tried& by) {
  const auto [at, added] = tried.emplace(combination, by);
  if (!added)
    refuse(*by.part, fmt::format("overlaps with {}: both have {}", at->second.part->file,
                                 combination_text(by.part->sweep.grid, combination)));
}

TriedByCombination tried_by(const std::vector<SweepPart>& parts) {
  TriedByCombination tried;
  for (const SweepPart& part : parts) {
    for (const Value& result : part.document["results"].GetArray())
      if (!result["interrupted"].GetBool())
        note(tried, result["combination"].GetUint64(), {&part, &result});
    for (const uint64_t combination : part.sweep.failed) note(tried, combination, {&part, nullptr});
  }
  return tried;
}

// The parts of N that no file is, if all files are parts of N; else empty.
std::string missing_parts(const std::vector<SweepPart>& parts) {
  const uint64_t of = parts.front().sweep.part.of;
  std::set<uint64_t> numbers;
  for (const SweepPart& part : parts) {
    if (part.sweep.part.of != of) return {};
    numbers.insert(part.sweep.part.number);
  }
  std::vector<std::string> missing;
  for (uint64_t i = 1; i <= of && missing.size() < kMostNamed; ++i)
    if (!numbers.contains(i)) missing.push_back(fmt::format("{}/{}", i, of));
  if (missing.empty()) return {};
  const uint64_t more = of - numbers.size() - missing.size();
  return fmt::format("; no file is part {}{}", fmt::join(missing, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

void refuse_missing_ones(const std::vector<SweepPart>& parts, const TriedByCombination& tried) {
  const SettingsGrid& grid = parts.front().sweep.grid;
  const uint64_t count = grid.size() - tried.size();
  std::vector<std::string> named;
  for (uint64_t i = 0; i < grid.size() && named.size() < kMostNamed; ++i)
    if (!tried.contains(i)) named.push_back(combination_text(grid, i));
  throw Error(fmt::format(
      "{} of {} combinations are missing, such as {}{}; --allow-missing merges "
      "the others",
      grouped(count), grouped(grid.size()), fmt::join(named, ", "), missing_parts(parts)));
}

std::string cpu_of(const Document& document) {
  const Value* cpu = rapidjson::Pointer("/environment/cpu").Get(document);
  return cpu != nullptr && cpu->IsString() ? cpu->GetString() : "";
}

// A list of texts, with those of the parts.
void add_texts(Document& document, const char* path, const std::vector<SweepPart>& parts) {
  Value list(rapidjson::kArrayType);
  std::set<std::string> known;
  for (const SweepPart& part : parts) {
    const Value* texts = rapidjson::Pointer(path).Get(part.document);
    if (texts == nullptr || !texts->IsArray()) continue;
    for (const Value& one : texts->GetArray())
      if (one.IsString() && known.insert(one.GetString()).second)
        list.PushBack(Value(one, document.GetAllocator()), document.GetAllocator());
  }
  rapidjson::Pointer(path).Set(document, list);
}

double seconds_of(const std::vector<SweepPart>& parts) {
  double seconds = 0;
  for (const SweepPart& part : parts)
    if (const auto at = part.document.FindMember("elapsed_seconds");
        at != part.document.MemberEnd() && at->value.IsNumber())
      seconds += at->value.GetDouble();
  return seconds;
}

void remark_machines(Document& document, const std::vector<SweepPart>& parts) {
  std::set<std::string> machines;
  for (const SweepPart& part : parts) machines.insert(cpu_of(part.document));
  if (machines.size() < 2) return;
  rapidjson::Pointer("/environment/disturbed/-")
      .Set(document, text(fmt::format("the parts are of {} kinds of machines, so speeds cannot be "
                                      "compared",
                                      machines.size()),
                          document));
}

Document document_of(const std::vector<SweepPart>& parts, const TriedByCombination& tried,
                     const std::string& line) {
  Document document;
  document.CopyFrom(parts.front().document, document.GetAllocator());
  document.RemoveMember("sweep");
  auto& allocator = document.GetAllocator();
  Value results(rapidjson::kArrayType);
  for (const auto& [combination, by] : tried)
    if (by.result != nullptr) results.PushBack(Value(*by.result, allocator), allocator);
  document["results"] = results;
  rapidjson::Pointer("/command").Set(document, text(line, document));
  rapidjson::Pointer("/elapsed_seconds").Set(document, seconds_of(parts));
  add_texts(document, "/failed", parts);
  add_texts(document, "/environment/disturbed", parts);
  remark_machines(document, parts);
  return document;
}

Sweep sweep_of(const std::vector<SweepPart>& parts, const TriedByCombination& tried) {
  Sweep sweep = parts.front().sweep;
  sweep.part = {};
  sweep.interrupted = tried.size() < sweep.grid.size();
  sweep.failed.clear();
  for (const auto& [combination, by] : tried)
    if (by.result == nullptr) sweep.failed.push_back(combination);
  return sweep;
}

}  // namespace

SweepPart read_part(const std::string& file) {
  SweepPart part{file, read_results(file), {}};
  try {
    part.sweep = read_sweep(part.document);
  } catch (const Error& error) {
    throw Error(Place{.file = file, .field = {}}, error.message());
  }
  return part;
}

Merged merge(const std::vector<SweepPart>& parts, bool allow_missing, const std::string& line) {
  for (const SweepPart& part : parts) check_same(parts.front(), part);
  const TriedByCombination tried = tried_by(parts);
  if (tried.size() < parts.front().sweep.grid.size() && !allow_missing)
    refuse_missing_ones(parts, tried);
  return {document_of(parts, tried, line), sweep_of(parts, tried)};
}

}  // namespace berth::bench
