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
#include "engine/host/run/external.h"
#include "engine/isolation/channel/calls.h"
#include "engine/isolation/channel/lane.h"

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

// The epochs of one instance, by the engine's numbers. Any thread raises them: the engine looks for
// the marks in shared memory.
class EpochCells {
 public:
  // Before the plugin has the service. `marks`: of the instance.
  void use(MarksWord& marks) { marks_ = &marks; }
  // The engine named this epoch. By one thread at a time.
  void name(uint32_t epoch) {
    const bool more = epoch > named_.load(std::memory_order_relaxed);
    if (more && epoch <= host::InstanceEpochs::kMost)
      named_.store(epoch, std::memory_order_release);
  }
  // False: there is no such epoch.
  [[nodiscard]] bool raise(uint32_t epoch) {
    if (epoch == 0 || epoch > named_.load(std::memory_order_acquire)) return false;
    mark(host::EpochMarks{1} << (epoch - 1));
    return true;
  }
  void wake() { mark(host::InstanceEpochs::kWakes); }

 private:
  // Release: the engine's next call sees the data that were written before.
  void mark(host::EpochMarks marks) { marks_->fetch_or(marks, std::memory_order_release); }

  MarksWord* marks_ = nullptr;
  std::atomic<uint32_t> named_{0};
};

}  // namespace berth::isolation
