// Decodes policy/v1.PodDisruptionBudget to model::DisruptionBudget.

#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/objects/fields/selector_field.h"
#include "engine/ingest/objects/objects.h"

namespace berth::ingest {

std::optional<model::DisruptionBudget> decode_disruption_budget(document::Value value,
                                                                Diagnostics& diagnostics,
                                                                Defaults defaults) {
  Faults faults(diagnostics);
  FieldReader in = object_reader(value, faults);
  FieldReader metadata = in.object("metadata");
  model::DisruptionBudget budget;
  budget.name = object_name(in, metadata, defaults, kDisruptionBudget);
  budget.namespace_name = namespace_of(metadata, defaults);
  budget.selector = read_label_selector(in.object("spec"), "selector");
  FieldReader status = in.object("status");
  budget.disruptions_allowed = status.integer32("disruptionsAllowed").value_or(0);
  budget.disrupted_pods = status.keys("disruptedPods");
  if (!faults.none()) return std::nullopt;
  return budget;
}

}  // namespace berth::ingest
