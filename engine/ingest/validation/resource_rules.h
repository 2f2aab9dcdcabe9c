#pragma once

// The API server's rules for resources of new pods and nodes. Internal to this module.

#include "engine/ingest/admission/field_errors.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

enum class ResourceNames : uint8_t {
  kContainer,  // cpu, memory, ephemeral storage, huge pages, and names with a domain
  kPod,        // cpu, memory, huge pages
};

// Requests and limits in the `resources` at the current place of `errors`. Requests have the
// defaults from the limits.
void check_requirements(const model::ResourceList& requests, const model::ResourceList& limits,
                        ResourceNames names, FieldErrors& errors);

// The requests of a spec's containers against their limits alone, at the spec: what
// check_requirements says again after something filled them in.
void check_requests_against_limits(const model::PodSpec& spec, FieldErrors& errors);

// The pod's own requests and limits against those of its containers, at its spec.
void check_pod_level(const model::PodSpec& spec, const model::ResourceList& limits,
                     FieldErrors& errors);

// Amounts of a node, in the list of this name at the current place.
void check_node_amounts(const char* field, const model::ResourceList& amounts, FieldErrors& errors);

}  // namespace berth::ingest
