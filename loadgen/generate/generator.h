#pragma once

// Generates the load of a workload file, one step at a time. Memory is proportional to the objects
// that exist and to what is planned, not to the length of the load.
//
// A load has two parts. The phases before Phase::kTimed give out the scene: namespaces, selector
// owners, classes of storage, nodes, running pods, and the initial pods of owners. Each call of
// next() fills one step from the current phase. Phase::kTimed then merges two sources in time
// order: arrivals (times_, one per entry of `arrivals`) and planned changes (planned_, a heap;
// ending_ticks_ with endings_ for pods that end by themselves).
//
// Time of changes is rounded up to the end of a tick (the workload's `tick`). Without this,
// additions and deletions of pods would alternate, and each step would hold a single pod. Arriving
// pods keep their own times. All changes of a tick happen before the pods that arrive later.
//
// A change can need more pods than fit in one step (kPodsPerStep): scaling an owner, the DaemonSet
// pods of a node, a large Job. Such work becomes a Task in tasks_, which later steps continue. A
// change that depends on pods of an unfinished task waits for it.
//
// Nothing that has ended is remembered. Names, shapes, requests and lifetimes are functions of the
// seed and a number (draws.h), so a node is rebuilt from its number and a pod's name is rebuilt
// when it ends. Only deviations are stored: NodeState for nodes that failed, were drained or
// relabelled, and the numbers of the living pods of each owner.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "loadgen/generate/cluster/nodes.h"
#include "loadgen/generate/draws/arrival_times.h"
#include "loadgen/generate/draws/draws.h"
#include "loadgen/generate/owners/owner_specs.h"
#include "loadgen/generate/pods/pod_claims.h"
#include "loadgen/generate/pods/pod_templates.h"
#include "loadgen/play/load.h"
#include "loadgen/play/step_pods.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// One thread.
class Generator final : public Load {
 public:
  // Throws Error if a file of times cannot be read.
  Generator(WorkloadSpec spec, uint64_t seed, const std::map<std::string, std::string>& parameters);

  bool next(LoadStep& step) override;
  std::string note() const override;

 private:
  // The phases run in this order.
  enum class Phase : uint8_t {
    kNamespaces,
    kSelectorOwners,
    kStorage,
    kNodes,
    kPlaced,
    kOwners,
    kTimed,
    kOver
  };

  // One Deployment, StatefulSet and so on; an OwnerSpec describes `count` of them.
  struct Owner {
    uint32_t spec = 0;                  // index into spec_.owners
    uint32_t number = 0;                // among the owners of that spec
    uint32_t template_id = UINT32_MAX;  // UINT32_MAX until the first pod is made
    uint32_t next_pod = 0;              // number of the next pod
    uint32_t claimed = 0;               // StatefulSets: this many pods had claims, which stay
    uint64_t scaled = 0;                // how many times it was scaled
    std::vector<uint32_t> living;       // numbers of its pods, newest last
  };

  // A pod that ends by itself, at the end of its lifetime.
  enum class PodOf : uint8_t { kTemplate, kJob, kOwner };
  struct Ending {
    uint64_t number = 0;  // of the pod; within its Job or owner if it has one
    uint64_t job = 0;
    uint32_t of = 0;  // index of the template or owner
    uint32_t namespace_number = 0;
    PodOf kind = PodOf::kTemplate;
    bool finishes = false;  // completes instead of being deleted
  };

  // The kinds of planned changes.
  enum class What : uint8_t {
    kScale,
    kFail,
    kRepair,
    kDrain,
    kUndrain,
    kNodeLabel,
    kNamespaceCome,
    kNamespaceGo,
    kNamespaceLabel
  };
  struct Planned {
    int64_t at = 0;
    uint64_t order = 0;  // breaks ties: changes planned first happen first
    What what = What::kScale;
    uint32_t of = 0;  // index of the owner or of the churn entry
    // The number of the node or namespace; for recurring changes, of the change.
    uint64_t number = 0;
  };

  // Pods still to be made, possibly over several steps.
  enum class TaskKind : uint8_t { kReplicas, kDaemonSet, kDaemonsOfNode, kJob };
  struct Task {
    TaskKind kind = TaskKind::kReplicas;
    bool measured = false;
    uint32_t of = 0;            // index of the owner or arrival
    uint64_t number = 0;        // of the Job or node
    uint64_t from = 0, to = 0;  // the pods that remain, by number
    uint32_t pod_template = 0, variant = 0, namespace_number = 0;  // of a Job
    model::Controller job = {};
  };

  // The differences of a node from the one that NodeMaker makes for its number.
  struct NodeState {
    bool down = false;
    bool drained = false;
    uint32_t generation = 0;  // how many times it was recreated
    model::StringMap labels;  // changes to its original labels
  };

  // Orders planned_ as a heap with the earliest change on top.
  struct Later {
    bool operator()(const Planned& a, const Planned& b) const {
      return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
  };

