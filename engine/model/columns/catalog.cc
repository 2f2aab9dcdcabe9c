#include "engine/model/columns/catalog.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "berth/abi/column.h"
#include "engine/base/assert.h"
#include "engine/model/pods/pod_columns.h"

namespace berth::model {
namespace {

using A = Attribute;
constexpr Table kN = Table::kNodes, kT = Table::kTaintSets, kI = Table::kImages,
                kC = Table::kCounts, kE = Table::kEvents, kO = Table::kNominated;

// All but those of pods. The changes of resource families depend on the resource, see changes_of.
constexpr KnownColumn kKnown[] = {
    {"node.row", A::kNodeRow, kN, BERTH_U32, false, 0},
    {"node.name", A::kNodeName, kN, BERTH_U32, false, 0},
    {"node.unschedulable", A::kNodeUnschedulable, kN, BERTH_U8, false, change::kUnschedulable},
    {"node.label:", A::kNodeLabel, kN, BERTH_U32, false, change::kLabels},
    {"node.taints", A::kNodeTaints, kN, BERTH_U32, false, change::kTaints},
    {"node.allocatable:", A::kNodeAllocatable, kN, BERTH_I64, false, change::kAllocatable},
    {"node.requested:", A::kNodeRequested, kN, BERTH_I64, false, 0},
    {"node.nonzero_requested:", A::kNodeNonzeroRequested, kN, BERTH_I64, false, change::kNonzero},
    {"node.pods", A::kNodePods, kN, BERTH_I64, false, change::kPods},
    {"node.ports", A::kNodePorts, kN, BERTH_U64, true, change::kPorts},
    {"node.images", A::kNodeImages, kN, BERTH_U32, true, change::kImages},
    {"node.image_sizes", A::kNodeImageSizes, kN, BERTH_I64, true, change::kImages},
    {"node.image_state_sizes", A::kNodeImageStateSizes, kN, BERTH_I64, true, change::kImages},
    {"node.image_state_nodes", A::kNodeImageStateNodes, kN, BERTH_I64, true, change::kImages},
    {"node.matches:", A::kNodeMatches, kN, BERTH_U8, false, change::kLabels, 0, true},
    {"node.has_label:", A::kNodeHasLabel, kN, BERTH_U8, false, change::kLabels},
    {"node.domain:", A::kNodeDomain, kN, BERTH_U32, false, change::kLabels},
    {"node.zone", A::kNodeZone, kN, BERTH_U32, false, change::kLabels},
    {"node.tolerated:", A::kNodeTolerated, kN, BERTH_U8, false, change::kTaints, 0, true},
    {"node.annotation:", A::kNodeAnnotation, kN, BERTH_U32, false, change::kAnnotations},
    {"node.declared_features", A::kNodeDeclaredFeatures, kN, BERTH_U32, true,
     change::kDeclaredFeatures, 3},
    {"node.count:", A::kNodeCount, kN, BERTH_I64, false, change::kCounts, 0, true},
    {"node.carried:", A::kNodeCarried, kN, BERTH_I64, false, change::kCounts, 0, true},
    {"node.lowest_priority", A::kNodeLowestPriority, kN, BERTH_I64, false, change::kPods},
    {"node.claims", A::kNodeClaims, kN, BERTH_U64, true, change::kVolumes},
    {"node.disks", A::kNodeDisks, kN, BERTH_U64, true, change::kVolumes},
    {"node.inline_volumes", A::kNodeInlineVolumes, kN, BERTH_U64, true, change::kVolumes},
    {"count:", A::kCount, kC, BERTH_I64, false, change::kCounts, 0, true},
    {"count_total:", A::kCountTotal, kC, BERTH_I64, false, change::kCounts, 0, true},
    {"count_minimum:", A::kCountMinimum, kC, BERTH_I64, false, change::kCounts, 0, true},
    {"count_domains:", A::kCountDomains, kC, BERTH_I64, false, change::kCounts, 0, true},
    {"carriers:", A::kCarriers, kC, BERTH_I64, false, change::kCounts, 0, true},
    {"event.matches:", A::kEventMatches, kE, BERTH_U8, false, 0, 0, true},
    {"event.anti_affinity_matches", A::kEventAntiAffinity, kE, BERTH_U8, false, 0, 3},
    {"taint_set.keys", A::kTaintKeys, kT, BERTH_U32, true, change::kValue},
    {"taint_set.values", A::kTaintValues, kT, BERTH_U32, true, change::kValue},
    {"taint_set.effects", A::kTaintEffects, kT, BERTH_U32, true, change::kValue},
    {"image.nodes", A::kImageNodes, kI, BERTH_I64, false, change::kValue},
    {"cluster.nodes", A::kClusterNodes, Table::kCluster, BERTH_I64, false, change::kValue},
    {"cluster.epoch:", A::kClusterEpoch, Table::kCluster, BERTH_I64, false, change::kValue, 3},
    {"budget.allowed", A::kBudgetAllowed, Table::kBudgets, BERTH_I64, false, change::kValue},
    {"nominated.pod", A::kNominatedPod, kO, BERTH_U64, false, change::kValue, 3},
    {"nominated.node", A::kNominatedNode, kO, BERTH_U32, false, change::kValue, 3},
    {"nominated.namespace", A::kNominatedNamespace, kO, BERTH_U32, false, change::kValue, 3},
    {"nominated.priority", A::kNominatedPriority, kO, BERTH_I64, false, change::kValue, 3},
    {"nominated.requests:", A::kNominatedRequests, kO, BERTH_I64, false, change::kValue, 3},
};

Changes changes_of(const KnownColumn& known, std::string_view key) {
  if (known.attribute != A::kNodeRequested) return known.changes;
  if (key == "cpu") return change::kRequestedCpu;
  if (key == "memory") return change::kRequestedMemory;
  if (key == "ephemeral-storage") return change::kRequestedEphemeral;
  return change::kRequestedScalar;
}

bool acceptable_key(const KnownColumn& known, std::string_view key) {
  if (key.empty() || key == "*") return false;
  if (known.attribute == A::kNodeNonzeroRequested) return key == "cpu" || key == "memory";
  return true;
}

}  // namespace

std::span<const KnownColumn> known_columns() {
  static const std::vector<KnownColumn> all = [] {
    std::vector<KnownColumn> made(std::begin(kKnown), std::end(kKnown));
    made.insert(made.end(), pod_columns().begin(), pod_columns().end());
    return made;
  }();
  return all;
}

const KnownColumn* find_known_column(std::string_view declared) {
  const size_t colon = declared.find(':');
  const std::string_view name = declared.substr(0, colon == declared.npos ? colon : colon + 1);
  const auto all = known_columns();
  const auto found = std::ranges::find(all, name, &KnownColumn::name);
  return found == all.end() ? nullptr : &*found;
}

std::string_view table_name(Table table) {
  switch (table) {
    case Table::kNodes:
      return "nodes";
    case Table::kTaintSets:
      return "taint sets";
    case Table::kImages:
      return "images";
    case Table::kCluster:
      return "cluster";
    case Table::kCounts:
    case Table::kCarried:
      return "counts";
    case Table::kPods:
      return "pods";
    case Table::kEvents:
      return "events";
    case Table::kBudgets:
      return "budgets";
    case Table::kNominated:
      return "nominated";
    case Table::kNone:
      break;
  }
  return {};
}

std::string_view element_name(uint32_t type) {
  constexpr std::string_view kNames[] = {"", "u8", "u32", "i32", "i64", "u64", "f64"};
  static_assert(BERTH_U8 == 1 && BERTH_F64 + 1 == std::size(kNames));
  BERTH_ASSERT(type >= BERTH_U8 && type <= BERTH_F64);
  return kNames[type];
}

ColumnId Catalog::find(std::string_view id) {
  if (auto at = ids_.find(std::string(id)); at != ids_.end()) {
    looked_up_[at->second] = true;
    return at->second;
  }
  size_t colon = id.find(':');
  bool family = colon != std::string_view::npos;
  std::string_view name = family ? id.substr(0, colon + 1) : id;
  std::string_view key = family ? id.substr(colon + 1) : std::string_view();
  const KnownColumn* known = find_known_column(name);
  if (known == nullptr || (family && !acceptable_key(*known, key))) return 0;

  ColumnInfo info{.id = std::string(id),
                  .attribute = known->attribute,
                  .table = known->table,
                  .type = known->type,
                  .list = known->list,
                  .changes = changes_of(*known, key),
                  .scope = known->scope,
                  .reader = known->reader};
  if (known->numbered) {
    const char* end = key.data() + key.size();
    auto [at, error] = std::from_chars(key.data(), end, info.number);
    if (error != std::errc() || at != end || info.number == 0) return 0;
  } else if (family) {
    info.key = strings_.intern_counted(key);
    strings_.retain(info.key);
  }
  return add(std::move(info));
}

ColumnId Catalog::add(ColumnInfo info) {
  ColumnId id = size();
  if (free_.empty()) {
    columns_.emplace_back();
    looked_up_.push_back(true);
  } else {
    id = free_.back();
    free_.pop_back();
    looked_up_[id] = true;
  }
  columns_[id] = std::move(info);
  ids_.emplace(columns_[id].id, id);
  return id;
}

void Catalog::retire(ColumnId id) {
  BERTH_ASSERT(id >= pinned_);
  ColumnInfo& gone = columns_[id];
  ids_.erase(gone.id);
  if (gone.key != 0) strings_.release(gone.key);
  gone = {};
  free_.push_back(id);
}

bool is_family(std::string_view declared) {
  if (!declared.ends_with(":*")) return false;
  const KnownColumn* known = find_known_column(declared);
  return known != nullptr && known->attribute != A::kPodAnnotation &&
         known->attribute != A::kClusterEpoch;
}

bool covers(std::string_view declared, std::string_view id) {
  if (!declared.ends_with(":*")) return declared == id;
  std::string_view family = declared.substr(0, declared.size() - 1);
  return id.starts_with(family) && id.size() > family.size();
}

}  // namespace berth::model
