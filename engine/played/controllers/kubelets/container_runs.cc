#include "engine/played/controllers/kubelets/container_runs.h"

#include <variant>

#include "engine/model/cluster/pod_name.h"

namespace berth::played {

bool ContainerRuns::is_silent(const std::string& node) const {
  return stopped_.is_silent(node) || find_node(node) == model::kNoSlot;
}

void ContainerRuns::pod_changed(model::PodId id) {
  const model::PodRecord& pod = cluster().pod(id);
  const std::optional<model::ContainerRun>& run = spec(pod).run;
  if (!run || !is_bound(pod)) return;
  if (pod.terminating) return stops(id);
  // Later changes of the pod end later, and so change nothing.
  if (!held_.contains(id) && !stopping_.contains(id))
    ends_.add(id, full_name(cluster(), pod), now() + Time(run->nanoseconds));
}

void ContainerRuns::stops(model::PodId pod) {
  if (!spec(cluster().pod(pod)).run) return;
  stopping_.insert(pod);
  ends_.forget(pod);
  held_.forget(pod);
}

void ContainerRuns::pod_ends(model::PodId pod) {
  ends_.forget(pod);
  held_.forget(pod);
  stopping_.erase(pod);
}

void ContainerRuns::object_changed(model::Operation, const model::Object& object) {
  const auto* node = std::get_if<model::Node>(&object);
  if (node == nullptr || held_.empty() || is_silent(node->name)) return;
  held_.release(node->name, now(), ends_);
}

void ContainerRuns::run_due() {
  while (const std::optional<model::PodId> pod = ends_.take(now())) {
    const std::string node = name(cluster().pod(*pod).slot);
    if (is_silent(node))
      held_.add(*pod, full_name(cluster(), *pod), node);
    else
      finish(*pod);
  }
}

void ContainerRuns::finish(model::PodId pod) {
  const int32_t code = spec(cluster().pod(pod)).run->exit_code;
  core().door().finish(pod, {.succeeded = code == 0, .exit_code = code});
}

}  // namespace berth::played
