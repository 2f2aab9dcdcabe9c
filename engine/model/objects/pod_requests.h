#pragma once

// What a pod asks for, by the rules of kube-scheduler v1.34: init containers one after the other
// (each with the sidecars started before it) against the sum of containers and sidecars; pod-level
// requests in place of that sum where set; overhead on top. Source: k8s.io/component-helpers
// resource, scheduler framework types.

#include "engine/model/objects/objects.h"

namespace berth::model {

struct PodRequests {
  // Sorted by name. Of the spec alone: what filters compare.
  ResourceList requests;
  // With what container statuses say after a resize: what the pod counts for once it is on a node.
  ResourceList running;
  // Containers and overhead without the pod level, and with the defaults below for containers that
  // name no cpu or memory: what least- and most-allocated scoring adds.
  ResourceList scoring;
  // `running` with those defaults: what the node's nonzero sums hold.
  int64_t nonzero_milli_cpu = 0;
  int64_t nonzero_memory = 0;
};

inline constexpr int64_t kDefaultMilliCpu = 100;
inline constexpr int64_t kDefaultMemory = int64_t{200} * 1024 * 1024;

PodRequests pod_requests(const PodSpec& spec);

// cpu in thousandths, all else in units.
int64_t resource_amount(std::string_view resource, const Quantity& quantity);

}  // namespace berth::model
