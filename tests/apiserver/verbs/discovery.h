#pragma once

// What clients ask of a server as such: its version, its resources, its health.

#include <optional>
#include <string_view>

#include "tests/apiserver/verbs/core.h"

namespace berth::apiserver {

// None: the path is no such thing. `pod_groups` as of Options.
std::optional<Answer> discover(std::string_view path, bool pod_groups);

// GET /openapi/v2; none: another request. A document without definitions: kubectl, which takes it
// in protobuf alone, then checks no fields itself and merges by the types that it has.
std::optional<Answer> openapi(const Request& request);

// True for the paths that a server answers without asking who it is.
bool is_public(std::string_view path);

}  // namespace berth::apiserver
