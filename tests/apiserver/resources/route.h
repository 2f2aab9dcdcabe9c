#pragma once

// What a path names.

#include <string>
#include <string_view>

#include "tests/apiserver/resources/resource.h"

namespace berth::apiserver {

struct Route {
  const Resource* resource = nullptr;
  std::string_view namespace_name;  // empty: all, or the resource has none
  std::string_view name;            // empty: the collection
  std::string_view subresource;     // empty: the object itself

  // As storages have it: "default/web-0", or "node-1". Without a name: "default/", or empty.
  std::string key() const;
};

// False if the path is none of a resource. The texts are those of `path`. The collection "bindings"
// is the subresource of pods without a name.
bool parse_route(std::string_view path, Route& route);

}  // namespace berth::apiserver
