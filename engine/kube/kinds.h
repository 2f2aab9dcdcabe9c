#pragma once

// The kinds of objects that scheduling reads from an API server, and their paths there.

#include <span>
#include <string>
#include <string_view>

namespace berth::kube {

struct ServedKind {
  std::string_view name;      // as model::kind_of gives it: "ReplicaSet"
  std::string_view group;     // "apps"; empty: the core group
  std::string_view version;   // "v1"
  std::string_view resource;  // in paths: "replicasets"
  bool namespaced = true;
  // A server may not have it: its list is answered with 404, or with 403 where nobody may read what
  // is not there. That means no objects.
  bool optional = false;
  // The fieldSelector of lists and watches, not encoded for a URL, as kube-scheduler has it. Empty:
  // none. An object that no longer matches is DELETED for a watch.
  std::string_view field_selector = {};
};

// Each kind once: all that ingest::decode_object() reads, and Pod.
std::span<const ServedKind> served_kinds();

// Null: scheduling does not read the kind.
const ServedKind* find_served(std::string_view name);

// The path of the list of all objects, in all namespaces: "/apis/apps/v1/replicasets". It begins
// with a slash and belongs behind the server's URL.
std::string list_path(const ServedKind& kind);

// The path of the objects of one namespace: "/apis/events.k8s.io/v1/namespaces/default/events".
// Objects are created there. Preconditions: as of object_path.
std::string collection_path(const ServedKind& kind, std::string_view namespace_name);

// True if the text can stand in a path as it is, as the names can that an API server takes.
bool is_path_segment(std::string_view text);

// The path of one object, or of its subresource (such as "binding", "status" and "eviction"):
// "/api/v1/namespaces/default/pods/web-0/binding". Precondition: the names
// are path segments; the namespace is empty if and only if the kind has none.
std::string object_path(const ServedKind& kind, std::string_view namespace_name,
                        std::string_view name, std::string_view subresource = {});

}  // namespace berth::kube
