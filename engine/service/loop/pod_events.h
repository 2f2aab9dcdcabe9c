#pragma once

// Events about pods, which `kubectl describe pod` shows: Scheduled, FailedScheduling, Preempted.
// Source: kube-scheduler schedule_one.go, framework/preemption/preemption.go.

#include <string>

#include "engine/runtime/core.h"
#include "engine/runtime/report.h"
#include "engine/service/loop/outbox.h"

namespace berth::service {

// One thread, the core's.
class PodEvents {
 public:
  // Both outlive the events.
  PodEvents(const runtime::Core& core, Outbox& out) : core_(core), out_(out) {}

  void take(const runtime::Report& report);
  // While false, bindings that fail are not told: they failed because the pod is another's.
  void tell_failed_bindings(bool told) { told_ = told; }

 private:
  void scheduled(const runtime::Bound& bound);
  void failed(model::PodId pod, std::string note);

  const runtime::Core& core_;
  Outbox& out_;
  bool told_ = true;
};

// The victim was deleted for the preemptor, or waits in Permit and is refused. Precondition: it
// counts on a node.
events::Event preempted_event(const model::Cluster& cluster, const model::PodRecord& victim,
                            const model::PodRecord& preemptor);

// The pod as the API server names it.
kube::PodName pod_name(const model::Cluster& cluster, const model::PodRecord& pod);
// spec.schedulerName, or the default.
std::string scheduler_of(const model::Cluster& cluster, const model::PodRecord& pod);

}  // namespace berth::service
