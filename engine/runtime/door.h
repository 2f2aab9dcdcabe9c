#pragma once

// The door of a core: whatever changes the cluster or the queue enters here, from files, streams,
// the server and actors (Core::door). Decisions do not: they are steps of the core.
//
// `from` names the source in messages, and the place in it as far as it is known. What contradicts
// itself or the model is reported (Core::diagnostics), and the rest is taken.
//
// The core's thread calls it. A call may come within a step or another call: actors and the server
// answer at once.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ingest/written/whole_object.h"
#include "engine/runtime/actors.h"
#include "engine/runtime/audit.h"
#include "engine/runtime/intake/intake.h"
#include "engine/runtime/report.h"
#include "engine/runtime/retirement.h"
#include "engine/runtime/scheduling/scheduler.h"

namespace berth::runtime {

class KeptObjects;

class Door final : private ClusterObserver {
 public:
  // Parts of the core, which outlive its door.
  struct Means {
    model::Cluster& cluster;
    Diagnostics& diagnostics;
    Scheduler& scheduler;
    Actors& actors;
    KeptObjects& objects;
    Audits& audits;
    const OnReport& report;
  };
  Door(const Means& means, Retirement retirement);
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;
  ~Door() override = default;

  // Objects of a cluster: nodes, pods where they run, namespaces, services and controllers. Pods
  // without a node are known afterwards, and are not queued.
  void apply(const ingest::Objects& cluster, std::string_view source);
  void apply(std::span<const model::Change> cluster, const Origin& from);
  // Templates of pods that follow. An id can be defined again, in any case after it was retired.
  void apply(const std::vector<model::TemplateDefinition>& templates);
  // No pod that follows is of these templates, by the ids of their definitions.
  void retire_templates(const std::vector<uint32_t>& ids);
  // `index`: of the change in its batch.
  void apply(const model::Change& change, const Origin& from, size_t index = 0);
  // Pods to schedule, which arrive together.
  void apply_work(std::span<const WorkFile> files);
  void apply_work(const model::PodBatch& pods, const Origin& from);

  // The two halves of apply_work, for callers that know pods before they arrive: adds the pods and
  // returns those that wait for a node; queues pods that were added.
  std::vector<model::PodId> add(const model::PodBatch& pods, const Origin& from);
  // Precondition: no pod has its name.
  model::PodId add(const model::Pod& pod) { return cluster_.add_pod(pod); }
  model::PodId add(const model::PodRecord& pod) { return cluster_.add_pod(pod); }
  // When the pod was created, in nanoseconds since 1970. Precondition: it has not arrived.
  void set_created_at(model::PodId pod, int64_t created) { cluster_.set_created_at(pod, created); }
  void arrive(std::span<const model::PodId> pods);
  // A controller creates pods, which arrive together. One whose name is taken is reported and left
  // out.
  void create(std::span<const model::Pod> pods);
  // The pod finishes, and leaves its node. Told of if the exit code is known.
  void finish(model::PodId pod, const PodFinish& finish) {
    if (finish.exit_code) report_(Finished{pod, *finish.exit_code});
    pod_finishes(pod, finish);
    remove(pod);
  }
  // Removes the pod, wherever it is.
  void remove(model::PodId pod);
  // Somebody replaces the pod's object, and the scheduler hears of it.
  void update(model::PodId pod, const model::PodRecord& after);
  // The pod's object as others know it: see AssumedUpdates::latest.
  const model::PodRecord& latest(model::PodId pod) const {
    return scheduler_.updates().latest(pod);
  }
  // The pod's status.nominatedNodeName is written, and the scheduler hears of it; empty: none. For
  // Server::announce, and for other clients of the API server.
  void nominated(model::PodId pod, std::string_view node);

  // True if pods and nodes are needed as they came: extenders take part, or a plugin reads
  // annotations of pods (pod.annotation:KEY).
  bool reads_whole() const;
  // Pods, nodes and pod templates as they came. To be called before the same objects come by
  // another door. Precondition: reads_whole().
  void keep(std::span<const ingest::WholeObject> objects);

