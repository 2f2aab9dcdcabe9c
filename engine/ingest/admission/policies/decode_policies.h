#pragma once

// Decodes the objects of policies.h. Each function returns nothing after a fault was reported.

#include <optional>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/ingest/admission/policies/policies.h"

namespace berth::ingest {

// Refuses names of the system's and values over a billion, as an API server does.
std::optional<PriorityClass> decode_priority_class(document::Value value, Diagnostics& diagnostics);
std::optional<RuntimeClass> decode_runtime_class(document::Value value, Diagnostics& diagnostics);
std::optional<LimitRange> decode_limit_range(document::Value value, Diagnostics& diagnostics);
std::optional<ResourceQuota> decode_quota(document::Value value, Diagnostics& diagnostics);

// The value of a class that every cluster has; nothing for other names.
std::optional<int32_t> system_priority(std::string_view name);

}  // namespace berth::ingest
