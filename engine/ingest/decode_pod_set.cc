// v1.Service, v1.ReplicationController, apps/v1.ReplicaSet and apps/v1.StatefulSet to
// model::PodSet.

#include "engine/ingest/field_reader.h"
#include "engine/ingest/objects.h"
#include "engine/ingest/selector_field.h"

namespace berth::ingest {
namespace {

// The selector of a Service or a ReplicationController is a map.
std::optional<model::LabelSelector> map_selector(const FieldReader& spec) {
  if (!spec.has("selector")) return std::nullopt;
  return model::LabelSelector{spec.string_map("selector"), {}};
}

// An API server takes the labels of a ReplicationController's pods where it selects by none.
std::optional<model::LabelSelector> controller_selector(const FieldReader& spec,
                                                        Defaults defaults) {
  std::optional<model::LabelSelector> selector = map_selector(spec);
  if (defaults != Defaults::kApiServer || (selector && !selector->match_labels.empty()))
    return selector;
  FieldReader metadata = spec.object("template").object("metadata");
  if (!metadata.has("labels")) return selector;
  return model::LabelSelector{metadata.string_map("labels"), {}};
}

std::optional<model::LabelSelector> selector_of(const FieldReader& spec, model::PodSetKind kind,
                                                Defaults defaults) {
  switch (kind) {
    case model::PodSetKind::kService:
      return map_selector(spec);
    case model::PodSetKind::kReplicationController:
      return controller_selector(spec, defaults);
    case model::PodSetKind::kReplicaSet:
    case model::PodSetKind::kStatefulSet:
      break;
  }
  return read_label_selector(spec, "selector");
}

}  // namespace

std::optional<model::PodSet> decode_pod_set(document::Value value, model::PodSetKind kind,
                                            Diagnostics& diagnostics, Defaults defaults) {
  Faults faults(diagnostics);
  FieldReader in = object_reader(value, faults);
  FieldReader metadata = in.object("metadata");
  model::PodSet set;
  set.kind = kind;
  set.name = object_name(in, metadata, defaults, pod_set_kind_name(kind));
  set.namespace_name = namespace_of(metadata, defaults);
  set.selector = selector_of(in.object("spec"), kind, defaults);
  if (!faults.none()) return std::nullopt;
  return set;
}

}  // namespace berth::ingest
