#pragma once

// Metrics of attempts and of pods that are bound, from the core's reports.
//
//   begins -> chosen -> Scheduled -> Bound, or BindingFailed
//        \         \--> Refused, Failed (by Reserve or Permit)
//         \--> Refused, Failed
//
// One thread writes, that of the core. Any thread may collect the registry meanwhile.

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <vector>

#include "engine/metrics/families.h"
#include "engine/metrics/machine_clock.h"
#include "engine/runtime/core.h"

namespace berth::metrics {

class AttemptMetrics {
 public:
  // The registry and the core outlive the object.
  AttemptMetrics(prometheus::Registry& registry, const runtime::Core& core, MachineClock clock);

  // An attempt begins.
  void begins();
  // It has a node.
  void chosen();
  void take(const runtime::Report& report);

  // Pods that were scheduled and neither bound nor given back.
  size_t binding_cycles() const { return begun_of_.size(); }

 private:
  enum class Result : uint8_t { kScheduled, kUnschedulable, kError };
  static constexpr size_t kResults = 3;
  // From so many attempts on, pods share a label.
  static constexpr uint32_t kMostAttempts = 15;

  // The series of a profile, by result. Null: it does not exist yet.
  struct Series {
    std::array<prometheus::Counter*, kResults> attempts{};
    std::array<prometheus::Histogram*, kResults> durations{};
  };

  void on(const runtime::Bound& to);
  void on_no_node(model::PodId pod, Result result, const framework::Decision& decision);
  void on_binding_failed(const runtime::BindingFailed& failed);
  void count_victims(const std::vector<model::PodId>& victims);
  void end_algorithm();
  void end(model::PodId pod, Result result, std::optional<Time> begun);
  std::optional<Time> take_begun(model::PodId pod);
  Series& series(queue::ProfileId profile, Result result);
  prometheus::Histogram& sli(uint32_t attempts);

  const runtime::Core& core_;
  MachineClock clock_;
  Counters& attempts_;
  Histograms& durations_;
  Histograms& sli_durations_;
  prometheus::Histogram& algorithm_;
  prometheus::Histogram& pod_attempts_;
  prometheus::Counter& preemptions_;
  prometheus::Histogram& victims_;
  prometheus::Counter* after_flush_ = nullptr;  // null: the version has none

  std::vector<Series> series_;                                    // by profile
  std::array<prometheus::Histogram*, kMostAttempts + 1> slis_{};  // by attempts; null: as above
  Time begun_{};                                                  // of the attempt under way
  bool in_algorithm_ = false;
  boost::unordered_flat_map<uint64_t, Time> begun_of_;  // attempts of pods being bound, by handle
};

}  // namespace berth::metrics
