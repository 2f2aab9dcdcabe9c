#include "engine/runtime/scheduling/permit_service.h"

namespace berth::runtime {

PermitService::PermitService(const model::Cluster& cluster, queue::SchedulingQueue& queue,
                             host::Waiting* shown_by)
    : cluster_(cluster), queue_(queue), shown_by_(shown_by) {
  if (shown_by_ != nullptr) shown_by_->now = this;
}

PermitService::~PermitService() {
  if (shown_by_ != nullptr) shown_by_->now = nullptr;
}

void PermitService::each(const std::function<void(uint64_t pod, uint32_t node)>& visit) {
  for (const model::PodId pod : pods_.pods())
    visit(pod.handle(), cluster_.nodes().node(cluster_.pod(pod).slot).name);
}

void PermitService::activate(std::span<const uint64_t> pods) {
  for (const uint64_t pod : pods) activated_.push_back(model::PodId::from_handle(pod));
}

void PermitService::activate_asked(Time now) {
  if (activated_.empty()) return;
  std::erase_if(activated_, [&](model::PodId pod) { return !cluster_.pods().contains(pod); });
  queue_.activate(activated_, now);
  activated_.clear();
}

}  // namespace berth::runtime
