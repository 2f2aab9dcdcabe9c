#pragma once

// The events of kube-scheduler v1.34.1 about pods. Sources: schedule_one.go and
// framework/preemption/preemption.go.

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
// The victim was deleted for the preemptor. Precondition: it counts on a node.
Event preempted(const model::Cluster& cluster, const model::PodRecord& victim,
                const model::PodRecord& preemptor);

// spec.schedulerName, or the default.
std::string scheduler_of(const model::Cluster& cluster, const model::PodRecord& pod);

}  // namespace berth::events
