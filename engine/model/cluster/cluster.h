#pragma once

// The model of a cluster: everything that a decision may look at. One thread owns it; while it
// stands still, others may read columns and texts.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/arena.h"
#include "engine/model/cluster/node_table.h"
#include "engine/model/objects/objects.h"
#include "engine/model/pods/pod_shapes.h"
#include "engine/model/pods/pod_templates.h"
#include "engine/model/relations/carried_terms.h"
#include "engine/model/relations/pod_counts.h"
#include "engine/model/relations/pod_terms.h"
#include "engine/model/relations/selector_owners.h"
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
  const NodeTable& nodes() const { return nodes_; }
  const ChangeLog& log() const { return log_; }
  std::string_view text(StringId id) const { return strings_.text(id); }
  std::string_view node_name(Row row) const { return text(nodes_.node(nodes_.slot_of(row)).name); }

  // Nodes. A node that exists is replaced; false if there is none of that name to remove.
  void put_node(const Node& node);
  bool remove_node(std::string_view name);
  // To be called before a decision: brings the rows into search order.
  void order_rows();

  // The pod as the model refers to it.
  PodRecord refer(const Pod& pod);
  ShapeId shape(const PodRecord& pod);
  // Another number whenever a column of the pods table may be another for some shape, because
  // namespaces, services, controllers or the terms that placed pods carry changed.
  uint64_t pod_context() const { return shapes_.context() + carried_.version(); }

  // Placed pods, by namespace and name. A node of that name need not exist.
  // False if a pod of that name is placed already.
  bool place(const PodRecord& pod, std::string_view node_name);
  void place(const PodRecord& pod, Row row);  // precondition: no pod of that name is placed
  bool is_placed(StringId namespace_name, StringId name) const;
  // False if no such pod is placed.
  bool remove_pod(StringId namespace_name, StringId name);
  uint64_t placed_pods() const { return placed_.size() - free_.size(); }
  // The slot of the node on which the pod is placed; NodeTable::kNoSlot if it is not.
  Slot placed_on(StringId namespace_name, StringId name) const;

  // The pods placed on a node, in no particular order; empty if there is no such node. Of each what
  // identifies it and what scheduling looks at, but no uid and no nomination.
  std::vector<PodRecord> pods_on(std::string_view node_name) const;

  // Pods that are nominated to a node and count there for filters of pods not above them.
  void nominate(const PodRecord& pod);  // to pod.nominated_node; nothing if that is 0
  void forget_nomination(const PodRecord& pod);

  // Namespaces and their labels. False if there is none of that name to remove.
  void put_namespace(const Namespace& object);
  bool remove_namespace(std::string_view name);
  uint64_t namespaces() const { return namespaces_.size(); }

  // Services and controllers: put replaces one of its kind and name. False if there is none to
  // remove.
  void put_selector_owner(const SelectorOwner& object);
  bool remove_selector_owner(SelectorOwnerKind kind, std::string_view namespace_name,
                             std::string_view name);

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
  struct Placed {
    StringId namespace_name = 0;
    StringId name = 0;
    Slot slot = 0;
    uint32_t position = 0;  // in the node's list
  };
  static uint64_t key(StringId namespace_name, StringId name) {
    return uint64_t{namespace_name} << 32 | name;
  }
  void place_on(const PodRecord& pod, Slot slot);
  void namespace_changed(StringId name);
  void changed();
  bool exists(const ColumnInfo& info) const;
  const Column& count_column(const ColumnInfo& info) const;
  uint32_t find_placed(StringId namespace_name, StringId name) const;

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
  PodCounts counts_;
  CarriedTerms carried_;
  Column cluster_nodes_;
  std::vector<Placed> placed_;
  std::vector<uint32_t> free_;  // places in placed_ that are not in use
  // Indices into placed_. Names that were placed stay, as kNotPlaced: erasing makes such a table
  // rehash now and then, in the middle of some decision, and the names' texts stay anyway.
  static constexpr uint32_t kNotPlaced = UINT32_MAX;
  boost::unordered_flat_map<uint64_t, uint32_t> placed_by_name_;
  uint64_t changes_ = 0;  // since the counts were verified
};

}  // namespace berth::model
