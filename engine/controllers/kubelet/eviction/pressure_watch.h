#pragma once

// Which thresholds of a node are met, for how long, and the conditions that follow. Source:
// k8s.io/kubernetes pkg/kubelet/eviction v1.36.

#include <array>
#include <optional>
#include <vector>

#include "engine/controllers/kubelet/eviction/thresholds.h"
#include "engine/controllers/kubelet/eviction/usage.h"

namespace berth::controllers::kubelet {

class PressureWatch {
 public:
  // `transition`: how long a condition stays True after its cause. 0: it never shows.
  PressureWatch(const std::vector<Threshold>& configured, Filesystems filesystems, Time transition)
      : transition_(transition),
        thresholds_(with_container_filesystem(configured, filesystems)),
        first_met_(thresholds_.all.size()) {}

  struct Look {
    bool any_met = false;  // also within grace periods
    bool pressures_changed = false;
    // Those that are met for their grace periods, by statistics newer than those of the look
    // before. In order; valid as long as the watch.
    std::vector<const Threshold*> acting;
  };
  // One look for each round.
  Look look(const Statistics& seen, Time now);

  // The conditions of the node that are True, in the order of their names.
  const std::vector<Pressure>& pressures() const { return pressures_; }
  // True if every signal is above all values and minimum reclaims. Changes nothing.
  bool all_resolved(const Statistics& seen) const;

 private:
  using Indices = std::vector<size_t>;  // of thresholds, in order

  Indices met(const Statistics& seen) const;
  bool note_pressures(const Indices& met, Time now);
  void note_times(const Indices& met, Time now);
  bool has_news(const Threshold& threshold, const Statistics& seen) const;

  Time transition_;
  NodeThresholds thresholds_;
  bool first_look_ = true;
  std::vector<std::optional<Time>> first_met_;  // by threshold; nothing: it is not met
  Indices past_grace_;                          // in the last look
  BySignal<std::optional<Time>> last_times_{};  // of the statistics of the last look
  std::array<std::optional<Time>, kPressures> last_pressure_{};
  std::vector<Pressure> pressures_;
};

}  // namespace berth::controllers::kubelet
