#pragma once

// Brings what files and streams hold into the model, and keeps the books: every pod that came in
// is accounted for in the end. The one place where pods are looked up by name.
//
// Objects of a cluster are taken as they are. Pods that are given as work and have no node are
// added to the pod table and returned, for the caller to queue. What does not fit together (a name
// that two files have, a pod on two nodes) is reported with its source; the rest is taken.
//
// Streams tell what is there now, as an informer of client-go hears it: what is added and known is
// updated, what is updated and not known is added, what is deleted and not known is nothing. A pod
// that has finished is not known. A pod with another UID than the known one takes its place.

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/stream/stream.h"
#include "engine/model/cluster/cluster.h"
#include "engine/runtime/actor.h"
#include "engine/runtime/turned_away.h"

namespace berth::runtime {

// Learns of changes to pods and nodes that queue or binding may refer to, and that may help pods
// that wait. Called on the thread that owns the model, within the call of Intake that makes the
// change. Records of pods as they were hold ids that stay valid during the call.
class ClusterObserver {
 public:
  virtual ~ClusterObserver() = default;

  virtual void node_added(model::Slot slot) = 0;
  // `changes` and `before`: see Cluster::put_node.
  virtual void node_updated(model::Slot slot, model::Changes changes,
                            const model::NodeTable::Values& before) = 0;
  // Called before a node is removed.
  virtual void node_leaves(model::Slot slot) = 0;

  // Before the pod is removed, or its object tells a node. `placed`: that object, with the slot of
  // the node if the node is known; null if the pod is removed. Afterwards nothing but the pod table
  // refers to the pod; it may have been bound meanwhile, and is `placed` if that was on its node.
  virtual void pod_leaves(model::PodId pod, const model::PodRecord* placed) = 0;
  // The pod has finished; pod_leaves() and pod_ends() follow.
  virtual void pod_finishes(model::PodId pod, const PodFinish& finish) = 0;
  // Before the pod's row is removed, after pod_leaves().
  virtual void pod_ends(model::PodId pod) = 0;
  // The pod counts on a node. `before`: null if it is new, else what it was while it waited.
  virtual void pod_assigned(model::PodId pod, const model::PodRecord* before) = 0;
  // A pod that is bound is about to leave its node, where it was as `before`; another one follows.
  virtual void pod_moves(const model::PodRecord& before) = 0;
  virtual void assigned_updated(model::PodId pod, const model::PodRecord& before) = 0;
  virtual void pending_updated(model::PodId pod, const model::PodRecord& before) = 0;
  // The pod is assumed, and its object is another. The observer keeps it: see AssumedUpdates.
  virtual void assumed_updated(model::PodId pod, const model::PodRecord& object) = 0;
  // The pod is removed; it counted on a node, or it did not.
  virtual void assigned_left(const model::PodRecord& before) = 0;
  virtual void pending_left(const model::PodRecord& before) = 0;

  // An object of storage was added, replaced or removed.
  virtual void storage_changed(const model::VolumeChange& change) = 0;
  // An object that is no pod was put or removed, after all else that is told of it.
  virtual void object_changed(model::Operation operation, const model::Object& object) = 0;

  // A pod came as work and is not scheduled. If it is placed, after pod_assigned().
  virtual void turned_away(const TurnedAway& pod) = 0;

  // True if the node, which is about to be put, is to be unschedulable, though its object is not.
  // Throws Error if the object asks for that in a wrong way.
  virtual bool is_cordoned(const model::Node& node) = 0;
  // False: nobody answers requests to evict pods, of which a file of objects tells.
  virtual bool answers(const model::EvictionRequest& request) = 0;
};

// The place of the objects of one call in the input, for messages. Refers to the caller's texts.
class Origin {
 public:
  // A source of which only the name is known.
  template <std::convertible_to<std::string_view> Text>
  Origin(const Text& source) : source_(source) {}
  // A batch of a stream: its objects begin in these lines of a text, one per object, or stand in
  // the frame at this byte. Empty lines and Place::kNoByte: unknown.
  Origin(std::string_view source, std::span<const uint32_t> lines, uint64_t byte = Place::kNoByte)
      : source_(source), lines_(lines), byte_(byte) {}

  // The place of the object with this index in the call or batch.
  Place place(size_t object, std::string field) const;

