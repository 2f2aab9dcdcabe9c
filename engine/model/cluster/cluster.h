#pragma once

// The model of a cluster: everything that a decision may read. It applies no policy and trusts its
// input, which ingest has checked.
//
// One thread owns the cluster and calls all functions. Other threads may read columns and texts
// while nothing modifies it. Ids (strings, templates, shapes, slots, columns) are those of this
// cluster and mean nothing in another one.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/memory/arena.h"
#include "engine/base/rules/rules.h"
#include "engine/model/cluster/node_table.h"
#include "engine/model/columns/catalog.h"
#include "engine/model/columns/change_log.h"
#include "engine/model/columns/dictionaries.h"
#include "engine/model/columns/epochs.h"
#include "engine/model/columns/strings.h"
#include "engine/model/nominations/nominated_columns.h"
#include "engine/model/objects/objects.h"
#include "engine/model/pods/pod_annotations.h"
#include "engine/model/pods/pod_shapes.h"
#include "engine/model/pods/pod_table.h"
#include "engine/model/pods/pod_templates.h"
#include "engine/model/relations/carried_terms.h"
#include "engine/model/relations/disruption_budgets.h"
#include "engine/model/relations/pod_counts.h"
#include "engine/model/relations/pod_groups.h"
#include "engine/model/relations/pod_terms.h"
#include "engine/model/relations/selector_owners.h"
#include "engine/model/relations/topology_keys.h"
#include "engine/model/selectors/node_selectors.h"
#include "engine/model/volumes/volumes.h"

namespace berth::model {

class Cluster {
 public:
  // `backing`: the memory of all columns. Throws Error if it cannot be reserved.
  explicit Cluster(Arena::Backing backing = Arena::Backing::kAnonymous);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // The memory of all columns.
  const Arena& arena() const { return arena_; }

  // The tables of the cluster. References are valid for its lifetime. Modify nodes, pods,
  // namespaces and selector owners only through the functions of the cluster, which keep the tables
  // consistent with each other.
  Strings& strings() { return strings_; }
  const Strings& strings() const { return strings_; }
  Catalog& catalog() { return catalog_; }
  const Catalog& catalog() const { return catalog_; }
  NodeSelectors& selectors() { return selectors_; }
  PodTemplates& templates() { return templates_; }
  const PodTemplates& templates() const { return templates_; }
  TaintSets& taint_sets() { return taint_sets_; }
  const TaintSets& taint_sets() const { return taint_sets_; }
  const Images& images() const { return images_; }
  LabelSelectors& label_selectors() { return label_selectors_; }
  const LabelSelectors& label_selectors() const { return label_selectors_; }
  PodTerms& terms() { return terms_; }
  const PodTerms& terms() const { return terms_; }
  PodShapes& shapes() { return shapes_; }
  PodCounts& counts() { return counts_; }
  const PodCounts& counts() const { return counts_; }
  CarriedTerms& carried() { return carried_; }
  const CarriedTerms& carried() const { return carried_; }
  const DisruptionBudgets& budgets() const { return budgets_; }
  const PodGroups& pod_groups() const { return pod_groups_; }
  // Null, as at first: no pod has annotations. `source` outlives the cluster's users.
  void set_annotations(const PodAnnotations* source) { annotations_ = source; }
  StringId annotation(const PodRecord& pod, StringId key) const {
    return annotations_ == nullptr ? 0 : annotations_->annotation(pod, key);
  }
  Volumes& volumes() { return volumes_; }
  const Volumes& volumes() const { return volumes_; }
  TopologyKeys& topology() { return topology_; }
  const NodeTable& nodes() const { return nodes_; }
  const ChangeLog& log() const { return log_; }
  // Entries that the change log holds, a power of two; for tests of readers that come late.
  // Precondition: the cluster was not modified yet.
  void set_log_capacity(size_t entries) {
    BERTH_ASSERT(pods_.size() == 0 && nodes_.slots() == 0);
    log_ = ChangeLog(entries);
  }
  std::string_view text(StringId id) const { return strings_.text(id); }
  // Requires row < nodes().rows().
  std::string_view node_name(Row row) const {
    BERTH_ASSERT(row < nodes_.rows());
    return nodes_.name(nodes_.slot_of(row));
  }

