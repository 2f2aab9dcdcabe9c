#pragma once

// The model of a cluster: everything that a decision may look at. One thread owns it; while it
// stands still, others may read columns and texts.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/arena.h"
#include "engine/model/cluster/node_table.h"
#include "engine/model/objects/objects.h"
#include "engine/model/pods/pod_shapes.h"
#include "engine/model/pods/pod_table.h"
#include "engine/model/pods/pod_templates.h"
#include "engine/model/relations/carried_terms.h"
#include "engine/model/relations/pod_counts.h"
#include "engine/model/relations/pod_terms.h"
#include "engine/model/relations/selector_owners.h"
#include "engine/model/relations/topology_keys.h"
#include "engine/model/selectors/node_selectors.h"
#include "engine/model/storage/catalog.h"
#include "engine/model/storage/change_log.h"
#include "engine/model/storage/dictionaries.h"
#include "engine/model/storage/strings.h"

namespace berth::model {

class Cluster {
 public:
  explicit Cluster(Arena::Backing backing = Arena::Backing::kAnonymous);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  Strings& strings() { return strings_; }
  const Strings& strings() const { return strings_; }
  Catalog& catalog() { return catalog_; }
  const Catalog& catalog() const { return catalog_; }
  NodeSelectors& selectors() { return selectors_; }
  PodTemplates& templates() { return templates_; }
  const PodTemplates& templates() const { return templates_; }
  TaintSets& taint_sets() { return taint_sets_; }
  LabelSelectors& label_selectors() { return label_selectors_; }
  PodTerms& terms() { return terms_; }
  PodShapes& shapes() { return shapes_; }
  PodCounts& counts() { return counts_; }
  const PodCounts& counts() const { return counts_; }
  CarriedTerms& carried() { return carried_; }
  const CarriedTerms& carried() const { return carried_; }
  TopologyKeys& topology() { return topology_; }
  const NodeTable& nodes() const { return nodes_; }
  const ChangeLog& log() const { return log_; }
  std::string_view text(StringId id) const { return strings_.text(id); }
  std::string_view node_name(Row row) const { return text(nodes_.node(nodes_.slot_of(row)).name); }

  // Nodes. Adds a node, or replaces the one of that name. Returns the inputs that changed: bits of
  // change_log.h, as kube-scheduler tells node events apart (allocatable, labels, taints,
  // unschedulable, annotations; images are ours); kAll if the node was added, 0 if the object says
  // what is known.
  Changes put_node(const Node& node);
  bool remove_node(std::string_view name);  // false if there is none of that name
  // Brings the rows into search order. Call before a decision; costs nothing if no node was added
  // or removed since the last call.
  void order_rows();

  // What the model knows of a pod that is not in the table: a record without an id. Valid until
  // the next `collect`, unless it is retained.
  PodRecord record_of(const Pod& pod);
  void retain(const PodRecord& record);
  void release(const PodRecord& record);
  ShapeId shape(const PodRecord& pod);
  // Another number whenever a column of the pods table may be another for some shape, because
  // namespaces, services, controllers or the terms that placed pods carry changed.
  uint64_t pod_context() const { return shapes_.context() + carried_.version(); }

  // Pods. Ids are those of the pod table.
  const PodTable& pods() const { return pods_; }
  const PodRecord& pod(PodId id) const { return pods_[id]; }
  // No id if there is no pod of that name. The one look-up by name: events use it where they enter.
  PodId find_pod(std::string_view namespace_name, std::string_view name) const;
  // Precondition: no pod of that name is in the table. The pod counts nowhere yet.
  PodId add_pod(const PodRecord& record);
  PodId add_pod(const Pod& pod) { return add_pod(record_of(pod)); }
  // Replaces what scheduling looks at (template, labels, controller, nominated node, times) by that
  // of `record`, which has the pod's name. The pod keeps its id, state, order and node.
  void update_pod(PodId id, const PodRecord& record);
  // Takes the pod from its node and its nomination, and ends its id.
  void remove_pod(PodId id);

