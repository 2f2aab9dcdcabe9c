#include "engine/events/pod_events.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/assert.h"
#include "engine/events/node_events.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::events {
namespace {

EventObject object_of(const model::Cluster& cluster, const model::PodRecord& pod) {
  EventObject object;
  object.namespace_name = cluster.text(pod.namespace_name);
  object.name = cluster.text(pod.name);
  object.uid = cluster.text(pod.uid);
  return object;
}

Event of_taint_manager(const model::Cluster& cluster, const model::PodRecord& pod,
                       std::string_view words) {
  return {.controller = "taint-eviction-controller",
          .regarding = object_of(cluster, pod),
          .reason = "TaintManagerEviction",
          .action = {},
          .note = std::string(words) + full_name(cluster, pod)};
}

}  // namespace

Event scheduled(const model::Cluster& cluster, const model::PodRecord& pod, std::string_view node) {
  return {.controller = scheduler_of(cluster, pod),
          .regarding = object_of(cluster, pod),
          .reason = "Scheduled",
          .action = "Binding",
          .note = fmt::format("Successfully assigned {} to {}", full_name(cluster, pod), node)};
}

Event failed_scheduling(const model::Cluster& cluster, const model::PodRecord& pod,
                        std::string why) {
  return {.controller = scheduler_of(cluster, pod),
          .regarding = object_of(cluster, pod),
          .warning = true,
          .reason = "FailedScheduling",
          .action = "Scheduling",
          .note = std::move(why)};
}

Event skipped(const model::Cluster& cluster, const model::PodRecord& pod) {
  return failed_scheduling(cluster, pod, "skip schedule deleting pod: " + full_name(cluster, pod));
}

Event preempted(const model::Cluster& cluster, const model::PodRecord& victim,
                const model::PodRecord& preemptor) {
  BERTH_ASSERT(victim.placed());
  return {.controller = scheduler_of(cluster, preemptor),
          .regarding = object_of(cluster, victim),
          .related = object_of(cluster, preemptor),
          .reason = "Preempted",
          .action = "Preempting",
          .note = fmt::format("Preempted by pod {} on node {}", cluster.text(preemptor.uid),
                              cluster.nodes().name(victim.slot))};
}

Event taint_manager_eviction(const model::Cluster& cluster, const model::PodRecord& pod) {
  return of_taint_manager(cluster, pod, "Marking for deletion Pod ");
}

Event taint_manager_cancels(const model::Cluster& cluster, const model::PodRecord& pod) {
  return of_taint_manager(cluster, pod, "Cancelling deletion of Pod ");
}

Event node_of_pod_not_ready(const model::Cluster& cluster, const model::PodRecord& pod) {
  return {.controller = kNodeController,
          .regarding = object_of(cluster, pod),
          .warning = true,
          .reason = "NodeNotReady",
          .action = {},
          .note = "Node is not ready"};
}

std::string scheduler_of(const model::Cluster& cluster, const model::PodRecord& pod) {
  const std::string& name = cluster.templates()[pod.pod_template].spec.scheduler_name;
  return name.empty() ? "default-scheduler" : name;
}

}  // namespace berth::events
