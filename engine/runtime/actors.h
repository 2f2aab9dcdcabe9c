#pragma once

// The actors of a core, in the order in which they joined. See actor.h.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/runtime/actor.h"

namespace berth::runtime {

class Actors {
 public:
  void join(Actor& actor) {
    joined_.push_back(&actor);
    if (actor.hears()) hearers_.push_back(&actor);
  }
  // Has no effect if the actor is awake. Precondition: it joined, and this is not within a call
  // that tells of a pod.
  void wake(Actor& actor);
  // The first time at which one acts; nothing if none does by itself.
  std::optional<Time> next() const;
  void run_due();
  // Tells of claims that pods left; if there were changes of storage, all catch up with them.
  void catch_up(model::Volumes& volumes) {
    while (const std::optional<uint64_t> claim = volumes.next_unused()) claim_unused(*claim);
    if (std::exchange(told_, false)) catch_up_all();
  }
  bool removes_pods() const;  // true if one is going to
  bool unfinished() const;    // true if one is

  bool hear() const { return !hearers_.empty(); }  // of the cluster

  // To be told to those that hear of the cluster; see Actor.
  void object_changed(model::Operation operation, const model::Object& object) {
    for (Actor* actor : hearers_) actor->object_changed(operation, object);
  }
  void node_changed(model::Slot node) {
    for (Actor* actor : hearers_) actor->node_changed(node);
  }
  bool cordon(const model::Node& node) {  // true if one does
    for (Actor* actor : hearers_)
      if (actor->cordons(node)) return true;
    return false;
  }
  bool take(const model::EvictionRequest& request) {  // true if one does
    for (Actor* actor : joined_)
      if (actor->takes(request)) return true;
    return false;
  }

  // To be told to those that are awake.
  void pod_bound(model::PodId pod) {
    for (Actor* actor : awake_) actor->pod_bound(pod);
    pod_changed(pod);
  }
  void pod_changed(model::PodId pod) {
    for (Actor* actor : awake_) actor->pod_changed(pod);
  }
  void pod_disrupted(model::PodId pod) {
    for (Actor* actor : awake_) actor->pod_disrupted(pod);
  }
  void pod_finishes(model::PodId pod, const PodFinish& finish) {
    for (Actor* actor : awake_) actor->pod_finishes(pod, finish);
  }
  void pod_ends(model::PodId pod) {
    for (Actor* actor : awake_) actor->pod_ends(pod);
  }
  void storage_changed(const model::VolumeChange& change);

 private:
  void claim_unused(uint64_t claim);
  void catch_up_all();

  std::vector<Actor*> joined_, hearers_, awake_;
  bool told_ = false;  // of storage, since they caught up
};

}  // namespace berth::runtime
