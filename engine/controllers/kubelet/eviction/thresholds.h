#pragma once

// The values below which a kubelet begins to evict. Source: k8s.io/kubernetes
// pkg/kubelet/eviction/helpers.go v1.36.

#include <optional>
#include <variant>
#include <vector>

#include "engine/base/time.h"
#include "engine/controllers/kubelet/eviction/signals.h"
#include "engine/controllers/kubelet/pod/amount.h"
#include "engine/model/objects/objects.h"

namespace berth::controllers::kubelet {

// An amount, or a part of the capacity between 0 and 1.
using ThresholdValue = std::variant<Amount, float>;

// A part of the capacity is cut to an integer, in floating point as a kubelet does: 10 % of 100Gi
// are 10737418400 bytes.
Amount amount_of(const ThresholdValue& value, int64_t capacity);

struct Threshold {
  Signal signal = Signal::kMemoryAvailable;
  ThresholdValue value;
  Time grace{};  // 0: hard
  std::optional<ThresholdValue> minimum_reclaim{};

  bool hard() const { return grace == Time{}; }
};

// As in a kubelet's configuration, values by the name of their signal.
struct ThresholdSettings {
  model::StringMap hard{}, soft{}, soft_grace{}, minimum_reclaim{};
  bool enforce_pods = true;  // enforceNodeAllocatable contains "pods"
};

// The value of `hard` where a configuration does not have it.
model::StringMap default_hard_thresholds();

// Hard thresholds, soft ones, then those of the memory that pods may use. "0%" and "100%" switch a
// threshold off. Throws Error, with the name of the setting and of the signal.
std::vector<Threshold> parse_thresholds(const ThresholdSettings& settings);

// Thresholds of containerfs follow those of the filesystem that it is on; what settings say of it
// does not count. `at_once`: how many thresholds hold from the first round on; the others, from the
// second.
struct NodeThresholds {
  std::vector<Threshold> all;
  size_t at_once = 0;
};
NodeThresholds with_container_filesystem(const std::vector<Threshold>& configured,
                                         Filesystems filesystems);

}  // namespace berth::controllers::kubelet