 private:
  std::string_view source_;
  std::span<const uint32_t> lines_;
  uint64_t byte_ = Place::kNoByte;
};

// A file of Kubernetes objects that is given as work.
struct WorkFile {
  std::string path;  // its name in messages
  ingest::Objects objects;
  // A dump: pods that run, or have finished, are those of the cluster, as in a cluster file. Else
  // they are work that needs no node.
  bool dump = false;
};

class Intake {
 public:
  struct Counts {
    uint64_t placed_before = 0;        // pods of the cluster files that count on a node
    uint64_t pending_in_cluster = 0;   // pods of the cluster files without a node: not scheduled
    uint64_t finished_in_cluster = 0;  // pods of the cluster files that ended
    uint64_t work = 0;                 // pods that came as work; each is in one of the next four
    uint64_t already_placed = 0;       //   or waits
    uint64_t finished = 0;
    uint64_t terminating = 0;
    uint64_t rejected = 0;  // the name was taken
    uint64_t events = 0;
  };

  // All of it outlives the intake. `observer` may be null: then nothing else refers to pods.
  Intake(model::Cluster& cluster, Diagnostics& diagnostics, ClusterObserver* observer = nullptr)
      : cluster_(cluster), diagnostics_(diagnostics), observer_(observer) {}

  // A cluster, or a part of one: of a file, whose objects know their lines, or of a stream, where
  // all are added.
  void add_cluster(const ingest::Objects& objects, std::string_view source);
  void add_cluster(std::span<const model::Change> objects, const Origin& from);

  // Pods as work, which arrive together; those that wait for a node are appended to `waiting`. What
  // else is in the files is taken into the cluster before any pod. There it takes the place of a
  // namespace, a node or an object with a selector of that name, as if it was applied; budgets and
  // objects of storage of the cluster stay (kept()). Files
  // without a pod, or anything that makes one, are reported; an empty list is not.
  void add_work(std::span<const WorkFile> files, std::vector<model::PodId>& waiting);
  void add_work(const model::PodBatch& pods, const Origin& from,
                std::vector<model::PodId>& waiting);
  // Templates of the pods that follow. Precondition: of a verified stream.
  void define(const std::vector<model::TemplateDefinition>& templates);
  // Forgets templates, by the stream's ids. Precondition: they are defined.
  void retire(const std::vector<uint32_t>& ids);

  // One change, with its index in its batch. A pod that a change makes known and that waits for a
  // node is work and is appended to `waiting`, as an informer would add it.
  void apply(const model::Change& change, const Origin& from, std::vector<model::PodId>& waiting,
             size_t index = 0);

  // Adds pods that a controller creates, as work; those that were added are appended to `created`.
  void create(std::span<const model::Pod> pods, std::vector<model::PodId>& created);
  // Ends the pod, wherever it is: the observer learns of it first.
  void remove(model::PodId pod);
  // An object of storage is there, or takes the place of the one of its kind and name. May be
  // called within the other functions, by the observer.
  void put(const model::VolumeObject& object);
  // The same of one that is gone. False: there is none of its kind and name.
  bool remove(const model::VolumeObject& object);
  // The same of a budget, whose status somebody writes.
  void put(const model::DisruptionBudget& budget);

  const Counts& counts() const { return counts_; }
  // Budgets and objects of storage that came as work and are in the cluster: those stay.
  const ingest::Remarks::Named& kept() const { return kept_; }
  // The latest time that any object told of, in nanoseconds since 1970; 0: none did.
  int64_t latest_time() const { return latest_time_; }

 private:
  struct Template {
    model::TemplateId id = 0;
    model::LabelSetId labels = 0;
    bool placed = false;  // the template itself names a node
    bool claims = false;  // its pods have templates of their own, with the claims of each
    std::shared_ptr<const model::PodSpec> spec;
  };

  void on_put(const model::Node& node) { put_node(node); }
  void on_put(const model::Namespace& space) { cluster_.put_namespace(space); }
  void on_put(const model::TemplatePod& pod);
  void on_put(const model::SelectorOwner& owner) { cluster_.put_selector_owner(owner); }
  void on_put(const model::DisruptionBudget& budget) { cluster_.put_budget(budget); }
  void on_put(const model::VolumeObject& object) { put(object); }
  void on_put(const model::PodGroup& group) { cluster_.put_pod_group(group); }
  void on_put(const model::EvictionRequest& request) {
    if (observer_ == nullptr || !observer_->answers(request)) refuse(request);
  }
  void on_put(const model::ControllerObject&) {}  // actors keep it
  void on_deleted(const model::Node& node);
  void on_deleted(const model::Namespace& space) { cluster_.remove_namespace(space.name); }
  void on_deleted(const model::TemplatePod& pod) { remove_pod(pod.namespace_name, pod.name); }
  void on_deleted(const model::SelectorOwner& owner);
  void on_deleted(const model::DisruptionBudget& budget);
  void on_deleted(const model::VolumeObject& object) { remove(object); }
  void on_deleted(const model::PodGroup& group);
  void on_deleted(const model::EvictionRequest& request) { refuse(request); }
  void on_deleted(const model::ControllerObject&) {}
  void refuse(const model::EvictionRequest& request);