  // Nodes. Adds a node, or replaces the node of that name. Returns the inputs that changed: bits of
  // change_log.h, as kube-scheduler tells node events apart (allocatable, labels, taints,
  // unschedulable, annotations, declared features; images are an addition); kAll if the node was
  // added, 0 if the object equals the known one. `before`, unless it is null, gets the values that
  // the object replaced; those of a node that did not exist are unspecified, and nothing is written
  // if nothing changed.
  Changes put_node(const Node& node, NodeTable::Values* before = nullptr);
  // Gives a node other taints. Returns what put_node() would. Precondition: the node exists.
  Changes put_taints(Slot slot, const std::vector<Taint>& taints, NodeTable::Values* before);
  // Removes the node of that name; false if there is none. Its pods stay in the pod table and keep
  // counting on the name, as in kube-scheduler's cache.
  bool remove_node(std::string_view name);
  // Gives a node other labels for a trial, and returns the former ones, with which the caller calls
  // it again. Precondition: the node exists, and the labels are sorted by key.
  Labels relabel(Slot slot, Labels labels);
  // The way in which nodes see images that several have. Precondition: no node was put.
  void set_image_rule(ImageRule rule) { nodes_.images().set_rule(rule); }
  // Which fields of nodes and pods count: those of 1.34, unless this is called. Precondition: the
  // cluster was not modified yet.
  void set_rules(const Rules& rules) {
    BERTH_ASSERT(pods_.size() == 0 && nodes_.slots() == 0);
    nodes_.follow_features(rules.has(Rule::kDeclaredFeatures));
    templates_.follow_resize(rules.has(Rule::kPodLevelResize));
  }
  // Makes the node table what the next decision sees: rows in search order, and image states of
  // nodes of which something was said since the last call. Call before a decision; costs nothing if
  // nothing happened. Renumbers rows if a node was added or removed: a Row is valid until the next
  // call.
  void order_rows();
  // An event told of the pod, and nothing that scheduling reads changed. Precondition: the pod
  // counts on a node.
  void touch_node_of(PodId id) {
    BERTH_ASSERT(pods_[id].placed());
    nodes_.images().touch(pods_[id].slot);
  }

  // Interns the strings and parts of a pod that is not in the table, and returns a record without
  // an id. The ids in it are valid until the next `collect`, unless the record is retained.
  PodRecord record_of(const Pod& pod);
  // The template in such a record: that of the pod's spec, with the claims of this pod.
  TemplateId template_of(const Pod& pod);
  // Count references to the shape, name and uid of a record. Each retain() needs one release().
  void retain(const PodRecord& record);
  void release(const PodRecord& record);
  // The record's shape, looked up if it is not set.
  ShapeId shape(const PodRecord& pod) { return pod.shape != 0 ? pod.shape : shape_of(pod); }
  // A version number. It changes whenever a column of the pods table may have another value for
  // some shape, because namespaces, services, controllers or the terms that placed pods carry
  // changed.
  uint64_t pod_context() const {
    return shapes_.context() + carried_.version() + volumes_.version();
  }

  // Pods. Ids are those of the pod table. All functions with a PodId require that the pod is in the
  // table.
  const PodTable& pods() const { return pods_; }
  const PodRecord& pod(PodId id) const { return pods_[id]; }
  // No id if there is no pod of that name. The only look-up by name: events use it where they
  // enter.
  PodId find_pod(std::string_view namespace_name, std::string_view name) const;
  // Adds a pod in state kWaiting (or the state of `record`), which counts on no node yet, and
  // retains its record. Precondition: no pod of that namespace and name is in the table.
  PodId add_pod(const PodRecord& record);
  PodId add_pod(const Pod& pod) { return add_pod(record_of(pod)); }
  // Replaces what scheduling reads (template, labels, controller, nominated node, times) by the
  // values of `record`, which has the pod's namespace and name. The pod keeps its id, state, order
  // and node; its counts on the node are updated.
  void update_pod(PodId id, const PodRecord& record);
  // Takes the pod from its node, withdraws its nomination, and removes it. The id is invalid
  // afterwards.
  void remove_pod(PodId id);

