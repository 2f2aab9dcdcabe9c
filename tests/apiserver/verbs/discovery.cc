#include "tests/apiserver/verbs/discovery.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tests/apiserver/objects/json.h"

namespace berth::apiserver {
namespace {

using GroupVersion = std::pair<std::string, std::string>;  // of which one group has one

constexpr std::pair<std::string_view, std::string_view> kReviews[] = {
    {"authentication.k8s.io", "TokenReview"},
    {"authorization.k8s.io", "SubjectAccessReview"},
};

bool is_served(const Resource& resource, bool pod_groups) {
  return pod_groups || resource.kind != "PodGroup";
}

std::set<GroupVersion> groups_of(bool pod_groups) {
  std::set<GroupVersion> groups;
  for (const Resource& resource : all_resources()) {
    if (resource.group.empty() || !is_served(resource, pod_groups)) continue;
    groups.emplace(resource.group, resource.version);
  }
  for (const auto& [group, kind] : kReviews) groups.emplace(group, "v1");
  return groups;
}

json::object group_json(const GroupVersion& of) {
  const json::object version{{"groupVersion", of.first + "/" + of.second}, {"version", of.second}};
  return {{"name", of.first}, {"versions", json::array{version}}, {"preferredVersion", version}};
}

json::object entry(std::string_view name, const Resource& resource, json::array verbs) {
  return {{"name", name},
          {"singularName", name == resource.plural ? resource.singular : std::string_view()},
          {"namespaced", resource.namespaced},
          {"kind", resource.kind},
          {"verbs", std::move(verbs)}};
}

void add_subresource(json::array& list, const Resource& resource, std::string_view name,
                     std::string_view kind, json::array verbs) {
  const std::string path = std::string(resource.plural).append("/").append(name);
  json::object made = entry(path, resource, std::move(verbs));
  if (!kind.empty()) made["kind"] = kind;
  list.push_back(std::move(made));
}

void add_entries(json::array& list, const Resource& resource) {
  json::object made =
      entry(resource.plural, resource,
            {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"});
  if (!resource.short_names.empty()) {
    json::array names;
    for (const std::string_view name : resource.short_names) names.push_back(json::value(name));
    made["shortNames"] = std::move(names);
  }
  list.push_back(std::move(made));
  if (resource.status != Resource::StatusPart::kNone) {
    add_subresource(list, resource, "status", "", {"get", "patch", "update"});
  }
  if (resource.kind == "Pod") {
    add_subresource(list, resource, "binding", "Binding", {"create"});
    add_subresource(list, resource, "eviction", "Eviction", {"create"});
    json::object& eviction = list.back().get_object();
    eviction["group"] = "policy";
    eviction["version"] = "v1";
  }
}

std::optional<Answer> resources_of(std::string_view group_version, bool pod_groups) {
  json::array list;
  for (const Resource& resource : all_resources()) {
    if (!is_served(resource, pod_groups) || api_version(resource) != group_version) continue;
    add_entries(list, resource);
  }
  for (const auto& [group, kind] : kReviews) {
    if (std::string(group) + "/v1" != group_version) continue;
    std::string plural(kind);
    std::ranges::transform(plural, plural.begin(), [](char c) { return char(c | 0x20); });
    list.push_back({{"name", plural + "s"},
                    {"singularName", plural},
                    {"namespaced", false},
                    {"kind", kind},
                    {"verbs", {"create"}}});
  }
  if (list.empty()) return std::nullopt;
  return Answer{200, json::serialize(json::object{{"kind", "APIResourceList"},
                                                  {"apiVersion", "v1"},
                                                  {"groupVersion", group_version},
                                                  {"resources", std::move(list)}})};
}

std::string group_list(bool pod_groups) {
  json::array list;
  for (const GroupVersion& group : groups_of(pod_groups)) list.push_back(group_json(group));
  return json::serialize(
      json::object{{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", std::move(list)}});
}

std::optional<Answer> one_group(std::string_view name, bool pod_groups) {
  for (const GroupVersion& group : groups_of(pod_groups)) {
    if (group.first != name) continue;
    json::object made{{"kind", "APIGroup"}, {"apiVersion", "v1"}};
    for (auto& [key, value] : group_json(group)) made[key] = std::move(value);
    return Answer{200, json::serialize(made)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Answer> openapi(const Request& request) {
  if (request.path != "/openapi/v2" || request.method != "GET") return std::nullopt;
  constexpr std::string_view kJson =
      R"({"swagger":"2.0","info":{"title":"Kubernetes","version":"v1.34.1"},"paths":{}})";
  // The same as a message of protobuf, without paths: 1 swagger, 2 info of 1 title and 2 version.
  constexpr std::string_view kProtobuf =
      "\x0a\x03"
      "2.0"
      "\x12\x15"
      "\x0a\x0a"
      "Kubernetes"
      "\x12\x07"
      "v1.34.1";
  // Clients ask by a name that is no media type, so the answer has another.
  constexpr std::string_view kAsked = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
                             kShown = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
  const auto accept = request.headers.find("accept");
  if (accept == request.headers.end() || accept->second.find(kAsked) == std::string::npos) {
    return Answer{200, std::string(kJson)};
  }
  return Answer{200, std::string(kProtobuf), kShown};
}

bool is_public(std::string_view path) {
  return path == "/healthz" || path == "/livez" || path == "/readyz" || path == "/version";
}

std::optional<Answer> discover(std::string_view path, bool pod_groups) {
  if (path == "/version") {
    return Answer{200,
                  R"({"major":"1","minor":"34","gitVersion":"v1.34.1","platform":"linux/amd64"})"};
  }
  if (path == "/api" || path == "/api/") {
    return Answer{200,
                  R"({"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[]})"};
  }
  if (path == "/apis" || path == "/apis/") return Answer{200, group_list(pod_groups)};
  if (path.starts_with("/api/")) return resources_of(path.substr(5), pod_groups);
  if (!path.starts_with("/apis/")) return std::nullopt;
  path.remove_prefix(6);
  return path.find('/') == path.npos ? one_group(path, pod_groups) : resources_of(path, pod_groups);
}

}  // namespace berth::apiserver
