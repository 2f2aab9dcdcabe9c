#include "engine/controllers/disruption/budget.h"

#include <chrono>
#include <string_view>
#include <utility>

namespace berth::controllers {
namespace {

constexpr std::string_view sufficiency(bool allowed) {
  return allowed ? "SufficientPods" : "InsufficientPods";
}

}  // namespace

int32_t scaled(PodAmount amount, int32_t total) {
  constexpr int64_t kWhole = 100;
  if (!amount.percent) return amount.number;
  const int64_t product = int64_t{amount.number} * total;
  return static_cast<int32_t>(product / kWhole + (product % kWhole > 0 ? 1 : 0));
}

void put_condition(BudgetStatus& status, bool allowed, std::string reason, std::string message,
                   Time now) {
  const bool stays = status.condition && status.condition->allowed == allowed;
  const Time transition = stays ? status.condition->transition : whole_seconds(now);
  status.condition = {allowed, std::move(reason), std::move(message), status.observed_generation,
                      transition};
}

void put_condition(BudgetStatus& status, Time now) {
  const bool allowed = status.disruptions_allowed > 0;
  put_condition(status, allowed, std::string(sufficiency(allowed)), "", now);
}

bool has_condition(const BudgetStatus& status) {
  const bool allowed = status.disruptions_allowed > 0;
  return status.condition && status.condition->allowed == allowed &&
         status.condition->reason == sufficiency(allowed);
}

Time whole_seconds(Time time) { return std::chrono::floor<std::chrono::seconds>(time); }

}  // namespace berth::controllers