  // Precondition: the transition is legal (pod_table.h).
  void set_state(PodId id, PodState state) { pods_.set_state(id, state); }
  // Marks the pod as work to be scheduled here.
  void set_requested(PodId id) { pods_.at(id).requested = true; }
  // Records that the pod enters the queue. `time`: greater for a later time. `arrival`: number of
  // the pod's first entry.
  void set_queue_time(PodId id, uint64_t time, uint64_t arrival);
  // Nanoseconds since the epoch of the clock that drives the cluster.
  void set_created_at(PodId id, int64_t nanoseconds) { pods_.at(id).created_at = nanoseconds; }
  void set_started_at(PodId id, int64_t nanoseconds);
  // Precondition: the pod is in flight.
  void count_attempt(PodId id) {
    PodRecord& pod = pods_.at(id);
    BERTH_ASSERT(pod.state == PodState::kInFlight);
    ++pod.attempts;
  }

  // Counts the pod on a node: its requests, ports and terms. A node of that name need not exist.
  // Precondition: the pod counts on no node, and the row exists.
  void place(PodId id, std::string_view node_name);
  void place(PodId id, Row row);
  void unplace(PodId id);  // precondition: the pod counts on a node
  uint64_t placed_pods() const { return placed_; }
  // The pods that count on a node, in no particular order; empty if there is no such node.
  std::vector<PodId> pods_on(std::string_view node_name) const;

  // Counts the pod as nominated on the node that its record names: filters of pods of equal or
  // lower priority see it there. No effect if the record names no node, or the pod is nominated and
  // not empty. Source: kube-scheduler backend/queue nominator.
  void nominate(PodId id);
  // The pod left the queue and has no node: where it is nominated it counts as an empty pod of its
  // name and of priority 0, until it is nominated again. No effect if it is not nominated. Source:
  // kube-scheduler scheduling_queue.go nominatedPodToInfo.
  void empty_nomination(PodId id);
  // The pod as filters see it where it is nominated. Precondition: it is nominated.
  PodRecord nominated_record(PodId id) const;
  // Ends the nomination, if there is one. The record keeps the name of the nominated node.
  void withdraw_nomination(PodId id);
  // Changes the name in the record; 0: none. Precondition: the pod is not nominated.
  void set_nominated_node(PodId id, StringId node);

  // Namespaces and their labels. put adds a namespace or replaces its labels; remove returns false
  // if there is none of that name. Counts of pods whose terms select namespaces follow.
  void put_namespace(const Namespace& object);
  bool remove_namespace(std::string_view name);
  uint64_t namespaces() const { return namespaces_.size(); }

  // Services and controllers. put adds an object or replaces the one of its kind, namespace and
  // name; remove returns false if there is none.
  void put_selector_owner(const SelectorOwner& object);
  bool remove_selector_owner(SelectorOwnerKind kind, std::string_view namespace_name,
                             std::string_view name);

  // Disruption budgets: put replaces the one of that name. False if there is none to remove.
  void put_budget(const DisruptionBudget& object) { budgets_.put(object); }
  bool remove_budget(std::string_view namespace_name, std::string_view name) {
    return budgets_.remove(namespace_name, name);
  }
  // The same for groups of pods.
  void put_pod_group(const PodGroup& object);
  bool remove_pod_group(std::string_view namespace_name, std::string_view name) {
    return pod_groups_.remove(namespace_name, name);
  }

  // Retirement. What pods and nodes bring (names, labels, templates, shapes, controllers,
  // selectors, tolerations, taints, images) has reference counts. `collect` retires what has none,
  // and its ids are used again. Call it between decisions: ids and texts stay valid until then, and
  // tables shrink and rehash there and nowhere else.
  enum class Retired : uint8_t {
    // Names and other strings only. Precondition: no hook has a prepared state that belongs to a
    // single pod (BoundHook::forget_states_of_pods).
    kNames,
    // All of it, and everything that was derived from shapes: count queries, match sets, terms,
    // topology keys, columns that were not looked up since the last call, codes of domains.
    // Precondition: no hook has a prepared state (BoundHook::forget_states), and nothing else keeps
    // such ids.
    kAll
  };
  // The number of values that collect(what) may retire.
  size_t unused(Retired what) const;
  void collect(Retired what);
  // Nodes that were removed since the last collect(kAll).
  size_t removed_nodes() const { return nodes_.removed(); }
  // Cells of columns, queries and match sets, one per row, that belong to shapes that no pod has
  // any more; an estimate, as if all shapes had equal shares.
  size_t unused_cells() const;
  size_t cells() const {
    return (nodes_.columns() + counts_.count() + carried_.match_sets()) * nodes_.rows();
  }
  // Columns that exist now, and what they stand for, stay for the life of the cluster. Call it when
  // all plugins are initialised.
  void pin_columns() { catalog_.pin(); }

