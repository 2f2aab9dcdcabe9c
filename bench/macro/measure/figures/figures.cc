#include "bench/macro/measure/figures/figures.h"

#include <fmt/format.h>
#include <rapidjson/pointer.h>

#include <algorithm>
#include <array>

#include "engine/base/assert.h"
#include "engine/base/text/number_text.h"

namespace berth::bench {
namespace {

constexpr std::array kFigures = {
    Figure{"decisions_per_second", "/decisions_per_second", "decisions/s", Better::kHigher,
           "slower"},
    Figure{"pods_bound_per_second", "/pods_bound_per_second", "pods/s", Better::kHigher,
           "bound-slower"},
    Figure{"latency_p50_seconds", "/latency_seconds/p50", "s", Better::kLower, "latency-p50"},
    Figure{"latency_p99_seconds", "/latency_seconds/p99", "s", Better::kLower, "latency-p99"},
    Figure{"queue_to_bound_p50_seconds", "/queue_to_bound_seconds/p50", "s", Better::kLower,
           "wait-p50"},
    Figure{"queue_to_bound_p99_seconds", "/queue_to_bound_seconds/p99", "s", Better::kLower,
           "wait-p99"},
    Figure{"queue_to_bound_virtual_p50_seconds", "/queue_to_bound_virtual_seconds/p50", "s",
           Better::kLower, nullptr},
    Figure{"queue_to_bound_virtual_p99_seconds", "/queue_to_bound_virtual_seconds/p99", "s",
           Better::kLower, nullptr},
    Figure{"cpu_seconds", "/cpu_seconds/total", "s", Better::kLower, "cpu"},
    Figure{"peak_memory_bytes", "/peak_memory_bytes", "B", Better::kLower, "memory"},
    Figure{"allocations_per_decision", "/allocations_per_decision", "", Better::kLower,
           "allocations"},
    Figure{"seconds_per_decision", "/seconds_per_decision", "s", Better::kLower, nullptr},
    Figure{"instructions_per_decision", "/instructions_per_decision", "", Better::kLower,
           "instructions"},
    Figure{"bytes_per_node", "/bytes_per_node", "B", Better::kLower, nullptr},
    Figure{"bytes_per_pod", "/bytes_per_pod", "B", Better::kLower, nullptr},
    Figure{"elapsed_seconds", "/elapsed_seconds", "s", Better::kLower, nullptr},
    Figure{"pods_scheduled", "/pods_scheduled", "", Better::kHigher, nullptr},
    Figure{"pods_bound", "/pods_bound", "", Better::kHigher, nullptr},
    Figure{"pods_unschedulable", "/pods_unschedulable", "", Better::kLower, "unschedulable"},
};

}  // namespace

std::span<const Figure> figures() { return kFigures; }

const Figure& figure_named(std::string_view name) {
  const auto at = std::ranges::find(kFigures, name, &Figure::name);
  BERTH_ASSERT(at != kFigures.end());
  return *at;
}

std::vector<double> samples_of(const rapidjson::Value& result, const Figure& figure) {
  std::vector<double> values;
  const auto samples = result.FindMember("samples");
  if (samples == result.MemberEnd() || !samples->value.IsObject()) return values;
  const auto list = samples->value.FindMember(figure.name);
  if (list == samples->value.MemberEnd() || !list->value.IsArray()) return values;
  for (const rapidjson::Value& value : list->value.GetArray())
    if (value.IsNumber()) values.push_back(value.GetDouble());
  return values;
}

std::string figure_text(const Figure& figure, double value, double spread, bool all_digits) {
  if (all_digits) return fmt::format("{:.12g}", value);
  const std::string_view unit = figure.unit;
  return measured_text(value, spread,
                       unit == "s"   ? Unit::kSeconds
                       : unit == "B" ? Unit::kBytes
                                     : Unit::kNone);
}

std::optional<double> figure_of(const rapidjson::Value& result, const Figure& figure) {
  const rapidjson::Value* at = rapidjson::Pointer(figure.path).Get(result);
  if (at == nullptr || !at->IsNumber()) return std::nullopt;
  return at->GetDouble();
}

void set_figure(rapidjson::Value& result, const Figure& figure, double value) {
  rapidjson::Value* at = rapidjson::Pointer(figure.path).Get(result);
  // Keep counts as integers where possible.
  if (!at->IsDouble() && value == static_cast<double>(static_cast<int64_t>(value)))
    at->SetInt64(static_cast<int64_t>(value));
  else
    at->SetDouble(value);
}

}  // namespace berth::bench
