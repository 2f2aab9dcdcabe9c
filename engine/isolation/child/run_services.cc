#include "engine/isolation/child/run_services.h"

#include <bit>
#include <exception>

#include "engine/host/run/clock_service.h"
#include "engine/isolation/channel/lane.h"
#include "engine/isolation/child/asking.h"
#include "engine/isolation/child/services.h"

namespace berth::isolation {

void MetricCells::make(uint32_t handle, bool counter) {
  if (handle == 0 || handle > BERTH_MOST_METRICS) return;
  kinds_[handle - 1].store(counter ? Kind::kCounter : Kind::kGauge, std::memory_order_relaxed);
}

bool MetricCells::add(uint32_t handle, uint64_t delta) {
  if (!is(handle, Kind::kCounter)) return false;
  values_[handle - 1].fetch_add(delta, std::memory_order_relaxed);
  mark(handle);
  return true;
}

bool MetricCells::set(uint32_t handle, int64_t value) {
  if (!is(handle, Kind::kGauge)) return false;
  values_[handle - 1].store(static_cast<uint64_t>(value), std::memory_order_relaxed);
  mark(handle);
  return true;
}

// A value that is added between the mark and the exchange is taken now, and its mark again later
// with nothing left.
void MetricCells::take(std::vector<MetricChange>& out) {
  for (uint32_t word = 0; word < changed_.size(); ++word) {
    if (changed_[word].load(std::memory_order_relaxed) == 0) continue;
    uint64_t marks = changed_[word].exchange(0, std::memory_order_acquire);
    for (; marks != 0; marks &= marks - 1) {
      const auto at = word * 64 + static_cast<uint32_t>(std::countr_zero(marks));
      std::atomic<uint64_t>& value = values_[at];
      const bool counts = is(at + 1, Kind::kCounter);
      out.push_back({at + 1, 0,
                     counts ? value.exchange(0, std::memory_order_relaxed)
                            : value.load(std::memory_order_relaxed)});
    }
  }
}

namespace {

MetricCells& cells_of(const berth_host* host) {
  return static_cast<PluginHost*>(host->context)->metrics();
}

// Threads of the plugin's own have no lane to say it through.
void log_refused(RefusedId what) { told(Ask::kRefused, what); }

uint32_t count(const berth_host*) { return kLaneCount; }
uint32_t index(const berth_host*) {
  const PluginLane* lane = PluginLane::current();
  return lane != nullptr ? lane->number() : BERTH_NO_WORKER;
}
void* scratch(const berth_host*, uint64_t bytes) {
  return on_lane(static_cast<void*>(nullptr), [&](PluginLane& lane) -> void* {
    if (lane.call_now().keeps != host::Keeps::kNoHook)
      return lane.scratch().get(nullptr, host::ParallelBody::current() != nullptr, bytes);
    log_refused(RefusedId::kScratch);
    return nullptr;
  });
}

// False, and refused: what the function answers is kept, or it is none of a hook.
bool allowed(PluginLane::CallNow& call, Refused service, RefusedId elsewhere) {
  if (call.keeps == host::Keeps::kNothing) return true;
  if (call.keeps == host::Keeps::kNoHook) {
    log_refused(elsewhere);
  } else if (call.refused == Refused::kNothing) {
    call.refused = service;
  }
  return false;
}

int64_t now(const berth_host*) {
  return on_lane(int64_t{0}, [](PluginLane& lane) {
    PluginLane::CallNow& call = lane.call_now();
    return allowed(call, Refused::kClock, RefusedId::kClock) ? call.now : 0;
  });
}
uint64_t bits(const berth_host*, uint64_t stream) {
  return on_lane(uint64_t{0}, [&](PluginLane& lane) {
    PluginLane::CallNow& call = lane.call_now();
    return allowed(call, Refused::kRandom, RefusedId::kRandom)
               ? host::random_bits(call.random, stream)
               : 0;
  });
}

uint32_t make(const berth_host* host, Ask kind, berth_string name, berth_string help) {
  return on_lane(0u, [&](PluginLane& lane) {
    Writer message;
    message.text(name);
    message.text(help);
    const auto handle = lane.ask(kind, message).get<uint32_t>();
    cells_of(host).make(handle, kind == Ask::kCounter);
    return handle;
  });
}
uint32_t counter(const berth_host* host, berth_string name, berth_string help) {
  return make(host, Ask::kCounter, name, help);
}
uint32_t gauge(const berth_host* host, berth_string name, berth_string help) {
  return make(host, Ask::kGauge, name, help);
}
void add(const berth_host* host, uint32_t counter, uint64_t delta) {
  if (!cells_of(host).add(counter, delta)) log_refused(RefusedId::kAdd);
}
void set(const berth_host* host, uint32_t gauge, int64_t value) {
  if (!cells_of(host).set(gauge, value)) log_refused(RefusedId::kSet);
}

}  // namespace

const berth_worker_service& worker_table() {
  static constexpr berth_worker_service kTable = {sizeof kTable, 0, count, index, scratch};
  return kTable;
}
const berth_clock_service& clock_table() {
  static constexpr berth_clock_service kTable = {sizeof kTable, 0, now};
  return kTable;
}
const berth_random_service& random_table() {
  static constexpr berth_random_service kTable = {sizeof kTable, 0, bits};
  return kTable;
}
const berth_metrics_service& metrics_table() {
  static constexpr berth_metrics_service kTable = {sizeof kTable, 0, counter, gauge, add, set};
  return kTable;
}

}  // namespace berth::isolation
