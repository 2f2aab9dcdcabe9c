#include "engine/runtime/events/report_event.h"

#include <string>
#include <utility>
#include <variant>

#include "engine/events/pod_events.h"

namespace berth::runtime {

std::optional<events::Event> event_of(const Report& report, const model::Cluster& cluster) {
  using Event = std::optional<events::Event>;
  const auto failed = [&](model::PodId pod, std::string why) {
    return events::failed_scheduling(cluster, cluster.pod(pod), std::move(why));
  };
  return std::visit(
      Match{
          [&](const Bound& to) -> Event {
            return events::scheduled(cluster, cluster.pod(to.pod), to.node);
          },
          [&](const Refused& by) -> Event { return failed(by.pod, by.decision->event()); },
          [&](const Failed& by) -> Event { return failed(by.pod, by.decision->event()); },
          [&](const BindingFailed& by) -> Event { return failed(by.pod, std::string(by.message)); },
          [&](const Skipped& one) -> Event {
            return events::skipped(cluster, cluster.pod(one.pod));
          },
          [&](const Evicted& one) -> Event {
            return events::preempted(cluster, cluster.pod(one.pod), cluster.pod(one.preemptor));
          },
          [&](const PermitPreempted& one) -> Event {
            Event told =
                events::preempted(cluster, cluster.pod(one.pod), cluster.pod(one.preemptor));
            if (one.failed) told->note += " (in kube-scheduler memory).";
            return told;
          },
          [&](const Disrupted& one) -> Event {
            if (one.reason != events::kByTaintManager) return std::nullopt;
            return events::taint_manager_eviction(cluster, cluster.pod(one.pod));
          },
          [](const Recorded& by) -> Event { return *by.event; },
          [](const auto&) -> Event { return std::nullopt; },
      },
      report);
}

}  // namespace berth::runtime
