#pragma once

// Pods of the cluster as a kubelet reads them, and what they use.

#include "engine/controllers/kubelet/eviction/usage.h"
#include "engine/controllers/kubelet/pod/pod.h"
#include "engine/model/cluster/cluster.h"
#include "engine/model/objects/kubelet_objects.h"

namespace berth::played {

// - A pod with the annotation of a mirror, or whose controller is its node, is the mirror of a
// static
//   pod.
// - Volumes are not known, so no emptyDir is above its limit.
// - How a quantity was written is not known: messages have the form with the fewest digits, of two
//   that have as many the binary one.
controllers::kubelet::Pod kubelet_pod(const model::Cluster& cluster, const model::PodRecord& pod);

// What a container uses of the disk counts as its writable layer. A pod of which nothing was
// measured (null) uses nothing.
controllers::kubelet::PodUsage kubelet_usage(const controllers::kubelet::Pod& pod,
                                             const model::PodMetrics* metrics);

// The sum of all containers. A figure is absent if no container has it.
model::MeasuredUsage sum_of(const model::PodMetrics& metrics);

}  // namespace berth::played
