// The decoder of each kind.

#include "engine/ingest/objects/objects.h"
#include "engine/ingest/volumes/decode_volumes.h"

namespace berth::ingest {

std::optional<model::Object> decode_object(document::Value value, std::string_view kind,
                                           Diagnostics& diagnostics, Defaults defaults,
                                           Validation validation) {
  if (kind == "Node" && validation != Validation::kNone)
    return decode_new_node(value, diagnostics, validation);
  if (kind == "Node") return decode_node(value, diagnostics, defaults);
  if (kind == "Namespace") return decode_namespace(value, diagnostics, defaults);
  if (kind == kDisruptionBudget) return decode_disruption_budget(value, diagnostics, defaults);
  if (kind == "PodGroup") return decode_pod_group(value, diagnostics, defaults);
  if (kind == "Eviction") return decode_eviction(value, diagnostics, defaults);
  if (kind == kKubeletConfiguration || kind == "PodMetrics" || kind == "NodeMetrics")
    return decode_kubelet_object(value, kind, diagnostics, defaults);
  if (const auto owner = selector_owner_kind(kind, {}))
    return decode_selector_owner(value, *owner, diagnostics, defaults);
  return decode_volume_object(value, kind, diagnostics, defaults);
}

}  // namespace berth::ingest
