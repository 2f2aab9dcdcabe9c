#pragma once

// The service by which plugins look at pods that wait in Permit, let them go on or refuse them, and
// ask that pods of the queue become active.
//
// A plugin may ask at any call, also while the queue or a binding cycle calls it. So what it asks
// for is noted, and counts when the owner carries it out: WaitingPods::take_released,
// `activate_asked`.
//
// One thread.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/binding/waiting_pods.h"
#include "engine/host/instance/services/waiting_service.h"
#include "engine/model/cluster/cluster.h"
#include "engine/queue/scheduling_queue.h"

namespace berth::runtime {

class PermitService final : private host::WaitingServices {
 public:
  // All of it outlives the service. `shown_by`: where plugins find the service as long as it lives;
  // may be null.
  PermitService(const model::Cluster& cluster, queue::SchedulingQueue& queue,
                host::Waiting* shown_by);
  PermitService(const PermitService&) = delete;
  PermitService& operator=(const PermitService&) = delete;
  ~PermitService() override;

  binding::WaitingPods& pods() { return pods_; }
  const binding::WaitingPods& pods() const { return pods_; }
  // True if a pod was released or is to become active.
  bool was_asked() const { return pods_.has_released() || !activated_.empty(); }
  // Moves the pods that plugins activated and that are still there.
  void activate_asked(Time now);

 private:
  void each(const std::function<void(uint64_t pod, uint32_t node)>& visit) override;
  bool allow(uint64_t pod, const std::string& plugin) override {
    return pods_.allow(model::PodId::from_handle(pod), plugin);
  }
  bool reject(uint64_t pod, const std::string& plugin, std::string_view reason) override {
    return pods_.reject(model::PodId::from_handle(pod), plugin, std::string(reason));
  }
  void activate(std::span<const uint64_t> pods) override;

  const model::Cluster& cluster_;
  queue::SchedulingQueue& queue_;
  host::Waiting* shown_by_;
  binding::WaitingPods pods_;
  std::vector<model::PodId> activated_;  // and not moved yet
};

}  // namespace berth::runtime
