#pragma once

// The times that extension points, plugins, events and waits in Permit take. What is measured
// stands in docs/metrics.md: Berth asks plugins about many nodes or pods at once, and not at all
// where it kept the answers.
//
// One thread writes, that of the core. Any thread may collect the registry meanwhile.

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/host/calls/call_context.h"
#include "engine/metrics/families.h"
#include "engine/metrics/machine_clock.h"
#include "engine/metrics/parts/batch_metrics.h"
#include "engine/runtime/core.h"

namespace berth::metrics {

// A core has one: it is the core's timekeeper as long as it lives.
class TimingMetrics final : public runtime::Timekeeper {
 public:
  // The registry and the core outlive the object. Any thread calls the clock. Call it between two
  // calls of the core.
  TimingMetrics(prometheus::Registry& registry, runtime::Core& core, MachineClock clock);
  ~TimingMetrics() override;
  TimingMetrics(const TimingMetrics&) = delete;
  TimingMetrics& operator=(const TimingMetrics&) = delete;

  // Between two decisions, or calls of the core: counts the calls of plugins that decisions made.
  void take_calls();
  // When a batch was bound and no other has begun: those of the binding thread.
  void take_binding_calls();

  Time now() override { return clock_(); }
  void asked(framework::TimedPoint point, const framework::Profile& profile, uint8_t code,
             Time took) override;
  void batch_asked(const framework::Profile& profile, framework::BatchMiss miss,
                   Time took) override;
  void batch_told(const framework::Profile& profile, bool named, framework::BatchEnd end,
                  Time took) override;
  void handled(const queue::Move& event, size_t events, Time took) override;
  void permit_waited(bool allowed, Time waited) override;

 private:
  static constexpr size_t kCodes = 7;  // BERTH_ codes
  // Calls of one thread that are kept until they are taken. kube-scheduler drops what its buffer of
  // 1000 does not hold; so do we.
  static constexpr size_t kMostCalls = 4096;

  // Series by code. Null: it does not exist yet.
  using ByCode = std::array<prometheus::Histogram*, kCodes>;
  struct Plugin {
    bool known = false, measured = false;
    ByCode series{};
  };
  struct Log {
    host::CallContext* calls = nullptr;
    std::unique_ptr<host::CallLog> log;
  };

  void take(host::CallLog& log);
  Plugin& plugin(host::HookId hook);
  size_t position_of(const framework::Profile& profile) const;  // among the core's
  ByCode& point_series(const framework::Profile& profile, framework::TimedPoint point);

  runtime::Core& core_;
  MachineClock clock_;
  Histograms& points_;
  Histograms& plugins_;
  Histograms& events_;
  Histograms& waits_;
  std::optional<BatchMetrics> batches_;  // nothing: the rules have no batches
  std::vector<Log> logs_;                // of decisions
  Log binding_log_;                      // of the binding thread; no log: there is none
  std::vector<Plugin> by_hook_;
  std::vector<std::array<ByCode, framework::kTimedPoints>> by_profile_;
  std::vector<std::pair<queue::Move, prometheus::Histogram*>> by_event_;  // few kinds occur
  std::array<prometheus::Histogram*, 2> by_end_{};  // of waits: refused, allowed; null: as above
};

}  // namespace berth::metrics
