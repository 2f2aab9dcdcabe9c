#include "engine/host/run/metrics_service.h"

#include <exception>
#include <string>

#include "engine/host/instance/bounded_text.h"
#include "engine/host/instance/services/service_thread.h"
#include "engine/host/instance/services/services.h"

namespace berth::host {
namespace {

static_assert(BERTH_MOST_METRICS == PluginMetrics::kMost);

PluginMetrics& metrics_of(const berth_host* host) { return *HostServices::of(host).metrics(); }

uint32_t make(const berth_host* host, const char* function, PluginMetrics::Kind kind,
              berth_string name, berth_string help) noexcept {
  const PluginFunction* running = InPlugin::current();
  if (running == nullptr || running->keeps != Keeps::kNoHook) {
    log_refused(host, function, "metrics are made in init");
    return 0;
  }
  const HostServices& of = HostServices::of(host);
  std::string problem;
  try {
    const uint32_t handle = of.metrics()->make(kind, readable(name), bounded(help), problem);
    if (handle != 0) return handle;
  } catch (const std::exception& failure) {
    problem = failure.what();
  }
  of.environment().log.write(BERTH_LOG_ERROR, of.plugin(), problem);
  return 0;
}

uint32_t counter(const berth_host* host, berth_string name, berth_string help) {
  return make(host, "metrics.counter", PluginMetrics::Kind::kCounter, name, help);
}
uint32_t gauge(const berth_host* host, berth_string name, berth_string help) {
  return make(host, "metrics.gauge", PluginMetrics::Kind::kGauge, name, help);
}
void add(const berth_host* host, uint32_t counter, uint64_t delta) {
  if (metrics_of(host).add(counter, delta)) [[likely]]
    return;
  log_refused(host, "metrics.add", "the handle must be of a counter");
}
void set(const berth_host* host, uint32_t gauge, int64_t value) {
  if (metrics_of(host).set(gauge, value)) [[likely]]
    return;
  log_refused(host, "metrics.set", "the handle must be of a gauge");
}

}  // namespace

const berth_metrics_service& metrics_service() {
  static constexpr berth_metrics_service kTable = {sizeof kTable, 0, counter, gauge, add, set};
  return kTable;
}

}  // namespace berth::host
