#include "bench/macro/figures.h"

#include <array>
#include <string_view>

namespace berth::bench {
namespace {

constexpr std::array kFigures = {
    Figure{"decisions_per_second", "decisions_per_second", "pods/s", Better::kHigher, "slower"},
    Figure{"latency_p50_seconds", "latency_seconds.p50", "s", Better::kLower, "latency-p50"},
    Figure{"latency_p99_seconds", "latency_seconds.p99", "s", Better::kLower, "latency-p99"},
    Figure{"queue_to_bound_p50_seconds", "queue_to_bound_seconds.p50", "s", Better::kLower,
           "wait-p50"},
    Figure{"queue_to_bound_p99_seconds", "queue_to_bound_seconds.p99", "s", Better::kLower,
           "wait-p99"},
    Figure{"cpu_seconds", "cpu_seconds.total", "s", Better::kLower, "cpu"},
    Figure{"peak_memory_bytes", "peak_memory_bytes", "B", Better::kLower, "memory"},
    Figure{"allocations_per_decision", "allocations_per_decision", "", Better::kLower,
           "allocations"},
    Figure{"elapsed_seconds", "elapsed_seconds", "s", Better::kLower, nullptr},
    Figure{"pods_unschedulable", "pods_unschedulable", "", Better::kLower, "unschedulable"},
};

// Value is rapidjson::Value or const rapidjson::Value.
template <typename Value>
Value* number_at(Value& result, std::string_view path) {
  Value* at = &result;
  while (true) {
    const std::string_view name = path.substr(0, path.find('.'));
    if (!at->IsObject()) return nullptr;
    auto member = at->FindMember(rapidjson::Value(
        rapidjson::StringRef(name.data(), static_cast<rapidjson::SizeType>(name.size()))));
    if (member == at->MemberEnd()) return nullptr;
    at = &member->value;
    if (name.size() == path.size()) return at->IsNumber() ? at : nullptr;
    path.remove_prefix(name.size() + 1);
  }
}

}  // namespace

std::span<const Figure> figures() { return kFigures; }

std::optional<double> figure_of(const rapidjson::Value& result, const Figure& figure) {
  const rapidjson::Value* at = number_at(result, figure.path);
  if (at == nullptr) return std::nullopt;
  return at->GetDouble();
}

void set_figure(rapidjson::Value& result, const Figure& figure, double value) {
  rapidjson::Value* at = number_at(result, figure.path);
  // Counts stay whole numbers where they are some.
  if (!at->IsDouble() && value == static_cast<double>(static_cast<int64_t>(value)))
    at->SetInt64(static_cast<int64_t>(value));
  else
    at->SetDouble(value);
}

}  // namespace berth::bench
