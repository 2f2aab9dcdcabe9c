#include "engine/runtime/events/bound_pods.h"

#include "engine/base/assert.h"

namespace berth::runtime {

BoundPods::BoundPods(const model::Cluster& cluster,
                     std::span<const std::unique_ptr<framework::Profile>> profiles,
                     host::CallContext& calls)
    : cluster_(cluster), calls_(calls) {
  for (const auto& profile : profiles)
    for (const Hook& hook : profile->observe) hooks_.push_back(&hook);
}

host::AboutPod BoundPods::about(const model::PodRecord& pod) const {
  return {cluster_.text(pod.namespace_name), cluster_.text(pod.name),
          host::AboutPod::Of::kThread};
}

berth_call BoundPods::call(const Hook& hook, const model::PodRecord& pod) {
  BERTH_ASSERT(pod.placed());
  const model::PodRecord* record = &pod;
  const model::Row row = cluster_.nodes().row_of(pod.slot);
  hook.bound.gather_pods(nullptr, {&record, 1}, {&row, 1}, columns_);
  return framework::BoundHook::call(columns_, 1, nullptr, 0);
}

void BoundPods::tell_bound(model::PodId pod) {
  const model::PodRecord& record = cluster_.pod(pod);
  const host::AboutPod about = this->about(record);
  for (const Hook* hook : hooks_) {
    berth_call one = call(*hook, record);
    static_cast<void>(hook->point->bound(calls_, one));
  }
}

void BoundPods::tell_changed(model::PodId pod) {
  const model::PodRecord& record = cluster_.pod(pod);
  const host::AboutPod about = this->about(record);
  for (const Hook* hook : hooks_) {
    if (!hook->point->is_told_of_changes()) continue;
    berth_call one = call(*hook, record);
    static_cast<void>(hook->point->changed(calls_, one));
  }
}

void BoundPods::tell_left(const model::PodRecord& pod) {
  const host::AboutPod about = this->about(pod);
  for (const Hook* hook : hooks_) {
    berth_call one = call(*hook, pod);
    static_cast<void>(hook->point->left(calls_, one));
  }
}

void BoundPods::tell_node_left(model::Slot slot) {
  const model::StringId name = cluster_.nodes().node(slot).name;
  for (const Hook* hook : hooks_)
    if (hook->point->is_told_of_nodes())
      static_cast<void>(hook->point->node_left(calls_, {&name, 1}));
}

}  // namespace berth::runtime
