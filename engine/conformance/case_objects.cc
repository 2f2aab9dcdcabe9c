#include "engine/conformance/case_objects.h"

#include <memory>

#include "engine/ingest/storage/decode_volumes.h"

namespace berth::conformance {

using document::Value;

std::string text_of(Value object, std::string_view field) {
  Value text = object.find(field);
  return text.is(document::Kind::kString) ? std::string(text.as_string()) : std::string();
}

std::optional<model::Event> event_of(Value object) {
  const std::string kind = text_of(object, "kind");
  const std::string version = text_of(object, "apiVersion");
  if (kind == "Node") return model::NodeUpdated{decoded(object, ingest::decode_node)};
  if (kind == "Namespace")
    return model::NamespaceUpdated{decoded(object, ingest::decode_namespace)};
  if (ingest::is_disruption_budget(kind, version))
    return model::DisruptionBudgetUpdated{decoded(object, ingest::decode_disruption_budget)};
  if (ingest::is_volume_object(kind, version))
    return model::VolumeObjectUpdated{
        decoded(object, [&](Value value, Diagnostics& diagnostics, ingest::Defaults defaults) {
          return ingest::decode_volume_object(value, kind, diagnostics, defaults);
        })};
  const auto owner = ingest::selector_owner_kind(kind, version);
  if (!owner) return std::nullopt;
  return model::SelectorOwnerUpdated{
      decoded(object, [&](Value value, Diagnostics& diagnostics, ingest::Defaults defaults) {
        return ingest::decode_selector_owner(value, *owner, diagnostics, defaults);
      })};
}

model::Event pod_event(model::Pod pod) {
  return model::PodUpdated{model::TemplatePod::of(std::move(pod))};
}

std::pair<std::string, std::string> split_name(Value name) {
  const std::string_view text = name.is(document::Kind::kString) ? name.as_string() : "";
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos)
    throw Error(name.place(), "a pod or disruption budget is named as NAMESPACE/NAME");
  return {std::string(text.substr(0, slash)), std::string(text.substr(slash + 1))};
}

}  // namespace berth::conformance
