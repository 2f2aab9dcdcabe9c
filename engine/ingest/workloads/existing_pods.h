#pragma once

// The pods that exist, by the controllers that own them, so that a workload creates the missing
// ones alone. Names are kept as hashes, since an input may have millions of pods.

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/model/objects/objects.h"
#include "engine/model/objects/pod_batch.h"

namespace berth::ingest {

enum class OwnState : uint8_t { kActive, kTerminating, kSucceeded, kFailed };

struct OwnPod {
  std::string place;  // of a DaemonSet: the node; of a Job: the completion index
  int64_t created_at = 0;
  OwnState state = OwnState::kActive;
};

// A controller and its pods, by a hash of their names.
struct OwnPods {
  model::Controller controller;
  std::string hash;  // of a Deployment's ReplicaSet: pod-template-hash
  boost::unordered_flat_map<uint64_t, OwnPod> pods;

  uint64_t count(OwnState state) const;
};

class ExistingPods {
 public:
  // Adds a pod, or takes its new state.
  void put(const model::Pod& pod);
  void put(const model::TemplatePod& pod);
  void remove(std::string_view namespace_name, std::string_view name);

  // There is a ReplicaSet of this name.
  void put_set(const model::SelectorOwner& owner);
  bool has_set(std::string_view namespace_name, std::string_view name) const {
    return sets_.contains(id_of(namespace_name, name));
  }

  bool has(std::string_view namespace_name, std::string_view name) const {
    return owners_.contains(id_of(namespace_name, name));
  }
  // True if the pod is there and not finished: the name of a finished one is free again as soon as
  // its controller has deleted it. Of pods without a controller the phase is not known.
  bool stays(std::string_view namespace_name, std::string_view name) const;
  // Pods that name this controller, whatever its UID: an object that was created anew takes the
  // place of the former one. Null: there are none.
  const OwnPods* of(std::string_view kind, std::string_view namespace_name,
                    std::string_view name) const;
  // The ReplicaSets of a Deployment: those with its name and the label pod-template-hash of their
  // pods.
  std::vector<const OwnPods*> replica_sets_of(std::string_view namespace_name,
                                              std::string_view deployment) const;

 private:
  template <typename PodLike>
  void put_pod(const PodLike& pod, const model::PodSpec& spec, std::string_view node);
  OwnPods& owner(std::string_view namespace_name, const model::Controller& controller,
                 std::string_view hash);
  static uint64_t id_of(std::string_view namespace_name, std::string_view name);
  void remove(uint64_t id);

  boost::unordered_flat_set<uint64_t> sets_;  // by a hash of their full names
  // Values stay where they are.
  std::unordered_map<std::string, OwnPods> by_owner_;  // by kind/namespace/name
  std::unordered_map<std::string, std::vector<const OwnPods*>> by_deployment_;
  // Of all pods, by a hash of their full names. Null: the pod has no such controller.
  boost::unordered_flat_map<uint64_t, OwnPods*> owners_;
};

}  // namespace berth::ingest
