#pragma once

// Plays a workload file: step by step, with memory for what lives and what is planned, however long
// the load.
//
// Time goes in ticks (the workload's `tick`): what is planned for some time within a tick happens
// at the end of it, so that pods that come and pods that go need not take turns one by one; pods
// arrive at their own times.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "loadgen/generate/arrival_times.h"
#include "loadgen/generate/draws.h"
#include "loadgen/generate/nodes.h"
#include "loadgen/generate/owner_specs.h"
#include "loadgen/generate/pod_templates.h"
#include "loadgen/play/load.h"
#include "loadgen/play/step_pods.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

class Generator final : public Load {
 public:
  // Throws Error if a file of times cannot be read.
  Generator(WorkloadSpec spec, uint64_t seed, const std::map<std::string, std::string>& parameters);

  bool next(LoadStep& step) override;
  std::string note() const override;

 private:
  enum class Phase : uint8_t {
    kNamespaces,
    kSelectorOwners,
    kNodes,
    kPlaced,
    kOwners,
    kTimed,
    kOver
  };

  struct Owner {
    uint32_t spec = 0;    // index
    uint32_t number = 0;  // among those of the spec
    uint32_t template_id = UINT32_MAX;
    uint32_t next_pod = 0;         // its number
    uint64_t scaled = 0;           // how often
    std::vector<uint32_t> living;  // numbers of its pods, the newest last
  };

  // A pod that ends by itself.
  enum class PodOf : uint8_t { kTemplate, kJob, kOwner };
  struct Ending {
    uint64_t number = 0;  // of the pod, or within its Job or owner
    uint64_t job = 0;
    uint32_t of = 0;  // the template or owner
    uint32_t namespace_number = 0;
    PodOf kind = PodOf::kTemplate;
    bool finishes = false;  // rather than being deleted
  };

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
    uint64_t order = 0;
    What what = What::kScale;
    uint32_t of = 0;      // the owner or the entry of the workload
    uint64_t number = 0;  // the node or namespace
  };

  // Pods that are to be made, maybe in several steps.
  enum class TaskKind : uint8_t { kReplicas, kDaemonSet, kDaemonsOfNode, kJob };
  struct Task {
    TaskKind kind = TaskKind::kReplicas;
    bool measured = false;
    uint32_t of = 0;      // the owner or arrival
    uint64_t number = 0;  // the Job or node
    uint64_t from = 0, to = 0;
    uint32_t pod_template = 0, variant = 0, namespace_number = 0;  // of a Job
    model::Controller job = {};
  };

  struct NodeState {
    bool down = false;
    bool drained = false;
    uint32_t generation = 0;
    model::StringMap labels;  // over those that it came with
  };

  struct Later {
    bool operator()(const Planned& a, const Planned& b) const {
      return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
  };

  // generator.cc: the order of things.
  void index_namespaces();
  void make_owners();
  void begin_time();
  bool setup(LoadStep& step);
  bool setup_namespaces(LoadStep& step);
  bool setup_selector_owners(LoadStep& step);
  bool setup_nodes(LoadStep& step);
  bool setup_placed(LoadStep& step);
  bool setup_owners(LoadStep& step);
  void place_on(const model::Node& node, uint64_t number, LoadStep& step);
  bool timed(LoadStep& step);
  int64_t next_event() const;
  int64_t at_tick_end(int64_t time) const;
  bool over() const;
  bool waits_for_tasks() const;
  void begin_pods(LoadStep& step) { pods_.begin(step, namespaces_.size()); }

  // generator_pods.cc: pods.
  bool run_tasks(LoadStep& step);  // false: some are left
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

  // generator_events.cc: what happens to owners, nodes and namespaces.
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
  StepPods pods_;

  std::vector<std::string> namespaces_;    // all names, by number
  std::vector<uint32_t> first_namespace_;  // of each entry of the workload
  std::vector<Owner> owners_;
  std::vector<uint32_t> daemon_sets_;                                      // owners
  std::vector<std::shared_ptr<model::PodSpec>> daemon_specs_;              // of those
  boost::unordered_flat_map<uint64_t, std::vector<uint32_t>> daemon_ids_;  // templates, by node
  std::vector<ArrivalTimes> times_;                                        // of each arrival
  std::vector<uint64_t> pods_left_;                                        // of each arrival
  boost::unordered_flat_map<uint64_t, NodeState> node_states_;
  boost::unordered_flat_map<uint64_t, model::StringMap> namespace_states_;

  Phase phase_ = Phase::kNamespaces;
  uint64_t cursor_ = 0;  // in the phase
  uint64_t placed_ = 0;
  uint64_t singles_ = 0, jobs_ = 0;  // made so far
  uint64_t order_ = 0;
  int64_t now_ = 0;       // the tick in hand
  int64_t latest_ = 0;    // the latest time in a step so far
  bool measured_ = true;  // what happens between pods counts as the pods before it
  std::deque<Task> tasks_;
  // By the end of the tick in which they end; of the first, how many did.
  boost::unordered_flat_map<int64_t, std::vector<Ending>> endings_;
  std::vector<int64_t> ending_ticks_;  // of those, as a heap, the next first
  size_t ended_ = 0;
  std::vector<Planned> planned_;  // a heap, the next first
  std::string name_;              // scratch
};

}  // namespace berth::loadgen
