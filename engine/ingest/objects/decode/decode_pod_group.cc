// Decodes scheduling.x-k8s.io/v1alpha1.PodGroup to model::PodGroup.

#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/objects/objects.h"

namespace berth::ingest {

std::optional<model::PodGroup> decode_pod_group(document::Value value, Diagnostics& diagnostics,
                                                Defaults defaults) {
  Faults faults(diagnostics);
  const FieldReader in = object_reader(value, faults);
  const FieldReader metadata = in.object("metadata");
  const FieldReader spec = in.object("spec");
  model::PodGroup group;
  group.name = object_name(in, metadata, defaults, kind_of(group));
  group.namespace_name = namespace_of(metadata, defaults);
  group.created_at = metadata.time("creationTimestamp").value_or(0);
  group.min_member = spec.integer("minMember", 1, INT32_MAX).value_or(0);
  group.timeout_seconds = spec.integer("scheduleTimeoutSeconds", 0, INT32_MAX).value_or(0);
  if (!faults.none()) return std::nullopt;
  return group;
}

}  // namespace berth::ingest
