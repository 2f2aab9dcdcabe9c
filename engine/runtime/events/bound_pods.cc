#include "engine/runtime/events/bound_pods.h"

#include "engine/base/assert.h"

namespace berth::runtime {

BoundPods::BoundPods(const model::Cluster& cluster,
                     std::span<const std::unique_ptr<framework::Profile>> profiles,
                     host::CallContext& calls)
    : cluster_(cluster), calls_(calls) {
  for (const auto& profile : profiles)
    for (const Hook& hook : profile->observe) {
      const bool apart = hook.point->is_apart();
      listeners_.push_back({&hook, apart ? hook.point->living_process() : 0});
      is_apart_ = is_apart_ || apart;
    }
}

host::AboutPod BoundPods::about(const model::PodRecord& pod) const {
  return {cluster_.text(pod.namespace_name), cluster_.text(pod.name), host::AboutPod::Of::kThread};
}

berth_call BoundPods::call(const Hook& hook, const model::PodRecord& pod) {
  BERTH_ASSERT(pod.placed());
  const model::PodRecord* record = &pod;
  const model::Row row = cluster_.nodes().row_of(pod.slot);
  hook.bound.gather_pods(nullptr, {&record, 1}, {&row, 1}, columns_);
  return framework::BoundHook::call(columns_, 1, nullptr, 0);
}

bool BoundPods::is_started_again(const Listener& one) const {
  if (!one.hook->point->is_apart()) return false;
  const uint64_t process = one.hook->point->living_process();
  return process == 0 || process != one.process;
}

void BoundPods::tell_all(Listener& one) {
  bool ended = false;
  cluster_.pods().for_each([&](const model::PodRecord& pod) {
    if (ended || !is_told(pod)) return;
    const host::AboutPod about = this->about(pod);
    berth_call made = call(*one.hook, pod);
    ended = one.hook->point->bound(calls_, made) && one.hook->point->living_process() == 0;
  });
  one.process = one.hook->point->living_process();
}

void BoundPods::tell_again() {
  for (Listener& one : listeners_)
    if (is_started_again(one)) tell_all(one);
}

// The pod is one of all already.
void BoundPods::tell_bound(model::PodId pod) {
  const model::PodRecord& record = cluster_.pod(pod);
  const host::AboutPod about = this->about(record);
  for (Listener& one : listeners_) {
    if (is_started_again(one)) {
      tell_all(one);
      continue;
    }
    berth_call made = call(*one.hook, record);
    static_cast<void>(one.hook->point->bound(calls_, made));
  }
}

void BoundPods::tell_changed(model::PodId pod) {
  const model::PodRecord& record = cluster_.pod(pod);
  const host::AboutPod about = this->about(record);
  for (Listener& one : listeners_) {
    if (is_started_again(one)) {
      tell_all(one);
    } else if (one.hook->point->is_told_of_changes()) {
      berth_call made = call(*one.hook, record);
      static_cast<void>(one.hook->point->changed(calls_, made));
    }
  }
}

void BoundPods::tell_left(const model::PodRecord& pod) {
  catch_up();
  const host::AboutPod about = this->about(pod);
  for (const Listener& one : listeners_) {
    berth_call made = call(*one.hook, pod);
    static_cast<void>(one.hook->point->left(calls_, made));
  }
}

void BoundPods::tell_node_left(model::Slot slot) {
  catch_up();
  const model::StringId name = cluster_.nodes().node(slot).name;
  for (const Listener& one : listeners_)
    if (one.hook->point->is_told_of_nodes())
      static_cast<void>(one.hook->point->node_left(calls_, {&name, 1}));
}

}  // namespace berth::runtime
