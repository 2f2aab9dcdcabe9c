#pragma once

// The forms of an object. Events are stored as those of v1; events.k8s.io/v1 shows the same under
// other names.

#include "tests/apiserver/objects/json.h"
#include "tests/apiserver/resources/resource.h"

namespace berth::apiserver {

// From the stored form to that of the resource, and back. No effect unless it is a view.
void to_view(const Resource& resource, json::value& tree);
void from_view(const Resource& resource, json::value& tree);

// Puts kind, apiVersion and metadata first, in this order, and in the metadata the name, namespace,
// uid and resourceVersion: store/version.h finds them there.
void normalise(const Resource& resource, json::value& tree);

}  // namespace berth::apiserver
