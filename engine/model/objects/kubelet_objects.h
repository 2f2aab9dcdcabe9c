#pragma once

// The settings of kubelets, and the measures of the pods and nodes that they look after. Sources:
// k8s.io/kubelet config/v1beta1, k8s.io/metrics metrics/v1beta1.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/time.h"
#include "engine/model/objects/objects.h"

namespace berth::model {

// KubeletConfiguration, as far as a kubelet is played. Maps have the names of signals as keys;
// their values were checked.
struct KubeletConfiguration {
  // The annotation berth/node-selector: of nodes whose kubelets have it. Absent: of all others.
  std::optional<LabelSelector> node_selector{};
  std::optional<StringMap> eviction_hard{};  // absent: the defaults
  bool merges_default_eviction = false;      // with eviction_hard
  StringMap eviction_soft{}, eviction_soft_grace{}, minimum_reclaim{};
  int32_t most_grace_seconds = 0;  // evictionMaxPodGracePeriod
  Time pressure_transition = std::chrono::minutes(5);
  Time status_update = std::chrono::seconds(10);
  bool enforces_pods = true;  // enforceNodeAllocatable has "pods"
  ResourceList reserved{};    // systemReserved and kubeReserved together
};

// The use of all that a kubelet watches; of a figure that is absent, nothing is known.
struct MeasuredUsage {
  std::optional<int64_t> memory{};     // bytes of the working set
  std::optional<int64_t> storage{};    // bytes of ephemeral-storage
  std::optional<int64_t> inodes{};     // berth/inodes
  std::optional<int64_t> processes{};  // berth/pids
  bool operator==(const MeasuredUsage&) const = default;
};

struct ContainerMetrics {
  std::string name;
  MeasuredUsage usage;
  bool operator==(const ContainerMetrics&) const = default;
};

// A look at a pod; it counts until the next one of the pod.
struct PodMetrics {
  std::vector<ContainerMetrics> containers;
};

// A look at a node: its pods and what runs beside them, or the latter alone.
struct NodeMetrics {
  MeasuredUsage usage;
  bool beside_pods = false;  // without the pods
};

}  // namespace berth::model
