#pragma once

// A workload that a run plays: its pods, and what its controller does when one of them is lost.
//
// What the input does not have stays so: a workload of which fewer pods came than it asks for keeps
// as many as it had, until its object asks for another number.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/time.h"
#include "engine/model/cluster/cluster.h"
#include "engine/model/objects/workload.h"
#include "engine/runtime/actor.h"

namespace berth::played {

// The means by which a workload reads and acts. Nothing that it does comes back to it before act()
// has returned.
class WorkloadMeans {
 public:
  virtual ~WorkloadMeans() = default;

  virtual Time now() const = 0;
  virtual const model::Cluster& cluster() const = 0;
  virtual bool is_ready(const model::PodRecord& pod) const = 0;
  // A name with a suffix that no pod has; takes ordinals from `next` on. See suffixed_name().
  virtual std::string free_name(const model::Workload& of, uint64_t& next, uint64_t index) = 0;
  // The pod and its claims.
  virtual void create(const model::Workload& of, model::Pod pod) = 0;
  virtual void remove(model::PodId pod) = 0;
};

class PlayedWorkload {
 public:
  // Of the kind of the object. `means` outlives it.
  static std::unique_ptr<PlayedWorkload> make(const model::Workload& object, WorkloadMeans& means);
  PlayedWorkload(const PlayedWorkload&) = delete;
  PlayedWorkload& operator=(const PlayedWorkload&) = delete;
  virtual ~PlayedWorkload() = default;

  const model::Workload& object() const { return object_; }
  // All of its pods that do not terminate.
  std::vector<model::PodId> active_pods() const;

  // The object was changed. A new template of a StatefulSet or a DaemonSet does not count.
  void put(const model::Workload& object);
  // Each returns true if act() is to be called. `was_active`: the pod may have been there before,
  // and did not terminate.
  bool pod_changed(const model::PodRecord& pod, bool was_active);
  bool pod_disrupted(const model::PodRecord& pod);
  bool pod_ends(const model::PodRecord& pod, const runtime::PodFinish* finish);
  // A node came, changed or went. `told`: its object did, and not only its taints.
  virtual bool node_changed(const std::string& /*name*/, bool /*told*/) { return false; }
  virtual bool reads_nodes() const { return false; }

  // Does what is due now.
  virtual void act() = 0;
  // When it acts next though nothing changes.
  virtual std::optional<Time> next() const { return std::nullopt; }

 protected:
  struct OwnPod {
    model::PodId id;
    Time created{};               // when it became known here
    std::optional<Time> bound{};  // nothing: not bound
    int64_t number = 0;           // see number_of()
    bool terminating = false;
    bool disrupted = false;
    bool given_up = false;  // it terminates because there were too many
  };

  PlayedWorkload(model::Workload object, WorkloadMeans& means)
      : object_(std::move(object)), means_(means), scaled_(object_.creates) {}

  // Called when the pods above have changed; true as above.
  virtual bool came(const OwnPod& /*pod*/, const model::PodRecord& /*record*/) { return false; }
  virtual bool was_bound() { return false; }
  virtual bool terminates(const OwnPod& pod) = 0;
  virtual bool ended(const OwnPod& pod, const model::PodRecord& record,
                     const runtime::PodFinish* finish) = 0;
  // Its object was changed; it asked for so many pods before.
  virtual void changed(const model::Workload& /*before*/, uint64_t /*asked*/) {}
  // The ordinal or the completion index; -1: it has none.
  virtual int64_t number_of(const model::PodRecord& pod) const;

  WorkloadMeans& means() const { return means_; }
  const boost::unordered_flat_map<uint64_t, OwnPod>& pods() const { return pods_; }
  // In the order in which they became known.
  std::vector<const OwnPod*> sorted_pods() const;
  uint64_t active() const { return active_; }
  // As many as it asks for, or as it had.
  uint64_t replicas() const {
    return scaled_ ? object_.replicas : std::min(object_.replicas, most_);
  }
  // True if its object asked for another number since it came, or its pods come from here alone.
  bool scaled() const { return scaled_; }
  // Deletes as many active pods as a ReplicaSet would choose, or a Job (`is_job`). `number`: those
  // with this one alone; others count on their nodes.
  void give_up(uint64_t count, bool is_job, std::optional<int64_t> number = {});
  // When the pod has been ready for as long as its object asks; nothing: it is not ready.
  std::optional<Time> available_from(const OwnPod& pod) const;
  void remove(const OwnPod& pod);
  void create(model::Pod pod) { means_.create(object_, std::move(pod)); }
  std::string free_name(uint64_t index = 0) {
    return means_.free_name(object_, object_.next_ordinal, index);
  }
  const model::PodRecord& record(const OwnPod& pod) const { return means_.cluster().pod(pod.id); }

 private:
  model::Workload object_;
  WorkloadMeans& means_;
  boost::unordered_flat_map<uint64_t, OwnPod> pods_;  // by handle
  uint64_t active_ = 0, most_ = 0;
  bool scaled_;
};

}  // namespace berth::played
