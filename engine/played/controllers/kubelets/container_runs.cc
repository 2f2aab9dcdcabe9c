#include "engine/played/controllers/kubelets/container_runs.h"

#include <variant>

#include "engine/model/cluster/pod_name.h"

namespace berth::played {

bool ContainerRuns::is_silent(const std::string& node) const {
  return stopped_.contains(node) || find_node(node) == model::kNoSlot;
}

void ContainerRuns::pod_changed(model::PodId id) {
  const model::PodRecord& pod = cluster().pod(id);
  const std::optional<model::ContainerRun>& run = spec(pod).run;
  if (!run || !is_bound(pod)) return;
  if (pod.terminating) return pod_ends(id);
  // Later changes of the pod end later, and so change nothing.
  if (!held_.contains(id)) ends_.add(id, full_name(cluster(), pod), now() + Time(run->nanoseconds));
}

void ContainerRuns::pod_ends(model::PodId pod) {
  ends_.forget(pod);
  held_.erase(pod);
}

void ContainerRuns::object_changed(model::Operation, const model::Object& object) {
  const auto* node = std::get_if<model::Node>(&object);
  if (node == nullptr || held_.empty() || is_silent(node->name)) return;
  std::erase_if(held_, [&](const auto& held) {
    if (held.second.node != node->name) return false;
    ends_.add(held.first, held.second.pod, now());
    return true;
  });
}

void ContainerRuns::run_due() {
  while (const std::optional<model::PodId> pod = ends_.take(now())) {
    const std::string node = name(cluster().pod(*pod).slot);
    if (is_silent(node))
      held_.emplace(*pod, Held{full_name(cluster(), *pod), node});
    else
      finish(*pod);
  }
}

void ContainerRuns::finish(model::PodId pod) {
  const int32_t code = spec(cluster().pod(pod)).run->exit_code;
  core().door().finish(pod, {.succeeded = code == 0, .exit_code = code});
}

}  // namespace berth::played
