#include "engine/service/loop/pod_events.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "engine/base/assert.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::service {
namespace {

events::EventObject event_object(const model::Cluster& cluster, const model::PodRecord& pod) {
  kube::PodName name = pod_name(cluster, pod);
  events::EventObject object;
  object.namespace_name = std::move(name.namespace_name);
  object.name = std::move(name.name);
  object.uid = std::move(name.uid);
  return object;
}

}  // namespace

kube::PodName pod_name(const model::Cluster& cluster, const model::PodRecord& pod) {
  return {.namespace_name = std::string(cluster.text(pod.namespace_name)),
          .name = std::string(cluster.text(pod.name)),
          .uid = std::string(cluster.text(pod.uid))};
}

std::string scheduler_of(const model::Cluster& cluster, const model::PodRecord& pod) {
  const std::string& name = cluster.templates()[pod.pod_template].spec.scheduler_name;
  return name.empty() ? "default-scheduler" : name;
}

events::Event preempted_event(const model::Cluster& cluster, const model::PodRecord& victim,
                            const model::PodRecord& preemptor) {
  BERTH_ASSERT(victim.placed());
  return {.scheduler = scheduler_of(cluster, preemptor),
          .regarding = event_object(cluster, victim),
          .related = event_object(cluster, preemptor),
          .reason = "Preempted",
          .action = "Preempting",
          .note = fmt::format("Preempted by pod {} on node {}", cluster.text(preemptor.uid),
                              cluster.nodes().name(victim.slot))};
}

void PodEvents::take(const runtime::Report& report) {
  std::visit(
      runtime::Match{
          [&](const runtime::Bound& bound) { scheduled(bound); },
          [&](const runtime::Refused& by) { failed(by.pod, by.decision->event()); },
          [&](const runtime::Failed& by) { failed(by.pod, by.decision->event()); },
          [&](const runtime::BindingFailed& by) {
            if (told_) failed(by.pod, std::string(by.message));
          },
          [&](const runtime::PermitPreempted& one) {
            const model::Cluster& cluster = core_.cluster();
            out_.record(preempted_event(cluster, cluster.pod(one.pod), cluster.pod(one.preemptor)));
          },
          [](const auto&) {},
      },
      report);
}

void PodEvents::scheduled(const runtime::Bound& bound) {
  const model::Cluster& cluster = core_.cluster();
  const model::PodRecord& pod = cluster.pod(bound.pod);
  out_.record(
      {.scheduler = scheduler_of(cluster, pod),
       .regarding = event_object(cluster, pod),
       .reason = "Scheduled",
       .action = "Binding",
       .note = fmt::format("Successfully assigned {} to {}", full_name(cluster, pod), bound.node)});
}

void PodEvents::failed(model::PodId id, std::string note) {
  const model::Cluster& cluster = core_.cluster();
  const model::PodRecord& pod = cluster.pod(id);
  out_.record({.scheduler = scheduler_of(cluster, pod),
               .regarding = event_object(cluster, pod),
               .warning = true,
               .reason = "FailedScheduling",
               .action = "Scheduling",
               .note = std::move(note)});
}

}  // namespace berth::service