  // generator.cc: phases and the order of events.
  void index_namespaces();
  void make_owners();
  void begin_time();
  bool setup(LoadStep& step);
  bool setup_namespaces(LoadStep& step);
  bool setup_selector_owners(LoadStep& step);
  bool setup_storage(LoadStep& step);
  bool setup_nodes(LoadStep& step);
  bool setup_placed(LoadStep& step);
  bool setup_owners(LoadStep& step);
  void place_on(const model::Node& node, uint64_t number, LoadStep& step);
  void place_claims(uint32_t pod_template, uint64_t node, ingest::TemplatePod& pod,
                    LoadStep& step) const;
  bool timed(LoadStep& step);
  int64_t next_event() const;
  int64_t at_tick_end(int64_t time) const;
  bool over() const;
  bool waits_for_tasks() const;
  void begin_pods(LoadStep& step) { pods_.begin(step, namespaces_.size()); }

  // generator_pods.cc: making and ending pods.
  bool run_tasks(LoadStep& step);  // false: the step is full and some are left
  bool run(Task& task, LoadStep& step);
  void run_arrivals(LoadStep& step);
  void closed_loop(uint32_t arrival, LoadStep& step);
  void arrive(uint32_t arrival, LoadStep& step);
  void add_single(uint32_t arrival, int64_t at, LoadStep& step);
  void begin_job(uint32_t arrival);
  void add_job_pod(const Task& task, LoadStep& step);
  void add_owned(uint32_t owner, LoadStep& step);
  void add_daemon(uint32_t owner, uint64_t node, LoadStep& step);
  void end_later(Ending ending, const Distribution& lifetime, uint64_t number, uint32_t of);
  void name_job(uint32_t pod_template, uint64_t job, std::string& name) const;
  void name_pod(const Ending& pod, std::string& name) const;
  void end_pod(LoadStep& step);
  OwnerIdentity identity(uint32_t owner) const;
  std::string owner_name(const Owner& owner) const;
  std::string daemon_name(uint32_t owner, uint64_t node) const;
  uint32_t namespace_of(uint32_t namespaces, uint64_t bits) const;
  std::shared_ptr<model::PodSpec> own_spec(uint32_t owner) const;

  // generator_claims.cc: claims of the pod that is called name_, in the namespace `space`. `exist`:
  // they stayed from an earlier pod of that name.
  void add_claims(uint32_t pod_template, uint32_t space, bool exist, LoadStep& step);
  void end_claims(uint32_t pod_template, const std::string& space, LoadStep& step);
  bool owner_has_claims(uint32_t owner) const;
  bool has_claims(const Ending& pod) const;
  uint32_t template_of(const Ending& pod) const;

  // generator_events.cc: changes of owners, nodes and namespaces.
  void plan(int64_t at, What what, uint32_t of, uint64_t number);
  void plan_next(What what, const ChurnSpec& churn, uint32_t of);
  void happen(LoadStep& step);
  void scale(uint32_t owner, LoadStep& step);
  void fail(const Planned& event, LoadStep& step);
  void repair(uint64_t node, LoadStep& step);
  void drain(const Planned& event, LoadStep& step);
  void undrain(uint64_t node, LoadStep& step);
  void label_node(const Planned& event, LoadStep& step);
  void namespace_comes(const Planned& event, LoadStep& step);
  void label_namespace(const Planned& event, LoadStep& step);
  std::optional<uint64_t> choose_node(const ChurnSpec& churn, What what, const Planned& event);
  const std::vector<ChurnSpec>& churn_of(What what) const;
  model::Node node_now(uint64_t number) const;
  model::Namespace namespace_object(uint64_t number) const;
  uint64_t bits_for(For purpose, What what, const Planned& event) const;

  WorkloadSpec spec_;
  uint64_t seed_;
  std::map<std::string, std::string> parameters_;
  NodeMaker nodes_;
  PodTemplates templates_;
  PodClaims claims_;
  StepPods pods_;

  std::vector<std::string> namespaces_;  // all names, by number
  // Number of the first namespace of each entry of spec_.namespaces.
  std::vector<uint32_t> first_namespace_;
  std::vector<Owner> owners_;
  std::vector<uint32_t> daemon_sets_;                          // indices into owners_
  std::vector<std::shared_ptr<model::PodSpec>> daemon_specs_;  // parallel to daemon_sets_
  // Template ids by node, parallel to daemon_sets_.
  boost::unordered_flat_map<uint64_t, std::vector<uint32_t>> daemon_ids_;
  std::vector<ArrivalTimes> times_;  // parallel to spec_.arrivals
  std::vector<uint64_t> pods_left_;  // parallel to spec_.arrivals
  boost::unordered_flat_map<uint64_t, NodeState> node_states_;
  boost::unordered_flat_map<uint64_t, model::StringMap> namespace_states_;

  Phase phase_ = Phase::kNamespaces;
  uint64_t cursor_ = 0;  // position within the phase
  uint64_t placed_ = 0;
  uint64_t singles_ = 0, jobs_ = 0;  // pods without owner and Jobs made so far
  uint64_t order_ = 0;
  int64_t now_ = 0;       // end of the current tick
  int64_t latest_ = 0;    // latest time in any step so far
  bool measured_ = true;  // of the last pods; steps without pods inherit it
  std::deque<Task> tasks_;
  // Pods that end, by the tick in which they do. ended_ counts those of the earliest tick that were
  // handled.
  boost::unordered_flat_map<int64_t, std::vector<Ending>> endings_;
  std::vector<int64_t> ending_ticks_;  // the keys of endings_, as a heap with the earliest on top
  size_t ended_ = 0;
  std::vector<Planned> planned_;  // a heap, ordered by Later
  std::string name_;              // scratch space for name_pod
};

}  // namespace berth::loadgen
