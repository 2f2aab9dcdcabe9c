#pragma once

// The likelihood that the kernel kills a container when memory runs out. Source: k8s.io/kubernetes
// pkg/kubelet/qos v1.36.

#include <cstdint>

#include "engine/controllers/kubelet/pod/pod.h"

namespace berth::controllers::kubelet {

// oom_score_adj, -997 to 1000. `container` is one of the pod's, which fits its node;
// `memory_capacity` is the node's in bytes, above 0.
int64_t oom_score_adjust(const Pod& pod, const Container& container, int64_t memory_capacity);

}  // namespace berth::controllers::kubelet