  // Recounts what is derived from pods and nodes: the lists of pods and nominations of each node,
  // the sums of its columns, all count queries and match sets. Describes the first thing that
  // differs, with the names of pod and node; empty: nothing does. Reads every pod once for each
  // query and each sum.
  std::string fault() const;
  // The number of values that `fault` looks at. A value takes about ten nanoseconds.
  size_t fault_cost() const;
  // Ends the program if a count or sum of `fault` is wrong. Builds without NDEBUG do so after
  // changes: after each one in small clusters, less often in large ones, so that the cost stays
  // linear.
  void verify_counts() const;

  // The column of that id (abi/columns.md), created when it is first asked for; 0 if there is no
  // such column, or if it refers to a selector, query or set that does not exist.
  ColumnId find_column(std::string_view id);
  // The column's values, up to date. Precondition: find_column() returned the id, and it is not a
  // column of the pods table (pod_columns.h gathers those). The view is valid until the model is
  // next modified.
  berth_column view(ColumnId id) { return column(id).view(); }
  // The memory in which plugins see columns, if they cannot write to it (Arena::guarded).
  std::span<const std::byte> guarded_columns() const { return arena_.guarded(); }
  // The reference is valid for the life of the cluster; of a member of a family, until
  // collect(kAll).
  const Column& column(ColumnId id);
  // Gives the column cluster.epoch:NAME another value. Precondition: find_column() returned it.
  void raise_epoch(ColumnId id);
  // Writes the rows of a column of counts (node.count, node.carried) whose counts changed since the
  // last call: these columns lag behind the pods, see change_log.h. No effect for other columns.
  // `column` and `view` call it.
  void refresh(const ColumnInfo& info);
  // True if `refresh` would write rows.
  bool lags(const ColumnInfo& info) const;

 private:
  Changes put(NodeTable::Update& update, NodeTable::Values* before);
  ShapeId shape_of(const PodRecord& pod);
  void use_claims(TemplateId pod, Slot slot, bool add);
  void see_claims(TemplateId pod, bool add);
  void see_claims_on(Slot slot, bool add);
  const Nomination& nomination(const PodRecord& pod) const;
  void place_on(PodId id, Slot slot);
  void replace_placed(PodId id, const PodRecord& before);
  void namespace_changed(StringId name);
  void changed();
  bool exists(const ColumnInfo& info) const;
  std::string place_fault(const PodRecord& pod) const;
  std::string list_fault(Slot slot) const;
  std::string group_fault() const;
  std::string nominated_fault() const;
  void collect_all();
  void collect_domains();
  const Column& count_column(const ColumnInfo& info) const;
  const Column& nominated_column(ColumnId id, const ColumnInfo& info);

  Arena arena_;
  Strings strings_;
  ChangeLog log_;
  Catalog catalog_;
  NodeSelectors selectors_;
  LabelSelectors label_selectors_;
  Namespaces namespaces_{strings_};
  PodTerms terms_;
  SelectorOwners selector_owners_;
  DisruptionBudgets budgets_;
  PodGroups pod_groups_{strings_};
  const PodAnnotations* annotations_ = nullptr;
  Volumes volumes_{strings_, selectors_, label_selectors_};
  TolerationSets tolerations_;
  Domains domains_{strings_};
  TaintSets taint_sets_;
  Images images_;
  PodTemplates templates_;
  PodShapes shapes_;
  NodeTable nodes_;
  TopologyKeys topology_;
  PodCounts counts_;
  CarriedTerms carried_;
  NominatedColumns nominated_{arena_, templates_};
  Column cluster_nodes_;
  Epochs epochs_{arena_, strings_};
  PodTable pods_;
  uint64_t placed_ = 0;   // pods that count on a node
  uint64_t changes_ = 0;  // since the counts were verified
};

}  // namespace berth::model
