#include "engine/kube/api/object_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/ingest/objects/objects.h"

namespace berth::kube {
namespace {

using document::Value;
using ingest::Defaults;
using ingest::Validation;

// The first fault, without its place in the text, which nobody sees.
std::string first_fault(const Diagnostics& faults, Value object) {
  BERTH_ASSERT(faults.count() > 0);
  const Error& first = faults.kept().front();
  std::string_view field = first.place().field;
  const std::string root = object.path();
  if (!root.empty() && field.starts_with(root)) field.remove_prefix(root.size());
  if (field.starts_with('.')) field.remove_prefix(1);
  std::string text(field);
  if (!text.empty()) text += ": ";
  text += first.message();
  if (faults.count() > 1) text += " (and " + std::to_string(faults.count() - 1) + " more faults)";
  return text;
}

std::optional<Watched> read_pod(Value object, bool whole, Diagnostics& faults) {
  std::optional<model::Pod> pod = ingest::decode_pod(object, faults, Defaults::kApiServer);
  if (!pod) return std::nullopt;
  std::optional<ingest::WholeObject> kept;
  if (whole) kept = ingest::whole_pod(object, *pod);
  return Watched{model::added(model::TemplatePod::of(std::move(*pod))), std::move(kept)};
}

std::optional<Watched> read_other(const ServedKind& kind, Value object, bool whole,
                                  Diagnostics& faults) {
  std::optional<model::Object> read =
      ingest::decode_object(object, kind.name, faults, Defaults::kApiServer, Validation::kNone);
  if (!read) return std::nullopt;
  std::optional<ingest::WholeObject> kept;
  if (const auto* node = std::get_if<model::Node>(&*read); node != nullptr && whole)
    kept = ingest::whole_node(object, *node);
  return Watched{model::added(std::move(*read)), std::move(kept)};
}

// `As`: the alternative of model::Object that holds it.
template <typename Object, typename As = Object>
model::Object named(std::string namespace_name, std::string name) {
  Object object;
  object.name = std::move(name);
  if constexpr (requires { object.namespace_name; })
    object.namespace_name = std::move(namespace_name);
  return As(std::move(object));
}

template <typename Object>
constexpr auto kNamedStorage = named<Object, model::VolumeObject>;

model::Object named_pod(std::string namespace_name, std::string name) {
  return model::TemplatePod::named(std::move(namespace_name), std::move(name));
}

struct NamedKind {
  std::string_view kind;
  model::Object (*make)(std::string namespace_name, std::string name);
};

constexpr NamedKind kNamedKinds[] = {
    {"Namespace", named<model::Namespace>},
    {"Node", named<model::Node>},
    {"Pod", named_pod},
    {"PodDisruptionBudget", named<model::DisruptionBudget>},
    {"PodGroup", named<model::PodGroup>},
    {"PersistentVolumeClaim", kNamedStorage<model::PersistentVolumeClaim>},
    {"PersistentVolume", kNamedStorage<model::PersistentVolume>},
    {"StorageClass", kNamedStorage<model::StorageClass>},
    {"CSINode", kNamedStorage<model::CsiNode>},
    {"CSIDriver", kNamedStorage<model::CsiDriver>},
    {"CSIStorageCapacity", kNamedStorage<model::CsiStorageCapacity>},
    {"VolumeAttachment", kNamedStorage<model::VolumeAttachment>},
};

}  // namespace

std::optional<ObjectMetadata> read_metadata(const ServedKind& kind, Value object,
                                            std::string& fault) {
  const Value metadata = object.find("metadata");
  const ObjectMetadata read{metadata.find("namespace").text(), metadata.find("name").text(),
                            metadata.find("uid").text(), metadata.find("resourceVersion").text()};
  if (!is_path_segment(read.name)) {
    fault = "metadata.name: expected a name";
  } else if (kind.namespaced ? !is_path_segment(read.namespace_name)
                             : !read.namespace_name.empty()) {
    fault = kind.namespaced ? "metadata.namespace: expected a name"
                            : "metadata.namespace: expected none for this kind";
  } else if (read.uid.empty()) {
    fault = "metadata.uid: expected a UID";
  } else if (read.resource_version.empty()) {
    fault = "metadata.resourceVersion: expected a version";
  } else {
    return read;
  }
  return std::nullopt;
}

std::optional<Watched> read_object(const ServedKind& kind, Value object, bool whole,
                                   std::string& fault) {
  Diagnostics faults;
  std::optional<Watched> read = kind.name == "Pod" ? read_pod(object, whole, faults)
                                                   : read_other(kind, object, whole, faults);
  if (read)
    read->version = object.find("metadata").find("resourceVersion").text();
  else
    fault = first_fault(faults, object);
  return read;
}

model::Change deleted_object(const ServedKind& kind, std::string namespace_name, std::string name) {
  if (const auto owner = ingest::selector_owner_kind(kind.name, {})) {
    model::SelectorOwner object;
    object.kind = *owner;
    object.namespace_name = std::move(namespace_name);
    object.name = std::move(name);
    return model::deleted(std::move(object));
  }
  const auto* found = std::ranges::find(kNamedKinds, kind.name, &NamedKind::kind);
  BERTH_ASSERT(found != std::end(kNamedKinds));
  return model::deleted(found->make(std::move(namespace_name), std::move(name)));
}

}  // namespace berth::kube
