#pragma once

// Numbers that plugins count and show (berth/abi/metrics.h).

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/assert.h"

namespace berth::host {

// The metrics of a plugin, which its instances share. Metrics are made on the thread that owns the
// model; values are changed by any thread, without a lock.
class PluginMetrics {
 public:
  static constexpr uint32_t kMost = 256;
  static constexpr size_t kLongestName = 128;
  enum class Kind : uint8_t { kCounter, kGauge };
  struct Metric {
    Kind kind;
    std::string name;
    std::string help;
  };

  // The handle of the metric of this name, which is made if there is none. 0: `problem` says why.
  uint32_t make(Kind kind, std::string_view name, std::string_view help, std::string& problem);
  // False: the handle is not of a metric of that kind, and nothing changes.
  [[nodiscard]] bool add(uint32_t handle, uint64_t delta);
  [[nodiscard]] bool set(uint32_t handle, int64_t value);
  // The kind; nothing: there is no such handle. Any thread.
  std::optional<Kind> kind(uint32_t handle) const;

  const std::deque<Metric>& metrics() const { return metrics_; }  // by handle - 1
  // Of a counter without its sign. Any thread. Precondition: there is such a handle.
  int64_t value(uint32_t handle) const {
    BERTH_ASSERT(handle != 0 && handle <= made_.load(std::memory_order_acquire));
    return static_cast<int64_t>(values_[handle - 1].load(std::memory_order_relaxed));
  }

 private:
  std::deque<Metric> metrics_;  // an element is written before `made_` counts it, and never again
  // Values order nothing else, so relaxed operations suffice.
  std::array<std::atomic<uint64_t>, kMost> values_{};
  std::array<std::atomic<Kind>, kMost> kinds_{};
  std::atomic<uint32_t> made_{0};  // handles are 1 .. made_
};

// Of the plugins of a run. Belongs to the thread that owns the model.
class Metrics {
 public:
  PluginMetrics& of(std::string_view plugin);
  // In the order in which the plugins first asked.
  struct Plugin {
    std::string name;
    std::unique_ptr<PluginMetrics> metrics;
  };
  const std::vector<Plugin>& plugins() const { return plugins_; }

 private:
  std::vector<Plugin> plugins_;
};

}  // namespace berth::host
