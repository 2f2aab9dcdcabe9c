// Decodes policy/v1.Eviction, and v1beta1, which has the same fields. Sources: k8s.io/api policy/v1
// types.go, k8s.io/apimachinery meta/v1 DeleteOptions and its validation, k8s.io/apiserver
// registry/rest delete.go.

#include <cstdint>

#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/objects/objects.h"

namespace berth::ingest {
namespace {

std::optional<std::string> optional_text(const FieldReader& in, std::string_view name) {
  if (!in.has(name)) return std::nullopt;
  return in.text(name);
}

}  // namespace

// The name is the pod's, so none is generated.
std::optional<model::EvictionRequest> decode_eviction(document::Value value,
                                                      Diagnostics& diagnostics, Defaults defaults) {
  Faults faults(diagnostics);
  const FieldReader in = object_reader(value, faults);
  const FieldReader metadata = in.object("metadata");
  model::EvictionRequest request;
  request.name = object_name(in, metadata, Defaults::kNone, kind_of(request));
  request.namespace_name = namespace_of(metadata, defaults);
  const FieldReader options = in.object("deleteOptions");
  request.grace_seconds = options.integer("gracePeriodSeconds", INT64_MIN, INT64_MAX);
  // An API server takes a negative one as 1.
  if (request.grace_seconds && *request.grace_seconds < 0) request.grace_seconds = 1;
  for (const std::string& stages : options.texts("dryRun")) {
    request.dry_run = true;
    if (stages != "All")
      faults.report(
          value.find("deleteOptions").find("dryRun"),
          "Unsupported value: " + document::quoted(stages) + ": supported values: \"All\"");
  }
  const FieldReader preconditions = options.object("preconditions");
  request.uid = optional_text(preconditions, "uid");
  request.resource_version = optional_text(preconditions, "resourceVersion");
  if (!faults.none()) return std::nullopt;
  return request;
}

}  // namespace berth::ingest
