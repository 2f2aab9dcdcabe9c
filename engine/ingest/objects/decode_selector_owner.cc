// v1.Service, v1.ReplicationController, apps/v1.ReplicaSet and apps/v1.StatefulSet to
// model::SelectorOwner.

#include "engine/ingest/objects/field_reader.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/objects/selector_field.h"

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

std::optional<model::LabelSelector> selector_of(const FieldReader& spec,
                                                model::SelectorOwnerKind kind, Defaults defaults) {
  switch (kind) {
    case model::SelectorOwnerKind::kService:
      return map_selector(spec);
    case model::SelectorOwnerKind::kReplicationController:
      return controller_selector(spec, defaults);
    case model::SelectorOwnerKind::kReplicaSet:
    case model::SelectorOwnerKind::kStatefulSet:
      break;
  }
  return read_label_selector(spec, "selector");
}

}  // namespace

std::optional<model::SelectorOwner> decode_selector_owner(document::Value value,
                                                          model::SelectorOwnerKind kind,
                                                          Diagnostics& diagnostics,
                                                          Defaults defaults) {
  Faults faults(diagnostics);
  FieldReader in = object_reader(value, faults);
  FieldReader metadata = in.object("metadata");
  model::SelectorOwner set;
  set.kind = kind;
  set.name = object_name(in, metadata, defaults, selector_owner_kind_name(kind));
  set.namespace_name = namespace_of(metadata, defaults);
  set.selector = selector_of(in.object("spec"), kind, defaults);
  if (!faults.none()) return std::nullopt;
  return set;
}

}  // namespace berth::ingest
