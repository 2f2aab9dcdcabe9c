#pragma once

// Removes pods that nobody else removes. Source: kube-controller-manager's pod-garbage-collector,
// k8s.io/kubernetes pkg/controller/podgc.
//
// In rounds every 20 s, in this order:
// - finished pods above a number: evicted ones first, then the oldest, then by name;
// - terminating pods on nodes that are not ready and have the taint out-of-service;
// - pods of nodes that are gone. The name of such a node waits for 40 s, from the first round that
//   finds a pod on it;
// - terminating pods without a node.
//
// Only finished and terminating pods are kept here. Without them, and without nodes that are gone,
// rounds are left out.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/base/time.h"
#include "engine/controllers/conditions.h"
#include "engine/model/objects/objects.h"

namespace berth::controllers {

// A pod as the collector reads it.
struct CollectedPod {
  std::string name;  // "NAMESPACE/NAME"
  std::string node;  // empty: it is not bound
  Time created{};
  bool finished = false;     // phase Succeeded or Failed
  bool evicted = false;      // phase Failed, reason Evicted
  bool terminating = false;  // has a deletion timestamp
};

class PodCollectorCluster {
 public:
  virtual ~PodCollectorCluster() = default;

  // The pods bound to a node that does not exist, in an order that is always the same.
  virtual std::vector<CollectedPod> pods_on(const std::string& node) const = 0;
  // Deletes the pod with a grace period of 0. If it is not finished, its phase becomes Failed
  // before, and it gets the condition unless that is null. May call the collector again.
  virtual void collect(Time now, const CollectedPod& pod, const Condition* condition) = 0;
};

// One thread. `cluster` outlives it.
class PodCollector {
 public:
  static constexpr size_t kMostFinished = 12500;

  // `most_finished`: how many finished pods may stay; 0: all.
  PodCollector(PodCollectorCluster& cluster, size_t most_finished)
      : cluster_(cluster), most_finished_(most_finished) {}
  PodCollector(const PodCollector&) = delete;
  PodCollector& operator=(const PodCollector&) = delete;

  // The node appeared or changed.
  void node_changed(Time now, const std::string& node, bool ready,
                    const std::vector<model::Taint>& taints);
  void node_gone(Time now, const std::string& node);
  // The pod appeared or changed.
  void pod_changed(Time now, const CollectedPod& pod);
  void pod_gone(const std::string& pod);

  // The next round; nothing: none would find anything.
  std::optional<Time> next() const { return round_; }
  // True if rounds remove pods though nothing changes: terminating pods of nodes that serve are
  // looked at for as long as they are there.
  bool unfinished() const;
  void run_due(Time now);

 private:
  using Names = std::set<std::string>;

  bool is_idle() const;
  bool too_many_finished() const {
    return most_finished_ != 0 && finished_.size() > most_finished_;
  }
  // True if such a pod, which terminates, is removed.
  bool is_lost(const CollectedPod& pod) const;
  void plan(Time now);
  // Each removes what it finds, but not pods in `removed`, which it extends.
  void remove_finished(Time now, Names& removed);
  void remove_terminating(Time now, bool bound, Names& removed);
  void remove_orphans(Time now, Names& removed);
  void remove(Time now, const CollectedPod& pod, const Condition* condition, Names& removed);

  PodCollectorCluster& cluster_;
  const size_t most_finished_;
  std::map<std::string, bool> nodes_;         // those that exist; true: out of service
  Names gone_;                                // names of nodes that do not exist and may have pods
  std::map<std::string, Time> waits_;         // of them, those that wait, and until when
  std::map<std::string, CollectedPod> pods_;  // finished or terminating
  Names terminating_;                         // of them
  // The finished ones of them in the order of their removal.
  std::set<std::tuple<bool, Time, std::string, std::string>> finished_;
  std::optional<Time> round_, last_round_;
};

}  // namespace berth::controllers
