// Decodes v1.Service, v1.ReplicationController, apps/v1.ReplicaSet and apps/v1.StatefulSet to
// model::SelectorOwner.

#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/objects/fields/selector_field.h"
#include "engine/ingest/objects/objects.h"

namespace berth::ingest {
namespace {

// Services and ReplicationControllers have a map as selector.
std::optional<model::LabelSelector> map_selector(const FieldReader& spec) {
  if (!spec.has("selector")) return std::nullopt;
  return model::LabelSelector{spec.string_map("selector"), {}};
}

// For a ReplicationController without a selector, an API server uses the labels of its pods.
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
  model::SelectorOwner owner;
  owner.kind = kind;
  owner.name = object_name(in, metadata, defaults, model::kind_of(kind));
  owner.namespace_name = namespace_of(metadata, defaults);
  owner.selector = selector_of(in.object("spec"), kind, defaults);
  if (!faults.none()) return std::nullopt;
  return owner;
}

}  // namespace berth::ingest
