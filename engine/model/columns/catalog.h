#pragma once

// The catalog of columns: for each id the table, the type, and the changes that its values follow.
// abi/columns.md lists the columns for plugin authors.

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/columns/change_log.h"
#include "engine/model/columns/strings.h"

namespace berth::model {

using ColumnId = uint32_t;  // 0: no column

// The meaning of a column. Members of a family share an attribute and differ in ColumnInfo::key or
// number. Element types and values are in abi/columns.md.
enum class Attribute : uint8_t {
  // Nodes: one position per row.
  kNodeRow,
  kNodeName,
  kNodeUnschedulable,
  kNodeLabel,
  kNodeTaints,
  kNodeAllocatable,
  kNodeRequested,
  kNodeNonzeroRequested,
  kNodePods,
  kNodePorts,
  kNodeImages,
  kNodeImageSizes,
  kNodeImageStateSizes,
  kNodeImageStateNodes,
  kNodeMatches,
  kNodeHasLabel,
  kNodeDomain,
  kNodeZone,
  kNodeTolerated,
  kNodeAnnotation,
  kNodeDeclaredFeatures,
  kNodeCount,
  kNodeCarried,
  kNodeLowestPriority,
  kNodeClaims,
  kNodeDisks,
  kNodeInlineVolumes,
  // Taint sets and images: one position per code of the dictionary. The cluster: one position.
  kTaintKeys,
  kTaintValues,
  kTaintEffects,
  kImageNodes,
  kClusterNodes,
  kClusterEpoch,
  // Counts: kCount has one position per domain code, the others have one.
  kCount,
  kCountTotal,
  kCountMinimum,
  kCountDomains,
  kCarriers,
  kEventMatches,
  kEventAntiAffinity,
  kBudgetAllowed,
  // Nominated pods: one position per nomination.
  kNominatedPod,
  kNominatedNode,
  kNominatedNamespace,
  kNominatedPriority,
  kNominatedRequests,
  // Pods: ColumnInfo::reader has the meaning. Those with one of their own are families, or
  // have values that are not kept before they are asked for.
  kPod,
  kPodAnnotation,
  kPodContainers,  // the names of PodTemplates::name_containers
  kPodCarried,
  kPodMatches,
};

// Which pods can differ in a column of pods.
enum class PodScope : uint8_t {
  kPod,       // pods of one shape
  kShape,     // shapes of one template (see pod_shapes.h), but not pods of one shape
  kFound,     // the same, and to find the value can change the model
  kTerms,     // the same as kFound, of one of the terms about other pods (ShapeTerms)
  kTemplate,  // no pods of one template
};

struct PodReader;  // see pod_columns.h

// A column. Some columns are members of a family ("node.label:zone"), which are created when first
// asked for.
struct ColumnInfo {
  std::string id;  // as in abi/columns.md, with the key of a member
  Attribute attribute{};
  Table table = Table::kNone;
  uint32_t type = 0;  // type of an element, BERTH_U8...
  bool list = false;
  Changes changes = 0;  // the bits of change_log.h that its values follow
  StringId key = 0;     // family members: the label key or resource
  uint32_t number = 0;  // family members: number of the selector, tolerations, query, class or set
  PodScope scope = PodScope::kTemplate;  // of columns of pods, as is `reader`
  const PodReader* reader = nullptr;
  // True if it is a member of a family.
  bool member() const { return key != 0 || number != 0; }
  // True if pods of one shape can differ in it.
  bool of_instance() const { return table == Table::kPods && scope == PodScope::kPod; }
  // True if shapes of one template can differ in it, but not pods of one shape.
  bool of_shape() const {
    return table == Table::kPods && scope != PodScope::kPod && scope != PodScope::kTemplate;
  }
  // True for columns of pods whose values for pods of the table are there to be read, so that any
  // thread may do it.
  bool any_thread() const {
    return table == Table::kPods && scope != PodScope::kFound && !of_terms();
  }
  // True if it is one of the terms about other pods.
  bool of_terms() const { return scope == PodScope::kTerms; }
};

// A column, or a family, that there is.
struct KnownColumn {
  std::string_view name;  // of a family up to and including the colon
  Attribute attribute{};
  Table table = Table::kNone;
  uint32_t type = 0;  // as in ColumnInfo
  bool list = false;
  Changes changes = 0;       // of resource families they depend on the resource
  uint16_t since_minor = 0;  // the minor version of the ABI that brought it
  bool numbered = false;     // a family whose members are numbers that a service hands out
  PodScope scope = PodScope::kTemplate;  // as in ColumnInfo
  const PodReader* reader = nullptr;     // as in ColumnInfo
};

// All of them, each once.
std::span<const KnownColumn> known_columns();

// The column that a declaration names: an id, a member of a family, or a family ("node.label:*").
// Null: there is none of that name.
const KnownColumn* find_known_column(std::string_view declared);

// Names that people read, as abi/columns.md has them. Of a table: "taint sets"; empty for kNone.
std::string_view table_name(Table table);
// Of a type of elements: "u32". Precondition: one of BERTH_U8...
std::string_view element_name(uint32_t type);

// Ids are dense. Those that exist when `pin` is called stay valid, as do columns that are no
// members of families. Any other member of a family stays until `collect` after an epoch without a
// look-up.
//
// Epochs rather than counts, here alone: members are asked for by text, by hooks that prepare a
// pod's state, and nobody says when the state is dropped. But all states are dropped before a
// collection, so a member that is in use is looked up again after it, and one that was not looked
// up since the collection before has no user.
//
// One thread; find() may intern strings.
class Catalog {
 public:
  explicit Catalog(Strings& strings) : strings_(strings) { columns_.emplace_back(); }

  // Returns the column with this id, or 0 if it does not exist. Creates members of families. A
  // family itself ("node.label:*") is not a column. For a member with a number ("node.matches:7")
  // the catalog does not check that a selector of that number exists; Cluster::find_column does.
  ColumnId find(std::string_view id);
  // The columns that exist now stay for the life of the catalog.
  void pin() { pinned_ = size(); }
  // Retires members of families that were not looked up since the last call, and those of which
  // exists(info) is false; their ids are used again. Calls retired(id) for each.
  template <typename Exists, typename Retired>
  void collect(Exists&& exists, Retired&& retired) {
    for (ColumnId id = std::max<ColumnId>(pinned_, 1); id < size(); ++id) {
      const ColumnInfo& info = columns_[id];
      if (!info.member() || (looked_up_[id] && exists(info))) {
        looked_up_[id] = false;
        continue;
      }
      retired(id);
      retire(id);
    }
  }
  // Requires 0 < column < size(). The reference stays valid. Of a retired id: a column of no table.
  const ColumnInfo& info(ColumnId column) const { return columns_[column]; }
  // Ids are 1..size() - 1.
  ColumnId size() const { return static_cast<ColumnId>(columns_.size()); }

 private:
  ColumnId add(ColumnInfo info);
  void retire(ColumnId id);

  Strings& strings_;
  std::deque<ColumnInfo> columns_;  // a deque, so that references stay valid; retain their keys
  std::vector<bool> looked_up_ = std::vector<bool>(1);  // by id: since the last collection
  std::vector<ColumnId> free_;
  ColumnId pinned_ = 0;  // ids below it stay
  boost::unordered_flat_map<std::string, ColumnId> ids_;
};

// True if a declaration names an existing family ("node.label:*").
bool is_family(std::string_view declared);

// True if a declaration (a family or an id) covers the column `id`: they are equal, or `id` is a
// member of the family.
bool covers(std::string_view declared, std::string_view id);

}  // namespace berth::model
