#include "engine/ingest/stream/stream_versions.h"

#include <algorithm>

#include "berth/schema/cluster_generated.h"
#include "berth/schema/objects_generated.h"

namespace berth::ingest {
namespace {

using flatbuffers::TypeTable;

struct Addition {
  const TypeTable* table;
  flatbuffers::voffset_t first;  // vtable offset of the first field that earlier versions lack
  uint8_t version;
};

}  // namespace

size_t fields_in_version(const TypeTable* type, uint8_t version) {
  static const Addition kAdditions[] = {
      {schema::PodTypeTable(), schema::Pod::VT_CONTROLLER, 2},
      {schema::ClusterTypeTable(), schema::Cluster::VT_SELECTOR_OWNERS, 2},
      {schema::EventTypeTable(), schema::Event::VT_SELECTOR_OWNER, 2},
      {schema::PodsTypeTable(), schema::Pods::VT_CONTROLLERS, 2},
      {schema::PodTypeTable(), schema::Pod::VT_PREEMPTED, 3},
      {schema::PodSpecTypeTable(), schema::PodSpec::VT_TERMINATION_GRACE_SECONDS, 3},
      {schema::ContainerTypeTable(), schema::Container::VT_LIMITS, 3},
      {schema::ClusterTypeTable(), schema::Cluster::VT_DISRUPTION_BUDGETS, 3},
      {schema::EventTypeTable(), schema::Event::VT_DISRUPTION_BUDGET, 3},
      {schema::TemplatesTypeTable(), schema::Templates::VT_RETIRED, 3},
      {schema::PodsTypeTable(), schema::Pods::VT_CREATED_AT, 3},
      {schema::PodTypeTable(), schema::Pod::VT_CLAIMS, 4},
      {schema::PodSpecTypeTable(), schema::PodSpec::VT_VOLUMES, 4},
      {schema::ClusterTypeTable(), schema::Cluster::VT_STORAGE_OBJECTS, 4},
      {schema::EventTypeTable(), schema::Event::VT_STORAGE_OBJECT, 4},
      {schema::PodsTypeTable(), schema::Pods::VT_CLAIM_COUNTS, 4},
  };
  size_t fields = type->num_elems;
  for (const Addition& addition : kAdditions) {
    if (addition.table != type || addition.version <= version) continue;
    // A vtable consists of two sizes and two bytes per field.
    fields = std::min(fields, size_t{addition.first} / 2 - 2);
  }
  return fields;
}

bool has_event_kind(uint8_t version, schema::EventKind kind) {
  if (version == 1) return kind <= schema::EventKind::NamespaceDeleted;
  if (version == 2) return kind <= schema::EventKind::SelectorOwnerDeleted;
  if (version == 3) return kind <= schema::EventKind::DisruptionBudgetDeleted;
  return kind <= schema::EventKind::MAX;
}

}  // namespace berth::ingest