  // All that is beside the pods of a cluster or of work.
  void add_objects(const ingest::Objects& objects, std::string_view source);
  // False, and a message: an object of this kind and name is there and stays.
  bool takes(std::string_view kind, const std::string& name);
  bool applies(std::string_view kind, const std::string& name);
  bool adds(std::string_view kind, const std::string& name);
  void add_object(const model::Object& object);
  void put_object(const model::Object& object);
  // The object as it is put: `made`, in place of a node that is cordoned, or itself.
  const model::Object& admitted(const model::Object& object, std::optional<model::Object>& made);
  bool is_cordoned(const model::Node& node);
  void tell(model::Operation operation, const model::Object& object) {
    if (observer_ != nullptr) observer_->object_changed(operation, object);
  }
  void add_cluster_node(const model::Object& node);
  void add_cluster_pod(const model::Pod& pod);
  void add_work_pod(const model::Pod& pod, std::vector<model::PodId>& waiting);
  // The pod of this name, if it is this very pod, by its UID, and has a node if this one has. No
  // id: it is none or another.
  model::PodId same_object(const model::Pod& pod) const;
  void update_known_pod(model::PodId id, const model::Pod& pod);
  // The pod, which was not bound, runs on the node that its object names.
  void place_known_pod(model::PodId id, const model::Pod& pod, const model::PodRecord& object);
  model::Slot slot_of(const std::string& node) const {
    return cluster_.nodes().find(cluster_.strings().find(node));
  }
  // The pod's row, for work: new, or that of a pod which the cluster files listed as pending. No
  // id: the name is taken.
  model::PodId add_requested(const model::PodRecord& record);
  void reject_requested(const model::PodRecord& record);
  // A pod of a stream whose name is taken, by its UID: the one that is known is updated, and no id
  // returned, or it was another pod, and gives way. Without a UID it is rejected.
  model::PodId add_again(const model::PodRecord& record, const Template& t,
                         const model::PodBatch& pods, size_t pod);
  static constexpr size_t kExpected = 32;  // names that are looked up at once
  void expect_names(const model::PodBatch& pods, size_t begin);
  static bool same_shape(const model::PodRecord& a, const model::PodRecord& b);
  // Tells the observer; sets the position.
  void turn_away(TurnedAway pod);
  void turn_away(TurnedAway::Why why, model::PodId id, std::string_view node = {});
  // No id, and a message: the name is taken.
  model::PodId add(const model::PodRecord& record);
  // The pod counts on the node from now on, as placed by somebody else.
  // `before`: what it was while it waited; null if it is new.
  void place(model::PodId id, const std::string& node, const model::PodRecord* before = nullptr);
  // The pod was known on another node, as `before`.
  void move(model::PodId id, const std::string& node, const model::PodRecord& before);
  void put_node(const model::Node& node);
  void note_times(const model::PodRecord& record);
  // `placed`: see ClusterObserver::pod_leaves.
  void leave(model::PodId id, const model::PodRecord* placed) {
    if (observer_ != nullptr) observer_->pod_leaves(id, placed);
  }
  void remove_pod(const std::string& namespace_name, const std::string& name);
  void finish(model::PodId id, model::PodPhase phase);
  // The pod of this name; no id if there is none. One with another UID is another pod, of which the
  // deletion was missed: it is removed first.
  model::PodId known_pod(const model::Pod& pod);
  // The pod is there, whatever was known before.
  void put_pod(const model::Pod& pod);
  model::LabelSetId labels_of(const Template& t, const model::PodBatch& pods, size_t pod);
  model::TemplateId template_with_claims(const Template& t, const model::PodBatch& pods,
                                         size_t pod);
  std::string name_of(const model::PodRecord& pod) const;
  void report(const std::string& field, std::string message);

  model::Cluster& cluster_;
  Diagnostics& diagnostics_;
  ClusterObserver* observer_;
  Counts counts_;
  // Calls `add` for each object. Its messages name the objects' lines, from the `first` one on.
  template <typename Objects, typename Add>
  void each(const Objects& objects, const Origin& from, size_t first, Add add) {
    from_ = from;
    index_ = first;
    for (const auto& object : objects) {
      add(object);
      ++index_;
    }
  }

  Origin from_ = "";                              // of the call under way
  size_t index_ = 0;                              // of the object under way, within from_
  model::Labels merged_;                          // of labels_of()
  std::vector<model::PodId>* waiting_ = nullptr;  // the same
  std::vector<Template> templates_;               // by the stream's id
  int64_t latest_time_ = 0;
  struct Described {
    bool work = false;  // it came as work
    std::string place;
  };
  // Objects other than pods that files brought, by kind and name.
  std::map<std::string, Described> described_;
  ingest::Remarks::Named kept_;
  bool of_work_ = false;  // the call under way adds work
};

}  // namespace berth::runtime
