#pragma once

// Answers what the queue asks, with the plugins of the profiles: who gates a pod (PreEnqueue), the
// order of pods (QueueSort), and which events help which refused pods (hints).
//
// Refusers. The queue knows plugins by number: first those of QueueingHints::plugins(), in that
// order, then one for each other name that a refusal carries, in the order in which they come up.
//
// One thread. Source: kube-scheduler scheduling_queue.go runPreEnqueuePlugins, isPodWorthRequeuing;
// scheduler.go buildQueueingHintMap.

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/framework/decision/decision.h"
#include "engine/framework/decision/point_watch.h"
#include "engine/framework/hints/queueing_hints.h"
#include "engine/framework/hooks/profile.h"
#include "engine/queue/scheduling_queue.h"
#include "engine/runtime/server.h"

namespace berth::runtime {

class QueuePolicy final : public queue::QueueHooks {
 public:
  // All of it outlives the policy. `calls` is the deciding thread's. `server` tells which pods are
  // held back; null: none.
  QueuePolicy(model::Cluster& cluster, std::vector<std::unique_ptr<framework::Profile>>& profiles,
              host::CallContext& calls, const Server* server);

  // The bytes of a key of QueueSort. Throws Error if profiles differ in it.
  size_t key_bytes() const;
  // Tells the queue which events each plugin registered. Any event helps pods that an extender
  // refused. To be called before pods are queued.
  void register_interests(queue::SchedulingQueue& queue, bool extenders);

  // The profile of the pod's scheduler name; an empty name is the default profile's, as an API
  // server would have set it. Nothing if there is none.
  std::optional<queue::ProfileId> profile_of(const model::PodRecord& pod) const;
  framework::Profile& profile(queue::ProfileId id) const { return *profiles_[id]; }
  size_t profiles() const { return profiles_.size(); }  // ids are below

  // The numbers of plugins that refused a pod of the profile.
  queue::Refusers refusers(queue::ProfileId profile, const framework::Refusers& by);
  // The number of one plugin of the profile with that name. Nothing: there is no such profile.
  std::optional<queue::RefuserId> refuser(std::string_view scheduler, const std::string& plugin);
  // The plugin's name, or what the refusal carried in its place.
  const std::string& name(queue::RefuserId refuser) const { return names_[refuser].second; }
  queue::ProfileId profile_of(queue::RefuserId refuser) const { return names_[refuser].first; }
  struct Gate {
    std::string message;
    bool failed = false;  // the message is that of an error
  };
  // Asks the plugin that gates the pod for its reason.
  Gate gate_of(const model::PodRecord& pod, queue::RefuserId by);

  const framework::QueueingHints& hints() const { return hints_; }
  // Tells how long PreEnqueue takes, from now on; null: nobody. The watch outlives the next call.
  void time_points(framework::PointWatch* watch) { points_ = watch; }

  void queued(model::PodId pod, Time at, uint64_t moment) override;
  void gate(queue::ProfileId profile, std::span<const model::PodId> pods,
            std::span<queue::RefuserId> by) override;
  // Throws Error if the QueueSort plugin fails: nothing can be scheduled without.
  void sort_keys(queue::ProfileId profile, std::span<const model::PodId> pods,
                 std::span<uint8_t> keys) override;
  uint32_t group(model::PodId pod) override;
  void hint(const queue::QueueEvent& event, queue::RefuserId refuser,
            std::span<const model::PodId> pods, std::span<uint8_t> queue) override;

 private:
  using PreEnqueue = framework::HookAt<host::PreEnqueue>;

  queue::RefuserId refuser(queue::ProfileId profile, const std::string& name);
  void add_refuser(queue::ProfileId profile, const std::string& name);
  std::span<const model::PodRecord* const> records(std::span<const model::PodId> pods);
  // Asks about pods that nobody gates so far. `said`: the codes of those that the hook gates.
  void ask_gate(queue::ProfileId profile, PreEnqueue& hook, std::span<const model::PodId> pods,
                std::span<queue::RefuserId> by, std::span<uint8_t> said);
  void ask_gates(queue::ProfileId profile, std::span<const model::PodId> pods,
                 std::span<queue::RefuserId> by);
  // Those that no hook gates are gated while they preempt.
  void hold_preempting(queue::ProfileId profile, std::span<const model::PodId> pods,
                       std::span<queue::RefuserId> by);
  // The plugin in whose name they are; null: the profile has none.
  const std::string* preempting_plugin(queue::ProfileId profile) const;

  model::Cluster& cluster_;
  std::vector<std::unique_ptr<framework::Profile>>& profiles_;
  host::CallContext& calls_;
  const Server* server_;
  framework::QueueingHints hints_;
  std::vector<std::optional<queue::ProfileId>> profile_by_name_;  // by string id
  std::optional<queue::ProfileId> default_profile_;
  std::vector<std::pair<queue::ProfileId, std::string>> names_;  // by refuser
  // The same by name, for each profile.
  std::vector<boost::unordered_flat_map<std::string, queue::RefuserId>> refusers_;
  uint64_t arrivals_ = 0;
  std::vector<const model::PodRecord*> records_;
  std::vector<uint8_t> codes_, said_;
  std::vector<uint32_t> reasons_;
  framework::CallColumns columns_;
  framework::PointWatch* points_ = nullptr;
};

}  // namespace berth::runtime