  // Answers of the server. Others know the pod's status now as the scheduler wrote it; what they
  // knew before. No effect if the pod is gone.
  void status_known(const model::PodRecord& before) { scheduler_.status_known(before); }
  // Others know now that the pod is not nominated any more where `before` has it; the scheduler
  // took that away before. Pods that the nomination kept out are tried again. `bound`: they know it
  // by the binding of the pod. Precondition: the pod has a row.
  void nomination_ended(const model::PodRecord& before, bool bound) {
    ClusterEvents& events = scheduler_.events();
    bound ? events.nomination_ends_by_binding(before) : events.nomination_ends(before);
  }
  // Bindings that the server took without an answer. Each is answered once, in any order; an answer
  // that comes again, or after the pod left, is passed over. Returns how many those are.
  size_t answer(std::span<const BindingAnswer> answers);
  // An object of storage is there, or takes the place of the one of its kind and name; is gone.
  void put(const model::VolumeObject& object) { intake_.put(object); }
  void remove(const model::VolumeObject& object) { intake_.remove(object); }
  // Tells that the pod is evicted, and why: see Disrupted. Its deletion is another change.
  void tell_evicted(Disrupted pod) {
    pod.terminates_already = latest(pod.pod).terminating;
    if (pod.has_condition) actors_.pod_disrupted(pod.pod);
    report_(pod);
  }
  // A controller or a kubelet records the event.
  void record(const events::Event& event) { report_(Recorded{&event}); }
  // The node has these taints from now on. Precondition: it exists.
  void put_taints(model::Slot node, const std::vector<model::Taint>& taints);
  // The budget takes the place of the one of its name.
  void put(const model::DisruptionBudget& budget) { intake_.put(budget); }

  // A pod that waits in the queue is tried soon, whatever it waits for. No effect on others.
  void activate(model::PodId pod);

  // Answers for a plugin about a pod that waits in Permit, and lets the pod go on if that releases
  // it. False: the pod does not wait, or for `allow` not for this plugin.
  bool allow(model::PodId pod, const std::string& plugin);
  bool reject(model::PodId pod, const std::string& plugin, std::string message);

  // All that came in so far.
  const Intake& intake() const { return intake_; }

 private:
  // To be called where nothing but rows of the pod table refers to what pods brought.
  void collect();
  void enqueue(std::span<const model::PodId> pods);

  void node_added(model::Slot slot) override;
  void node_updated(model::Slot slot, model::Changes changes,
                    const model::NodeTable::Values& before) override;
  void node_leaves(model::Slot slot) override;
  void pod_leaves(model::PodId pod, const model::PodRecord* placed) override;
  void pod_finishes(model::PodId pod, const PodFinish& finish) override {
    actors_.pod_finishes(pod, finish);
  }
  void pod_ends(model::PodId pod) override;
  void pod_assigned(model::PodId pod, const model::PodRecord* before) override;
  void pod_moves(const model::PodRecord& before) override;
  void assigned_updated(model::PodId pod, const model::PodRecord& before) override;
  void pending_updated(model::PodId pod, const model::PodRecord& before) override;
  void assumed_updated(model::PodId pod, const model::PodRecord& object) override;
  void assigned_left(const model::PodRecord& before) override;
  void pending_left(const model::PodRecord& before) override;
  void storage_changed(const model::VolumeChange& change) override;
  void object_changed(model::Operation operation, const model::Object& object) override {
    actors_.object_changed(operation, object);
  }
  void turned_away(const TurnedAway& pod) override { report_(pod); }
  bool is_cordoned(const model::Node& node) override { return actors_.cordon(node); }
  bool answers(const model::EvictionRequest& request) override { return actors_.take(request); }

  model::Cluster& cluster_;
  Scheduler& scheduler_;
  Actors& actors_;
  KeptObjects& objects_;
  Audits& audits_;
  const OnReport& report_;
  Retirement retirement_;
  Intake intake_;
  std::vector<model::PodId> waiting_;
};

}  // namespace berth::runtime
