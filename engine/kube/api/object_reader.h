#pragma once

// Reads objects of lists and watches. An API server has validated them and filled in defaults, so
// they are decoded as they are; items of a list have no kind and apiVersion.

#include <optional>
#include <string>
#include <string_view>

#include "engine/document/document.h"
#include "engine/ingest/written/whole_object.h"
#include "engine/kube/kinds.h"
#include "engine/model/objects/change.h"

namespace berth::kube {

// Which object this is, and which version of it. Views into its document.
struct ObjectMetadata {
  std::string_view namespace_name;  // empty if and only if the kind has no namespaces
  std::string_view name;
  std::string_view uid, resource_version;  // not empty
};

// Nothing if a part is missing, or a name is none that object_path() takes; then `fault` says why.
std::optional<ObjectMetadata> read_metadata(const ServedKind& kind, document::Value object,
                                            std::string& fault);

// A change at the server.
struct Watched {
  model::Change change;
  // Of a pod or node that was added or modified, if whole objects are asked for. Its line is not
  // set. That of an item of a list has no kind and apiVersion.
  std::optional<ingest::WholeObject> whole{};
  std::string version{};  // metadata.resourceVersion; empty: of an object that was deleted
};

// The object, added. Nothing if it cannot be decoded; then `fault` says why. Precondition:
// read_metadata() takes it.
std::optional<Watched> read_object(const ServedKind& kind, document::Value object, bool whole,
                                   std::string& fault);

// An object of which nothing but its name is left. `namespace_name`: empty if the kind has none.
model::Change deleted_object(const ServedKind& kind, std::string namespace_name, std::string name);

}  // namespace berth::kube