  void set_state(PodId id, PodState state) { pods_.set_state(id, state); }
  void set_requested(PodId id) { pods_.at(id).requested = true; }
  // The pod enters the queue: the `time`-th entry of all. The first entry sets its arrival.
  void set_queue_time(PodId id, uint64_t time, uint64_t arrival);
  void set_created_at(PodId id, int64_t nanoseconds) { pods_.at(id).created_at = nanoseconds; }
  void count_attempt(PodId id) { ++pods_.at(id).attempts; }

  // The pod counts on the node from now on; a node of that name need not exist. Precondition: it
  // counts on no other.
  void place(PodId id, std::string_view node_name);
  void place(PodId id, Row row);
  void unplace(PodId id);  // precondition: it counts on a node
  uint64_t placed_pods() const { return placed_; }
  // The pods that count on a node, in no particular order; empty if there is no such node.
  std::vector<PodId> pods_on(std::string_view node_name) const;

  // The pod counts as nominated on the node that its record names: filters of pods of equal or
  // lower priority see it there. Nothing if it names none.
  void nominate(PodId id);
  // It does not any more. The record names a nominated node until `set_nominated_node`.
  void withdraw_nomination(PodId id);
  void set_nominated_node(PodId id, StringId node);  // precondition: not nominated

  // Namespaces and their labels. False if there is none of that name to remove.
  void put_namespace(const Namespace& object);
  bool remove_namespace(std::string_view name);
  uint64_t namespaces() const { return namespaces_.size(); }

  // Services and controllers: put replaces one of its kind and name. False if there is none to
  // remove.
  void put_selector_owner(const SelectorOwner& object);
  bool remove_selector_owner(SelectorOwnerKind kind, std::string_view namespace_name,
                             std::string_view name);

  // Retirement. Names, labels, templates, shapes and controllers of pods have reference counts, and
  // are retired by the next `collect` after the last pod that has them is gone. Ids of what is
  // retired are used again. To be called between decisions.
  enum class Retired : uint8_t {
    kNames,  // names and uids. Precondition: no prepared state of a hook is of one pod alone.
    // All of it; and everything that was derived from shapes is forgotten: count queries, match
    // sets, terms. Precondition: no prepared state of a hook exists, and nothing else keeps such
    // ids.
    kAll
  };
  // How much may be retired: names and uids, or, for kAll, templates, their parts and shapes.
  size_t unused(Retired what) const;
  void collect(Retired what);

  // Counts pods anew for all queries and asserts that nothing else was kept. Builds without NDEBUG
  // do so after every change, in large clusters after every so many.
  void verify_counts() const;

  // The column of that id, which comes into being when first asked for; 0 if there is no such
  // column.
  ColumnId find_column(std::string_view id);
  // Precondition: a column of the catalog that is not of the pods table. It is empty, not missing,
  // when nobody has asked find_column for it.
  berth_column view(ColumnId id) { return column(id).view(); }
  const Column& column(ColumnId id);  // stays where it is as long as the cluster lives
  // Columns of counts by row lag behind the pods; from here on this one does not, until a pod comes
  // or goes. Nothing to do for other columns. `column` and `view` do it, too.
  void refresh(const ColumnInfo& info);

 private:
  void place_on(PodId id, Slot slot);
  void namespace_changed(StringId name);
  void changed();
  bool exists(const ColumnInfo& info) const;
  const Column& count_column(const ColumnInfo& info) const;

  Arena arena_;
  Strings strings_;
  ChangeLog log_;
  Catalog catalog_;
  NodeSelectors selectors_;
  LabelSelectors label_selectors_;
  Namespaces namespaces_;
  PodTerms terms_;
  SelectorOwners selector_owners_;
  TolerationSets tolerations_;
  Domains domains_;
  TaintSets taint_sets_;
  Images images_;
  PodTemplates templates_;
  PodShapes shapes_;
  NodeTable nodes_;
  TopologyKeys topology_;
  PodCounts counts_;
  CarriedTerms carried_;
  Column cluster_nodes_;
  PodTable pods_;
  uint64_t placed_ = 0;   // pods that count on a node
  uint64_t changes_ = 0;  // since the counts were verified
};

}  // namespace berth::model
