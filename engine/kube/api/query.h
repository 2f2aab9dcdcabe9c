#pragma once

// Paths with queries, as requests have them.

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace berth::kube {

using Parameter = std::pair<std::string_view, std::string_view>;

// `path`, a question mark and the parameters, whose values are encoded: "/api/v1/pods?limit=500".
// Parameters without a value are left out. Precondition: the keys need no encoding, and the path
// has no query.
std::string with_query(std::string path, std::initializer_list<Parameter> parameters);

}  // namespace berth::kube
