#pragma once

// Deletes pods from nodes with NoExecute taints. Source: kube-controller-manager's
// taint-eviction-controller, k8s.io/kubernetes pkg/controller/tainteviction.
//
// - Of each NoExecute taint of the node, the first toleration in the pod's list that matches it
//   counts. Without one the pod is evicted at once.
// - Otherwise the pod has as many seconds as the smallest tolerationSeconds among the tolerations
//   that count; 0 and less is at once, none is for ever.
// - The time starts when the controller hears of it. While it runs, other taints and other
//   tolerations do not move its end. It is given up if the node has no NoExecute taint left, if all
//   is tolerated for ever, and if the pod is gone.
// - A node that goes keeps its pods' timers. They are given up if a node of its name without
//   NoExecute taints appears.
//
// Phase, priority and owner of a pod do not matter, nor whether it terminates already.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/time.h"
#include "engine/controllers/conditions.h"
#include "engine/model/objects/objects.h"

namespace berth::controllers {

// A pod that is bound to the node that was asked about.
struct TaintedPod {
  std::string name;  // "NAMESPACE/NAME"
  std::vector<model::Toleration> tolerations;
};

// The cluster that the controller reads and writes. Its calls may call the controller again, as
// when an evicted pod is gone at once.
class TaintEvictionCluster {
 public:
  virtual ~TaintEvictionCluster() = default;

  // The pods bound to the node, in an order that is always the same. Called when the taints of a
  // node that has NoExecute taints change.
  virtual std::vector<TaintedPod> pods_on(const std::string& node) const = 0;
  // Adds taint_eviction_condition() to the status and deletes the pod with its own grace period.
  // The pod may terminate already; the deletion changes nothing then. `taint`: the one that it does
  // not tolerate, or for which its time was the shortest; the first of several.
  virtual void evict(Time now, const std::string& pod, const model::Taint& taint) = 0;
  // The pod's timer was given up. Not called if an eviction at once takes its place.
  virtual void cancelled(Time now, const std::string& pod) = 0;
};

// The condition that an evicted pod gets.
Condition taint_eviction_condition(Time now);

// One thread. `cluster` outlives it.
class TaintEviction {
 public:
  explicit TaintEviction(TaintEvictionCluster& cluster) : cluster_(cluster) {}
  TaintEviction(const TaintEviction&) = delete;
  TaintEviction& operator=(const TaintEviction&) = delete;

  // The node appeared or changed; `taints` are all that it has.
  void node_changed(Time now, const std::string& node, const std::vector<model::Taint>& taints);
  void node_gone(const std::string& node) { tainted_.erase(node); }
  // The pod appeared with a node, was bound, or has other tolerations than before.
  void pod_changed(Time now, const TaintedPod& pod, const std::string& node);
  // The pod's object is gone.
  void pod_gone(Time now, const std::string& pod) { cancel(now, pod); }

  // When the next timer ends; nothing: none runs.
  std::optional<Time> next() const;
  // Evicts the pods whose timers have ended, in order of time and name.
  void run_due(Time now);

 private:
  struct Timer {
    Time due{};
    std::string node;
    model::Taint taint;
  };
  using Taints = std::vector<model::Taint>;

  void judge(Time now, const TaintedPod& pod, const std::string& node, const Taints& taints);
  void start(const std::string& pod, Timer timer);
  bool stop(const std::string& pod);
  void cancel(Time now, const std::string& pod);

  TaintEvictionCluster& cluster_;
  std::unordered_map<std::string, Taints> tainted_;  // by node, its NoExecute taints; never empty
  std::unordered_map<std::string, Timer> timers_;    // by pod
  std::set<std::pair<Time, std::string>> order_;     // of the timers
  std::unordered_map<std::string, std::set<std::string>> timed_on_;  // pods with timers, by node
};

}  // namespace berth::controllers
