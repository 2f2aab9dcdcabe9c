// v1.Node and v1.Namespace to the model's values.

#include <limits>

#include "engine/ingest/field_reader.h"
#include "engine/ingest/objects.h"

namespace berth::ingest {

std::optional<model::Node> decode_node(document::Value value, Diagnostics& diagnostics,
                                       Defaults defaults) {
  bool good = true;
  FieldReader in(value, "", diagnostics, good);
  FieldReader metadata = in.object("metadata");
  model::Node node;
  node.name = metadata.text("name");
  if (node.name.empty()) metadata.fault("name", "a node needs a name");
  node.labels = metadata.string_map("labels");
  node.annotations = metadata.string_map("annotations");
  FieldReader spec = in.object("spec");
  node.unschedulable = spec.boolean("unschedulable");
  spec.each("taints", [&](const FieldReader& taint) {
    node.taints.push_back({taint.text("key"), taint.text("value"), taint.text("effect")});
  });
  FieldReader status = in.object("status");
  node.allocatable = status.resources("allocatable");
  model::ResourceList capacity = status.resources("capacity");
  if (defaults == Defaults::kApiServer && !status.has("allocatable"))
    node.allocatable = std::move(capacity);
  status.each("images", [&](const FieldReader& image) {
    node.images.push_back(
        {image.texts("names"),
         image.integer("sizeBytes", 0, std::numeric_limits<int64_t>::max()).value_or(0)});
  });
  if (!good) return std::nullopt;
  return node;
}

std::optional<model::Namespace> decode_namespace(document::Value value, Diagnostics& diagnostics,
                                                 Defaults) {
  bool good = true;
  FieldReader metadata = FieldReader(value, "", diagnostics, good).object("metadata");
  model::Namespace object{metadata.text("name"), metadata.string_map("labels")};
  if (object.name.empty()) metadata.fault("name", "a namespace needs a name");
  if (!good) return std::nullopt;
  return object;
}

}  // namespace berth::ingest
