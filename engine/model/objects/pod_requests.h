#pragma once

// Computes the resources that a pod requests, as kube-scheduler v1.34 does. Init containers run one
// after the other, each together with the sidecars started before it. The pod requests the maximum
// of that and the sum of containers and sidecars. Pod-level requests replace the sum for the
// resources that they name; since v1.36 they follow a resize as those of containers do. Overhead is
// added. Sources: k8s.io/component-helpers resource,
// scheduler framework/types.go.

#include "engine/model/objects/objects.h"

namespace berth::model {

struct PodRequests {
  // From the spec alone; filters compare it. Sorted by name, as all lists here.
  ResourceList requests;
  // Also considers container statuses after a resize; this is what the pod counts on its node.
  ResourceList running;
  // Containers and overhead without pod-level requests, with the defaults below for containers
  // without cpu or memory requests. LeastAllocated and MostAllocated scoring use it.
  ResourceList scoring;
  // `running` with these defaults; summed up in the node's nonzero columns. Milli-CPU and bytes.
  int64_t nonzero_milli_cpu = 0;
  int64_t nonzero_memory = 0;
};

// Defaults per container for scoring: milli-CPU and bytes.
inline constexpr int64_t kDefaultMilliCpu = 100;
inline constexpr int64_t kDefaultMemory = int64_t{200} * 1024 * 1024;

// True if spec.own_status counts.
enum class PodLevelResize : uint8_t { kIgnored, kCounts };

// Computes all lists from a spec. Sums saturate. Amounts keep their fractions; resource_amount()
// rounds.
PodRequests pod_requests(const PodSpec& spec, PodLevelResize resize = PodLevelResize::kIgnored);

// The quantity as an integer: cpu in thousandths, everything else in units; rounded up.
int64_t resource_amount(std::string_view resource, const Quantity& quantity);

}  // namespace berth::model
