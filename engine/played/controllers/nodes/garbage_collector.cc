#include "engine/played/controllers/nodes/garbage_collector.h"

#include <algorithm>
#include <variant>

#include "engine/model/cluster/pod_name.h"
#include "engine/played/controllers/nodes/node_lifecycles.h"

namespace berth::played {

using controllers::CollectedPod;

void GarbageCollector::object_changed(model::Operation operation, const model::Object& object) {
  const auto* node = std::get_if<model::Node>(&object);
  if (node == nullptr || operation != model::Operation::kDeleted) return;
  if (!known_.contains(node->name) && pods_on(node->name).empty()) return;
  wake();
  known_.insert(node->name);
  rules_.node_gone(now(), node->name);
}

void GarbageCollector::node_changed(model::Slot slot) {
  constexpr std::string_view kOutOfService = "node.kubernetes.io/out-of-service";
  if (node(slot).taint_set == 0 && known_.empty()) return;
  const std::string of = name(slot);
  const std::vector<model::Taint> all = taints(slot);
  const bool out = std::ranges::find(all, kOutOfService, &model::Taint::key) != all.end();
  if (!out && !known_.contains(of)) return;
  wake();
  known_.insert(of);
  rules_.node_changed(now(), of, lifecycles_ == nullptr || lifecycles_->is_ready(of), all);
  for (const model::PodId pod : cluster().pods_on(of)) pod_changed(pod);
}

void GarbageCollector::pod_changed(model::PodId id) {
  if (known_.empty()) return;
  const model::PodRecord& pod = cluster().pod(id);
  if (is_bound(pod) && pod.terminating && known_.contains(name(pod.slot)))
    rules_.pod_changed(now(), collected(pod));
}

void GarbageCollector::pod_ends(model::PodId pod) {
  if (!known_.empty()) rules_.pod_gone(full_name(cluster(), pod));
}

CollectedPod GarbageCollector::collected(const model::PodRecord& pod) const {
  return {
      .name = full_name(cluster(), pod), .node = name(pod.slot), .terminating = pod.terminating};
}

std::vector<CollectedPod> GarbageCollector::pods_on(const std::string& node) const {
  std::vector<CollectedPod> pods;
  each_bound_pod(node, [&](const model::PodRecord& pod) { pods.push_back(collected(pod)); });
  std::ranges::sort(pods, {}, &CollectedPod::name);
  return pods;
}

void GarbageCollector::collect(Time, const CollectedPod& pod,
                               const controllers::Condition* condition) {
  const model::PodId id = find_pod(pod.name);
  if (!id) return;
  EvictionCause cause;
  const std::string gone = "node " + pod.node + " is gone";
  if (condition != nullptr) cause = {condition->reason, condition->message, gone};
  evictor_.delete_within(id, 0, cause);
}

}  // namespace berth::played
