#pragma once

// Events by which a kubelet tells what it does. Sources: k8s.io/kubernetes pkg/kubelet/eviction,
// pkg/kubelet/nodestatus, pkg/kubelet/kubelet.go v1.36.

#include <string>
#include <string_view>

#include "engine/controllers/kubelet/eviction/eviction_text.h"
#include "engine/controllers/kubelet/eviction/signals.h"
#include "engine/controllers/kubelet/refusal.h"
#include "engine/events/event.h"
#include "engine/model/cluster/cluster.h"

namespace berth::played {

events::Event pod_evicted(const model::Cluster& cluster, const model::PodRecord& pod,
                          const controllers::kubelet::EvictionText& text);
// The pod does not start.
events::Event pod_refused(const model::Cluster& cluster, const model::PodRecord& pod,
                          const controllers::kubelet::Refusal& refusal);
// The pod stops so that a critical one can start.
events::Event pod_preempted(const model::Cluster& cluster, const model::PodRecord& pod);
// OOMKilled. A cluster has no such event: it tells this by the status of the container.
events::Event container_killed(const model::Cluster& cluster, const model::PodRecord& pod,
                               const std::string& container);
// EvictionThresholdMet.
events::Event threshold_met(const std::string& node, const std::string& message);
// The condition of the node is another.
events::Event pressure_changed(const std::string& node, controllers::kubelet::Pressure pressure,
                               bool now);

// The reason of the condition: "KubeletHasSufficientMemory".
std::string pressure_reason(controllers::kubelet::Pressure pressure, bool now);

}  // namespace berth::played
