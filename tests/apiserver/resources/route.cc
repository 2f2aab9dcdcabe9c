#include "tests/apiserver/resources/route.h"

#include <vector>

namespace berth::apiserver {
namespace {

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const size_t slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    path = slash == path.npos ? std::string_view() : path.substr(slash + 1);
  }
  return parts;
}

}  // namespace

std::string Route::key() const {
  std::string made(namespace_name);
  if (!made.empty()) made += '/';
  return made.append(name);
}

bool parse_route(std::string_view path, Route& route) {
  if (path.empty() || path.back() == '/') return false;
  const std::vector<std::string_view> parts = split(path.substr(1));
  const bool core = parts[0] == "api";
  if (!core && parts[0] != "apis") return false;
  size_t at = core ? 2 : 3;
  if (parts.size() <= at) return false;
  const std::string_view group = core ? std::string_view() : parts[1], version = parts[at - 1];
  // "namespaces/NAME/PLURAL"; of a namespace itself there are subresources only.
  if (parts[at] == "namespaces" && parts.size() > at + 2 && parts[at + 2] != "status") {
    route.namespace_name = parts[at + 1];
    at += 2;
  }
  if (parts.size() > at + 3) return false;
  route.resource = find_resource(group, version, parts[at]);
  if (parts.size() > at + 1) route.name = parts[at + 1];
  if (parts.size() > at + 2) route.subresource = parts[at + 2];
  if (core && parts[at] == "bindings" && parts.size() == at + 1) {
    route.resource = find_resource("", "v1", "pods");
    route.subresource = "binding";
  }
  if (route.resource == nullptr) return false;
  if (route.resource->namespaced) return !route.namespace_name.empty() || route.name.empty();
  return route.namespace_name.empty();
}

}  // namespace berth::apiserver
