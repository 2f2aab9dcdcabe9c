#include "engine/played/controllers/kubelets/kubelet_events.h"

#include <utility>

#include "engine/controllers/kubelet/admission/pod_start.h"
#include "engine/controllers/kubelet/eviction/eviction_manager.h"

namespace berth::played {

namespace kubelet = controllers::kubelet;

namespace {

constexpr const char* kKubeletName = "kubelet";

events::Event about_pod(const model::Cluster& cluster, const model::PodRecord& pod,
                        std::string_view reason, std::string note) {
  events::Event event;
  event.controller = kKubeletName;
  event.regarding.namespace_name = cluster.text(pod.namespace_name);
  event.regarding.name = cluster.text(pod.name);
  event.regarding.uid = cluster.text(pod.uid);
  event.warning = true;
  event.reason = reason;
  event.note = std::move(note);
  return event;
}

// A kubelet takes the name of its node for its UID.
events::Event about_node(const std::string& node, std::string_view reason, std::string note) {
  events::Event event;
  event.controller = kKubeletName;
  event.regarding.kind = "Node";
  event.regarding.name = event.regarding.uid = node;
  event.reason = reason;
  event.note = std::move(note);
  return event;
}

// "HasInsufficientMemory".
std::string_view state_of(kubelet::Pressure pressure, bool now) {
  switch (pressure) {
    case kubelet::Pressure::kDisk:
      return now ? "HasDiskPressure" : "HasNoDiskPressure";
    case kubelet::Pressure::kMemory:
      return now ? "HasInsufficientMemory" : "HasSufficientMemory";
    case kubelet::Pressure::kPid:
      return now ? "HasInsufficientPID" : "HasSufficientPID";
  }
  return {};
}

}  // namespace

events::Event pod_evicted(const model::Cluster& cluster, const model::PodRecord& pod,
                          const kubelet::EvictionText& text) {
  events::Event event = about_pod(cluster, pod, kubelet::kEvicted, text.message);
  event.annotations = text.annotations;
  return event;
}

events::Event pod_refused(const model::Cluster& cluster, const model::PodRecord& pod,
                          const kubelet::Refusal& refusal) {
  return about_pod(cluster, pod, refusal.reason, refusal.message);
}

events::Event pod_preempted(const model::Cluster& cluster, const model::PodRecord& pod) {
  return about_pod(cluster, pod, kubelet::kPreempting, std::string(kubelet::kPreempted));
}

events::Event container_killed(const model::Cluster& cluster, const model::PodRecord& pod,
                               const std::string& container) {
  return about_pod(
      cluster, pod, kubelet::kOomKilled,
      "The node is out of memory: container " + container + " is killed and starts again");
}

events::Event threshold_met(const std::string& node, const std::string& message) {
  events::Event event = about_node(node, "EvictionThresholdMet", message);
  event.warning = true;
  return event;
}

events::Event pressure_changed(const std::string& node, kubelet::Pressure pressure, bool now) {
  const std::string reason = "Node" + std::string(state_of(pressure, now));
  return about_node(node, reason, "Node " + node + " status is now: " + reason);
}

std::string pressure_reason(kubelet::Pressure pressure, bool now) {
  return "Kubelet" + std::string(state_of(pressure, now));
}

}  // namespace berth::played
