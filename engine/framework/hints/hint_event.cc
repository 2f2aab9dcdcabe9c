#include "engine/framework/hints/hint_event.h"

namespace berth::framework {
namespace {

// True if the pod asked for more of a resource before, or no longer names one. Both are in the
// order of names, so one walk does.
bool scaled_down(const model::Amounts& before, const model::Amounts& after) {
  auto now = after.begin();
  for (const auto& [resource, amount] : before) {
    while (now != after.end() && now->first != resource) ++now;
    if (now == after.end() || amount > now->second) return true;
    ++now;
  }
  return false;
}

}  // namespace

Actions node_actions(model::Changes changes, const model::NodeTable::Values& after) {
  Actions actions;
  const auto add = [&](model::Changes change, uint32_t action) {
    if ((changes & change) != 0) actions.push_back(action);
  };
  if (!after.unschedulable) add(model::change::kUnschedulable, BERTH_DID_UPDATE_TAINT);
  add(model::change::kAllocatable, BERTH_DID_UPDATE_ALLOCATABLE);
  add(model::change::kLabels, BERTH_DID_UPDATE_LABEL);
  add(model::change::kTaints, BERTH_DID_UPDATE_TAINT);
  add(model::change::kAnnotations, BERTH_DID_UPDATE_ANNOTATION);
  add(model::change::kDeclaredFeatures, BERTH_DID_UPDATE_DECLARED_FEATURES);
  return actions;
}

Actions pod_actions(const model::PodRecord& before, const model::PodRecord& after,
                    const model::Cluster& cluster) {
  Actions actions;
  const model::PodTemplate& old = cluster.templates()[before.pod_template];
  const model::PodTemplate& now = cluster.templates()[after.pod_template];
  if (before.labels != after.labels) actions.push_back(BERTH_DID_UPDATE_LABEL);
  if (scaled_down(old.running, now.running)) actions.push_back(BERTH_DID_UPDATE_SCALE_DOWN);
  if (!old.scheduling_gates.empty() && now.scheduling_gates.empty())
    actions.push_back(BERTH_DID_UPDATE_GATES);
  if (old.toleration_keys.size() != now.toleration_keys.size())
    actions.push_back(BERTH_DID_UPDATE_TOLERATION);
  if (actions.empty()) actions.push_back(BERTH_DID_UPDATE_OTHER);
  return actions;
}

HintEvent node_event(uint32_t action, model::Slot slot, const model::NodeTable::Values* before,
                     const model::Cluster& cluster) {
  HintEvent event;
  event.kind = BERTH_ON_NODE;
  event.action = action;
  event.slot = slot;
  event.node_before = before;
  if (action != BERTH_DID_DELETE) event.node_after = &cluster.nodes().node(slot);
  return event;
}

HintEvent pod_event(uint32_t kind, uint32_t action, const model::PodRecord* before,
                    const model::PodRecord* after, model::StringId assigned) {
  HintEvent event;
  event.kind = kind;
  event.action = action;
  event.pod_before = before;
  event.pod_after = after;
  event.assigned = assigned;
  event.nominated = (before != nullptr ? before : after)->nominated_node;
  return event;
}

HintEvent storage_event(const model::VolumeChange& change) {
  HintEvent event;
  event.kind = change.kind;
  event.action = change.before == nullptr  ? BERTH_DID_ADD
                 : change.after == nullptr ? BERTH_DID_DELETE
                                           : BERTH_DID_UPDATE_OTHER;
  event.object_before = change.before;
  event.object_after = change.after;
  return event;
}

}  // namespace berth::framework
