#pragma once

// What clients ask of a server as such: its version, its resources, its health.

#include <optional>
#include <string_view>

#include "tests/apiserver/verbs/core.h"

namespace berth::apiserver {

// None: the path is no such thing. `pod_groups` as of Options.
std::optional<Answer> discover(std::string_view path, bool pod_groups);

// True for the paths that a server answers without asking who it is.
bool is_public(std::string_view path);

}  // namespace berth::apiserver
