#pragma once

// The events of kube-scheduler v1.34.1, and of controllers, about pods. Sources: schedule_one.go,
// framework/preemption/preemption.go, controller/tainteviction.

#include <string>
#include <string_view>

#include "engine/events/event.h"
#include "engine/model/cluster/cluster.h"

namespace berth::events {

// The pod was bound to the node.
Event scheduled(const model::Cluster& cluster, const model::PodRecord& pod, std::string_view node);
// An attempt did not bind the pod; `why` is its message.
Event failed_scheduling(const model::Cluster& cluster, const model::PodRecord& pod,
                        std::string why);
// The pod is being deleted, and its turn came.
Event skipped(const model::Cluster& cluster, const model::PodRecord& pod);
// The victim was deleted for the preemptor, or waits in Permit and is refused. Precondition: it
// counts on a node.
Event preempted(const model::Cluster& cluster, const model::PodRecord& victim,
                const model::PodRecord& preemptor);

// The pod does not tolerate a taint of its node, or not any longer. The reason of its condition
// DisruptionTarget is this.
inline constexpr std::string_view kByTaintManager = "DeletionByTaintManager";
Event taint_manager_eviction(const model::Cluster& cluster, const model::PodRecord& pod);
// It has no time limit on its node any more: nothing evicts it, it is gone, or it goes at once.
Event taint_manager_cancels(const model::Cluster& cluster, const model::PodRecord& pod);
// The node lifecycle controller found the kubelet of the pod's node silent.
Event node_of_pod_not_ready(const model::Cluster& cluster, const model::PodRecord& pod);

// spec.schedulerName, or the default.
std::string scheduler_of(const model::Cluster& cluster, const model::PodRecord& pod);

}  // namespace berth::events
