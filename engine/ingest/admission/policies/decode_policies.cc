#include "engine/ingest/admission/policies/decode_policies.h"

#include "engine/ingest/admission/policies/resource_lists.h"
#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/objects/fields/selector_field.h"
#include "engine/ingest/objects/fields/toleration_field.h"

namespace berth::ingest {
namespace {

using document::Value;

constexpr int32_t kHighestUserPriority = 1'000'000'000;

void check_class(Value value, const PriorityClass& object, Faults& faults) {
  if (const auto system = system_priority(object.name)) {
    if (object.value != *system)
      faults.report(value.find("value"), "Forbidden: value of the system class " + object.name +
                                             " must be " + std::to_string(*system));
    return;
  }
  if (object.name.starts_with("system-"))
    faults.report(value.find("metadata").find("name"),
                  "Forbidden: priority class names with 'system-' prefix are reserved for system "
                  "use only");
  if (object.value > kHighestUserPriority)
    faults.report(value.find("value"),
                  "Forbidden: maximum allowed value of a user defined priority "
                  "is " +
                      std::to_string(kHighestUserPriority));
}

LimitRangeItem item_of(const FieldReader& in) {
  const auto list = [&](std::string_view name) { return in.resources(name, Defaults::kApiServer); };
  LimitRangeItem item{in.text("type"),
                      list("max"),
                      list("min"),
                      list("default"),
                      list("defaultRequest"),
                      list("maxLimitRequestRatio")};
  if (item.type != "Container") return item;
  add_missing(item.defaults, item.max);
  add_missing(item.default_requests, item.defaults);
  add_missing(item.default_requests, item.min);
  return item;
}

}  // namespace

std::optional<int32_t> system_priority(std::string_view name) {
  if (name == "system-node-critical") return 2'000'001'000;
  if (name == "system-cluster-critical") return 2'000'000'000;
  return std::nullopt;
}

std::optional<PriorityClass> decode_priority_class(Value value, Diagnostics& diagnostics) {
  Faults faults(diagnostics);
  const FieldReader in = object_reader(value, faults);
  PriorityClass object;
  const FieldReader metadata = in.object("metadata");
  object.name = object_name(in, metadata, Defaults::kApiServer, "PriorityClass");
  object.uid = metadata.text("uid");
  if (!in.has("value")) faults.report(value, "Required value", "value");
  object.value = in.integer32("value").value_or(0);
  object.global_default = in.boolean("globalDefault");
  object.preemption_policy = in.text("preemptionPolicy");
  if (object.preemption_policy.empty()) object.preemption_policy = "PreemptLowerPriority";
  if (object.preemption_policy != "PreemptLowerPriority" && object.preemption_policy != "Never")
    faults.report(value.find("preemptionPolicy"),
                  "Unsupported value: " + document::to_json(value.find("preemptionPolicy")) +
                      ": supported values: \"Never\", \"PreemptLowerPriority\"");
  if (faults.none()) check_class(value, object, faults);
  if (!faults.none()) return std::nullopt;
  return object;
}

std::optional<RuntimeClass> decode_runtime_class(Value value, Diagnostics& diagnostics) {
  Faults faults(diagnostics);
  const FieldReader in = object_reader(value, faults);
  RuntimeClass object;
  object.name = object_name(in, in.object("metadata"), Defaults::kApiServer, "RuntimeClass");
  object.has_overhead = in.has("overhead");
  object.overhead = in.object("overhead").resources("podFixed", Defaults::kApiServer);
  const FieldReader scheduling = in.object("scheduling");
  object.node_selector = scheduling.string_map("nodeSelector");
  object.tolerations = read_tolerations(scheduling, "tolerations");
  if (!faults.none()) return std::nullopt;
  return object;
}

std::optional<LimitRange> decode_limit_range(Value value, Diagnostics& diagnostics) {
  Faults faults(diagnostics);
  const FieldReader in = object_reader(value, faults);
  const FieldReader metadata = in.object("metadata");
  LimitRange object;
  object.name = object_name(in, metadata, Defaults::kApiServer, "LimitRange");
  object.namespace_name = namespace_of(metadata, Defaults::kApiServer);
  in.object("spec").each("limits",
                         [&](const FieldReader& item) { object.limits.push_back(item_of(item)); });
  if (!faults.none()) return std::nullopt;
  return object;
}

std::optional<ResourceQuota> decode_quota(Value value, Diagnostics& diagnostics) {
  Faults faults(diagnostics);
  const FieldReader in = object_reader(value, faults);
  const FieldReader metadata = in.object("metadata");
  ResourceQuota object;
  object.name = object_name(in, metadata, Defaults::kApiServer, "ResourceQuota");
  object.namespace_name = namespace_of(metadata, Defaults::kApiServer);
  const FieldReader spec = in.object("spec");
  object.hard = spec.resources("hard", Defaults::kApiServer);
  for (std::string& scope : spec.texts("scopes"))
    object.scopes.push_back({std::move(scope), "Exists", {}});
  spec.object("scopeSelector").each("matchExpressions", [&](const FieldReader& scope) {
    object.scopes.push_back(
        {scope.text("scopeName"), scope.text("operator"), scope.texts("values")});
  });
  const FieldReader status = in.object("status");
  if (status.has("used")) object.used = status.resources("used", Defaults::kApiServer);
  if (!faults.none()) return std::nullopt;
  return object;
}

}  // namespace berth::ingest
