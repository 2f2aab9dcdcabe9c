#pragma once

// replicaset-controller, replicationcontroller-controller, deployment-controller,
// statefulset-controller, daemonset-controller and job-controller: pods that are lost are created
// again, and workloads have as many as their objects ask for.
//
// They act at the moment at which something happened, and all of a moment together: workloads in
// the order of their kinds, namespaces and names. Their deletions come first, then their pods
// arrive together.
//
// Pods of other workloads, and runs without any, cost a look-up each and nothing.

#include <boost/functional/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/played/controllers/controller.h"
#include "engine/played/controllers/controller_list.h"
#include "engine/played/controllers/disruption/budget_keeper.h"
#include "engine/played/controllers/evictor.h"
#include "engine/played/workloads/played_workload.h"

namespace berth::played {

class Kubelets;

class WorkloadControllers final : public Controller, private WorkloadMeans {
 public:
  // All of them outlive it. `readiness` says which pods are ready. `kubelets` look at pods that are
  // created on a node; null: these run at once.
  WorkloadControllers(runtime::Core& core, Evictor& evictor, const BudgetKeeper& readiness,
                      Kubelets* kubelets, const ControllerList& list)
      : Controller(core),
        evictor_(evictor),
        readiness_(readiness),
        kubelets_(kubelets),
        list_(list) {}

  std::optional<Time> next() const override;
  void run_due() override;
  // A deadline of a Job removes its pods, and pauses that end bring some: a run waits for both.
  bool removes_pods() const override { return next().has_value(); }
  void object_changed(model::Operation operation, const model::Object& object) override;
  void node_changed(model::Slot node) override;
  void pod_changed(model::PodId pod) override;
  void pod_disrupted(model::PodId pod) override;
  void pod_finishes(model::PodId pod, const runtime::PodFinish& finish) override;
  void pod_ends(model::PodId pod) override;

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  // kind, namespace, name
  // Namespace and name, and the kind, of what pods name as their controller.
  using Owner = std::pair<uint64_t, model::StringId>;

  // A workload makes as many pods for each one that it has, and kFewPods more, while the input says
  // nothing new: those that are lost again and again would keep a run from its end.
  static constexpr uint64_t kMostRounds = 100, kFewPods = 100;

  struct Entry {
    std::unique_ptr<PlayedWorkload> workload;
    std::vector<Owner> owners;   // a Deployment has one for each template so far
    std::optional<Time> next{};  // in waking_
    uint64_t made = 0;           // pods since the input said something, `told`
    uint64_t told = 0;
  };

  bool plays(model::WorkloadKind kind) const;
  void put(const Key& key, const model::Workload& object);
  void remove(const Key& key);
  void node_changed(const std::string& name, bool told);
  // Of the workload that the pod belongs to; null: of none.
  const Key* key_of(const model::PodRecord& pod) const;
  void add_owner(const Key& key, Entry& entry, const model::Workload& object);
  void release(const Owner& owner);
  void find_pods(model::PodId but);
  void act(const Key& key);
  void wake_at(const Key& key, Entry& entry, std::optional<Time> when);
  void create_pods();
  void create_claims(const model::Workload& of, model::Pod& pod);
  Owner owner_of(const model::Workload& object);

  Time now() const override { return Controller::now(); }
  const model::Cluster& cluster() const override { return Controller::cluster(); }
  bool is_ready(const model::PodRecord& pod) const override { return readiness_.is_ready(pod); }
  std::string free_name(const model::Workload& of, uint64_t& next, uint64_t index) override;
  void create(const model::Workload& of, model::Pod pod) override;
  void remove(model::PodId pod) override { deleted_.push_back(pod); }

  Evictor& evictor_;
  const BudgetKeeper& readiness_;
  Kubelets* const kubelets_;
  const ControllerList list_;
  std::map<Key, Entry> workloads_;
  boost::unordered_flat_map<Owner, Key, boost::hash<Owner>> owners_;
  std::set<Key> readers_;  // those that read nodes, or did
  std::set<Key> due_;      // now
  std::set<std::pair<Time, Key>> waking_;
  bool finds_pods_ = false;  // there may be pods that came before their workload
  uint64_t told_ = 0;        // objects of nodes and workloads so far
  Entry* acting_ = nullptr;  // within act()
  std::vector<model::Pod> created_;
  std::vector<model::PodId> deleted_;
  std::optional<std::pair<model::PodId, runtime::PodFinish>> finish_;  // until the pod ends
};

}  // namespace berth::played
