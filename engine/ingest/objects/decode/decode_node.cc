// Decodes v1.Node and v1.Namespace.

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/validation/validate_new.h"
#include "engine/model/objects/string_map.h"

namespace berth::ingest {
namespace {

// The annotation that stops the node's kubelet in a run.
constexpr std::string_view kKubelet = "berth/kubelet", kStopped = "stopped";

model::NodeCondition condition_of(const FieldReader& in) {
  model::NodeCondition condition{in.text("type"), in.text("status")};
  const std::string& status = condition.status;
  if (status != "True" && status != "False" && status != "Unknown" && in.has("status"))
    in.wrong("status", "expected True, False or Unknown, found " + document::quoted(status));
  return condition;
}

std::optional<model::Node> decoded_node(document::Value value, Diagnostics& diagnostics,
                                        Defaults defaults, Validation validation) {
  Faults faults(diagnostics);
  FieldReader in = object_reader(value, faults);
  FieldReader metadata = in.object("metadata");
  model::Node node;
  node.name = object_name(in, metadata, defaults, "node");
  node.labels = metadata.string_map("labels");
  node.annotations = metadata.string_map("annotations");
  if (const std::string* kubelet = model::value_in(node.annotations, kKubelet);
      kubelet != nullptr && *kubelet != kStopped)
    metadata.object("annotations")
        .wrong(kKubelet,
               "expected " + std::string(kStopped) + ", found " + document::quoted(*kubelet));
  FieldReader spec = in.object("spec");
  node.unschedulable = spec.boolean("unschedulable");
  spec.each("taints", [&](const FieldReader& taint) {
    node.taints.push_back({taint.text("key"), taint.text("value"), taint.text("effect")});
  });
  FieldReader status = in.object("status");
  bool from_capacity = defaults == Defaults::kApiServer && !status.has("allocatable");
  node.allocatable = status.resources(from_capacity ? "capacity" : "allocatable", defaults);
  if (!from_capacity) node.capacity = status.resources("capacity", defaults);
  if (node.capacity == node.allocatable) node.capacity.clear();
  status.each("images", [&](const FieldReader& image) {
    node.images.push_back(
        {image.texts("names"),
         image.integer("sizeBytes", 0, std::numeric_limits<int64_t>::max()).value_or(0)});
  });
  status.each("conditions", [&](const FieldReader& condition) {
    node.conditions.push_back(condition_of(condition));
  });
  node.declared_features = status.texts("declaredFeatures");
  node.supplemental_groups_policy = status.object("features").boolean("supplementalGroupsPolicy");
  if (validation != Validation::kNone && metadata.text("uid").empty())
    validate_new_node(value, node, validation, faults);
  if (!faults.none()) return std::nullopt;
  return node;
}

// The API server gives every namespace this label.
void label_with_name(model::Namespace& object) {
  const std::pair<std::string, std::string> label("kubernetes.io/metadata.name", object.name);
  auto at = std::lower_bound(object.labels.begin(), object.labels.end(), label,
                             [](const auto& a, const auto& b) { return a.first < b.first; });
  if (at == object.labels.end() || at->first != label.first) object.labels.insert(at, label);
}

}  // namespace

std::optional<model::Node> decode_node(document::Value value, Diagnostics& diagnostics,
                                       Defaults defaults) {
  return decoded_node(value, diagnostics, defaults, Validation::kNone);
}

std::optional<model::Node> decode_new_node(document::Value value, Diagnostics& diagnostics,
                                           Validation validation) {
  return decoded_node(value, diagnostics, Defaults::kApiServer, validation);
}

std::optional<model::Namespace> decode_namespace(document::Value value, Diagnostics& diagnostics,
                                                 Defaults defaults) {
  Faults faults(diagnostics);
  FieldReader in = object_reader(value, faults);
  FieldReader metadata = in.object("metadata");
  model::Namespace result;
  result.name = object_name(in, metadata, defaults, "namespace");
  result.labels = metadata.string_map("labels");
  if (!faults.none()) return std::nullopt;
  if (defaults == Defaults::kApiServer) label_with_name(result);
  return result;
}

}  // namespace berth::ingest
