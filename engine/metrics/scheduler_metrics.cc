#include "engine/metrics/scheduler_metrics.h"

#include <chrono>
#include <utility>

#include "engine/metrics/text.h"

namespace berth::metrics {

SchedulerMetrics::SchedulerMetrics(runtime::Core& core, MachineClock clock)
    : attempts_(registry_, core, clock),
      core_(registry_, core),
      timing_(registry_, core, std::move(clock)) {}

std::string SchedulerMetrics::collect() const { return to_text(registry_.Collect()); }

Time SchedulerMetrics::steady_time() { return std::chrono::steady_clock::now().time_since_epoch(); }

}  // namespace berth::metrics
