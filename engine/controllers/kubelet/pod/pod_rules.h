#pragma once

// Facts that follow from a pod alone: its class, its requests and limits, and whether it is
// critical. Sources: k8s.io/kubernetes pkg/kubelet/types, pkg/api/v1/resource,
// pkg/apis/core/v1/helper/qos, k8s.io/component-helpers resource.

#include "engine/controllers/kubelet/pod/pod.h"

namespace berth::controllers::kubelet {

// Static and mirror pods, and those with a system priority (2000000000 or more): a kubelet never
// evicts them, and stops others for them.
bool is_critical(const Pod& pod);
// A critical pod of the class system-node-critical.
bool is_node_critical(const Pod& pod);
// True if `pod` may be stopped so that `critical`, a critical pod, can start.
bool is_preemptable(const Pod& critical, const Pod& pod);

// status.qosClass if it is set. Else resources of the pod as a whole, where it has any, hide those
// of its containers.
QosClass qos_class(const Pod& pod);

// True if spec.resources names cpu, memory or huge pages.
bool has_pod_resources(const Pod& pod);
bool has_pod_requests(const Pod& pod);

// The request by which a kubelet ranks the pod and stops it for others. Not that of scheduling: if
// the pod as a whole has resources, requests of containers count for no resource at all, and
// overhead counts only beside a request.
model::Quantity ranked_request(const Pod& pod, std::string_view resource);
// The most that containers request at one time, without the pod's own requests and overhead.
model::Quantity container_requests(const Pod& pod, std::string_view resource);
// The limit of all containers together, with overhead. Nothing: no container has one.
std::optional<Amount> container_limits(const Pod& pod, std::string_view resource);

}  // namespace berth::controllers::kubelet
