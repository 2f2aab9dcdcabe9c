#pragma once

// The tables of services in a plugin's process. Functions ask the engine (stub.h), but for what the
// process has itself: its threads and their memory, the time and random numbers of the call, and
// metrics, of which the engine hears when a call ends. Work that would run on several threads of
// the engine runs on the thread that asks for it.

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

#include "berth/abi/metrics.h"
#include "engine/isolation/channel/calls.h"

namespace berth::isolation {

// The table of a service, but for the log's; null: this build does not know it.
const void* service_table(std::string_view id);

// The metrics of one instance, by the engine's handles. Any thread.
class MetricCells {
 public:
  // The engine made this metric. By one thread at a time.
  void make(uint32_t handle, bool counter);
  // False: the handle is of no such metric.
  [[nodiscard]] bool add(uint32_t handle, uint64_t delta);
  [[nodiscard]] bool set(uint32_t handle, int64_t value);
  // Appends what changed since it was taken before.
  void take(std::vector<MetricChange>& out);

 private:
  enum class Kind : uint8_t { kNone, kCounter, kGauge };

  bool is(uint32_t handle, Kind kind) const {
    return handle != 0 && handle <= BERTH_MOST_METRICS &&
           kinds_[handle - 1].load(std::memory_order_relaxed) == kind;
  }
  // Release: whoever takes the mark sees the value that was written before.
  void mark(uint32_t handle) {
    changed_[(handle - 1) / 64].fetch_or(uint64_t{1} << (handle - 1) % 64,
                                         std::memory_order_release);
  }

  std::array<std::atomic<uint64_t>, BERTH_MOST_METRICS> values_{};
  std::array<std::atomic<Kind>, BERTH_MOST_METRICS> kinds_{};
  std::array<std::atomic<uint64_t>, BERTH_MOST_METRICS / 64> changed_{};
};

}  // namespace berth::isolation
