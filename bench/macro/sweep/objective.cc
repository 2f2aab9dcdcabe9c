#include "bench/macro/sweep/objective.h"

#include <fmt/format.h>
#include <rapidjson/pointer.h>

#include <algorithm>
#include <limits>

#include "engine/base/error.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/suggestion.h"

namespace berth::bench {
namespace {

using rapidjson::Value;

std::optional<double> number_at(const Value& result, const char* path) {
  const Value* at = rapidjson::Pointer(path).Get(result);
  if (at == nullptr || !at->IsNumber()) return std::nullopt;
  return at->GetDouble();
}

// The fraction of the resource in a list of `quality`.
std::optional<double> fraction(const Value& result, const char* list, const std::string& resource) {
  const Value* all = rapidjson::Pointer(list).Get(result);
  if (all == nullptr || !all->IsArray()) return std::nullopt;
  for (const Value& one : all->GetArray()) {
    const Value* name = rapidjson::Pointer("/resource").Get(one);
    if (name != nullptr && name->IsString() && resource == name->GetString())
      return number_at(one, "/fraction");
  }
  return std::nullopt;
}

struct Known {
  const char* name;
  const char* title;  // behind the resource, if it has one
  bool of_resource;
  Objective::Kind kind;
  Better better;
  std::optional<double> (*read)(const Value& result, const std::string& resource);
};

constexpr Known kKnown[] = {
    {"utilisation", "used", true, Objective::Kind::kShare, Better::kHigher,
     [](const Value& result, const std::string& resource) {
       return fraction(result, "/quality/utilisation", resource);
     }},
    {"fragmentation", "stranded", true, Objective::Kind::kShare, Better::kLower,
     [](const Value& result, const std::string& resource) {
       return fraction(result, "/quality/fragmentation", resource);
     }},
    {"refused", "refused", false, Objective::Kind::kCount, Better::kLower,
     [](const Value& result, const std::string& /*none*/) {
       return number_at(result, "/pods_unschedulable");
     }},
    {"evictions", "evicted", false, Objective::Kind::kCount, Better::kLower,
     [](const Value& result, const std::string& /*none*/) -> std::optional<double> {
       const std::optional<double> victims = number_at(result, "/victims");
       if (!victims) return std::nullopt;
       return *victims + number_at(result, "/pods_disrupted").value_or(0);
     }},
    {"wait-p50", "wait p50", false, Objective::Kind::kSeconds, Better::kLower,
     [](const Value& result, const std::string& /*none*/) {
       return number_at(result, "/queue_to_bound_virtual_seconds/p50");
     }},
    {"wait-p99", "wait p99", false, Objective::Kind::kSeconds, Better::kLower,
     [](const Value& result, const std::string& /*none*/) {
       return number_at(result, "/queue_to_bound_virtual_seconds/p99");
     }},
    {"decisions-per-second", "decisions/s", false, Objective::Kind::kRate, Better::kHigher,
     [](const Value& result, const std::string& /*none*/) {
       return number_at(result, "/decisions_per_second");
     }},
};

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const Known& known : kKnown) names.emplace_back(known.name);
  return names;
}

Objective made(const Known& known, const std::string& resource) {
  Objective objective;
  objective.name = known.of_resource ? fmt::format("{}:{}", known.name, resource) : known.name;
  objective.title = known.of_resource ? fmt::format("{} {}", resource, known.title) : known.title;
  objective.kind = known.kind;
  objective.better = known.better;
  objective.read = known.read;
  objective.resource = known.of_resource ? resource : "";
  return objective;
}

}  // namespace

double Objective::cost(std::optional<double> value) const {
  if (!value) return std::numeric_limits<double>::infinity();
  return better == Better::kLower ? *value : -*value;
}

std::string Objective::text(std::optional<double> value, bool all_digits) const {
  if (!value) return "-";
  if (all_digits) return fmt::format("{:.12g}", *value);
  switch (kind) {
    case Kind::kShare:
      return measured_text(100 * *value) + " %";
    case Kind::kSeconds:
      return duration_text(*value);
    case Kind::kCount:
      return measured_text(*value, 0);
    case Kind::kRate:
      break;
  }
  return measured_text(*value);
}

Objective parse_objective(const std::string& name, const std::string& option) {
  const size_t colon = name.find(':');
  const std::string head = name.substr(0, colon);
  const auto known = std::ranges::find(kKnown, head, &Known::name);
  const bool fits = known != std::end(kKnown) &&
                    (colon == std::string::npos || (known->of_resource && colon + 1 < name.size()));
  if (fits) return made(*known, colon == std::string::npos ? "cpu" : name.substr(colon + 1));
  const std::string meant = nearest_word(head, known_names());
  throw UsageError(fmt::format(
      "{} {}: expected {}; the first two also with a resource, as in utilisation:memory{}", option,
      printable(name), fmt::join(known_names(), ", "),
      meant.empty() ? "" : "; did you mean \"" + meant + "\"?"));
}

std::vector<Objective> usual_objectives() {
  std::vector<Objective> objectives;
  for (const Known& known : kKnown) {
    objectives.push_back(made(known, "cpu"));
    if (known.of_resource) objectives.push_back(made(known, "memory"));
  }
  return objectives;
}

std::vector<std::string> usual_front() {
  std::vector<std::string> names;
  for (const Known& known : kKnown)
    if (known.kind != Objective::Kind::kRate) names.push_back(made(known, "cpu").name);
  return names;
}

}  // namespace berth::bench
