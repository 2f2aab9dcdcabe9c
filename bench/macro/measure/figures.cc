#include "bench/macro/measure/figures.h"

#include <rapidjson/pointer.h>

#include <array>

namespace berth::bench {
namespace {

constexpr std::array kFigures = {
    Figure{"decisions_per_second", "/decisions_per_second", "pods/s", Better::kHigher, "slower"},
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
