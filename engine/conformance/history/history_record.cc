#include "engine/conformance/history/history_record.h"

#include <algorithm>

#include "engine/model/cluster/pod_name.h"

namespace berth::conformance {
namespace {

using queue::Place;

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> names(const runtime::Core& core, Place place) {
  std::vector<std::string> list;
  for (const model::PodId pod : core.scheduler().queue().list(place))
    list.push_back(full_name(core.cluster(), pod));
  return list;
}

void add_waiting(runtime::Core& core, Place place, std::vector<WaitingPod>& to) {
  const runtime::Scheduler& scheduler = core.scheduler();
  for (const model::PodId pod : scheduler.queue().list(place)) {
    WaitingPod waiting{full_name(core.cluster(), pod), {}, place == Place::kGated};
    for (const queue::RefuserId refuser : scheduler.queue().refusers(pod).all())
      waiting.plugins.push_back(core.scheduler().policy().name(refuser));
    waiting.plugins = sorted(std::move(waiting.plugins));
    to.push_back(std::move(waiting));
  }
}

}  // namespace

SchedulerState state_of(runtime::Core& core) {
  SchedulerState state;
  state.active = names(core, Place::kActive);
  state.backoff = names(core, Place::kBackoff);
  state.error_backoff = sorted(names(core, Place::kErrorBackoff));
  add_waiting(core, Place::kUnschedulable, state.unschedulable);
  add_waiting(core, Place::kGated, state.unschedulable);
  std::sort(state.unschedulable.begin(), state.unschedulable.end(),
            [](const WaitingPod& a, const WaitingPod& b) { return a.pod < b.pod; });
  for (const model::PodId pod : core.scheduler().bindings().permits().pods())
    state.waiting.push_back(full_name(core.cluster(), pod));
  state.waiting = sorted(std::move(state.waiting));
  const model::Cluster& cluster = core.cluster();
  cluster.pods().for_each([&](const model::PodRecord& pod) {
    const std::string name = full_name(cluster, pod.id);
    if (pod.nominated) state.nominations[name] = cluster.text(pod.nominated_node);
    if (pod.placed()) ++state.pods[std::string(cluster.nodes().name(pod.slot))];
    if (pod.terminating) state.terminating.push_back(name);
  });
  state.terminating = sorted(std::move(state.terminating));
  return state;
}

}  // namespace berth::conformance
