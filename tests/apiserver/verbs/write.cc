#include "tests/apiserver/verbs/write.h"

#include <algorithm>

#include "engine/base/text/characters.h"
#include "tests/apiserver/objects/forms.h"
#include "tests/apiserver/objects/patch.h"
#include "tests/apiserver/objects/problem.h"
#include "tests/apiserver/verbs/defaults.h"
#include "tests/apiserver/verbs/remove.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kModified =
    "the object has been modified; please apply your changes to the latest version and try again";

bool is_name_letter(char c) { return (c >= 'a' && c <= 'z') || is_digit(c); }

bool is_name(std::string_view name) {
  if (name.empty() || name.size() > 253) return false;
  if (!is_name_letter(name.front()) || !is_name_letter(name.back())) return false;
  return std::ranges::all_of(name,
                             [](char c) { return is_name_letter(c) || c == '-' || c == '.'; });
}

// The body as an object of the resource, in the stored form.
json::value body_of(const Call& call) {
  const Resource& resource = call.resource();
  json::value tree = parse_object(call.request.body);
  const std::string version = api_version(resource);
  const std::string_view given = text_at(tree, "apiVersion"), kind = text_at(tree, "kind");
  if (!given.empty() && given != version) {
    throw bad_request("the API version in the data (" + std::string(given) +
                      ") does not match the expected API version (" + version + ")");
  }
  if (!kind.empty() && kind != resource.kind) {
    throw bad_request(std::string(kind) + " in version \"" + std::string(resource.version) +
                      "\" cannot be handled as a " + std::string(resource.kind));
  }
  from_view(resource, tree);
  make_object(tree, "metadata").stable_erase("managedFields");
  return tree;
}

void set_namespace(const Call& call, json::value& tree) {
  json::object& metadata = make_object(tree, "metadata");
  const std::string_view given = text_at(tree, "metadata.namespace"),
                         its = call.route.namespace_name;
  if (!given.empty() && given != its) {
    throw bad_request(
        "the namespace of the provided object does not match the namespace sent on the request");
  }
  if (its.empty()) {
    metadata.stable_erase("namespace");
  } else {
    metadata["namespace"] = its;
  }
}

void require_namespace(const Call& call) {
  if (!call.resource().namespaced) return;
  const Resource& namespaces = *find_resource("", "v1", "namespaces");
  if (call.route.namespace_name.empty()) throw unsupported_method();
  if (call.core.store.find(namespaces, call.route.namespace_name) == nullptr) {
    throw not_found(namespaces, call.route.namespace_name);
  }
}

void require_name(const Resource& resource, const std::string& name) {
  if (is_name(name)) return;
  throw invalid(resource, name, "metadata.name",
                "Invalid value: \"" + name +
                    "\": a lowercase RFC 1123 subdomain must consist of lower case "
                    "alphanumeric characters, '-' or '.', and must start and end with an "
                    "alphanumeric character");
}

// The key of a new object, with a name that is drawn if it has none.
std::string name_new(Call& call, json::value& tree) {
  std::string name(text_at(tree, "metadata.name"));
  const std::string beginning(text_at(tree, "metadata.generateName"));
  if (name.empty() && beginning.empty()) {
    throw invalid(call.resource(), "", "metadata.name",
                  "Required value: name or generateName is required");
  }
  const auto key = [&] { return call.route.key() + name; };  // that of the path ends with a slash
  if (name.empty()) {
    do {
      name = beginning + call.core.draw_suffix();
    } while (call.core.store.find(call.resource(), key()) != nullptr);
    make_object(tree, "metadata")["name"] = name;
  }
  require_name(call.resource(), name);
  return key();
}

void stamp_new(Call& call, json::value& tree) {
  json::object& metadata = make_object(tree, "metadata");
  metadata["uid"] = call.core.draw_uid();
  metadata["creationTimestamp"] = call.core.now_text();
  for (const auto* name : {"deletionTimestamp", "deletionGracePeriodSeconds", "generation"}) {
    metadata.stable_erase(name);
  }
  if (call.resource().generation) metadata["generation"] = 1;
}

Answer add_new(Call& call, std::string key, json::value tree) {
  fill_in(call.core, call.resource(), tree);
  stamp_new(call, tree);
  normalise(call.resource(), tree);
  const Object& made = call.core.store.add(call.resource(), std::move(key), std::move(tree));
  return answer_with(call, *made.version, 201);
}

// `what` is a field of the metadata, `wanted` what a request demands of it; empty: nothing.
void require_precondition(const Resource& resource, std::string_view key, std::string_view what,
                          std::string_view wanted, std::string_view is) {
  if (wanted.empty() || wanted == is) return;
  std::string why = "StorageError: invalid object, Code: 4, Key: /registry/";
  why.append(resource.plural).append("/").append(key);
  why.append(", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ").append(what);
  why.append(" in precondition: ").append(wanted).append(", ").append(what);
  const std::string_view name = key.substr(key.find('/') + 1);  // of none: the whole key
  throw conflict(resource, resource.plural, name, why.append(" in object meta: ").append(is));
}

// Kinds of which an update creates what is not there.
bool may_create_by_update(const Resource& resource) {
  return resource.kind == "Lease" || resource.kind == "Event" || resource.kind == "Service";
}

// An object with a UID was read once, so another one must not take its place.
Answer create_by_update(Call& call, json::value tree) {
  require_namespace(call);
  std::string key = call.route.key();
  require_name(call.resource(), std::string(call.route.name));
  require_precondition(call.resource(), key, "UID", text_at(tree, "metadata.uid"), {});
  return add_new(call, std::move(key), std::move(tree));
}

void copy_field(const json::value& from, json::value& to, std::string_view parent,
                std::string_view name) {
  const std::string path = std::string(parent).append(1, '.').append(name);
  const json::value* found = find(from, path);
  if (found == nullptr) {
    erase_at(to, path);
  } else {
    make_object(to, parent)[name] = *found;
  }
}

// What no write changes.
void keep_metadata(const json::value& from, json::value& to) {
  for (const auto* name :
       {"name", "namespace", "generateName", "uid", "resourceVersion", "creationTimestamp",
        "deletionTimestamp", "deletionGracePeriodSeconds", "generation"}) {
    copy_field(from, to, "metadata", name);
  }
}

// Makes `made` what the storage gets: of a write of the status the status alone, of others all
// else.
void keep_other_part(const Call& call, const json::value& old, json::value& made) {
  if (call.route.subresource.empty()) {
    if (call.resource().status == Resource::StatusPart::kNone) return;
    const json::value* status = find(old, "status");
    if (status == nullptr) {
      erase_at(made, "status");
    } else {
      made.as_object()["status"] = *status;
    }
    return;
  }
  json::value merged = old;
  json::object& into = merged.as_object();
  for (const auto* name : {"metadata", "status"}) {
    json::value* found = made.as_object().if_contains(name);
    if (found != nullptr) into[name] = std::move(*found);
  }
  if (call.resource().kind == "Pod") copy_field(old, merged, "metadata", "ownerReferences");
  made = std::move(merged);
}

void require_same_node(const Resource& resource, const json::value& old, const json::value& made) {
  if (resource.kind != "Pod") return;
  if (text_at(old, "spec.nodeName") == text_at(made, "spec.nodeName")) return;
  throw invalid(resource, text_at(old, "metadata.name"), "spec",
                "Forbidden: pod updates may not change fields other than "
                "`spec.containers[*].image`,`spec.initContainers[*].image`,"
                "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing "
                "tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it "
                "was previously negative)");
}

void count_generation(const Call& call, const json::value& old, json::value& made) {
  if (!call.resource().generation || !call.route.subresource.empty()) return;
  const json::value *before = find(old, "spec"), *after = find(made, "spec");
  const bool same = before == nullptr || after == nullptr ? before == after : *before == *after;
  if (same) return;
  make_object(made, "metadata")["generation"] = number_at(old, "metadata.generation", 0) + 1;
}

// Writes what an update or a patch made of the object.
Answer replace(Call& call, Object& object, json::value made) {
  const Resource& resource = call.resource();
  const std::string_view uid = text_at(made, "metadata.uid");
  const std::string_view revision = text_at(made, "metadata.resourceVersion");
  require_versions(resource, object, uid, {});
  if (!revision.empty() && revision != text_at(object.tree, "metadata.resourceVersion")) {
    throw conflict(resource, resource.plural, call.route.name, kModified);
  }
  keep_other_part(call, object.tree, made);
  keep_metadata(object.tree, made);
  require_same_node(resource, object.tree, made);
  count_generation(call, object.tree, made);
  normalise(resource, made);
  // A write that changes nothing is none.
  if (made == object.tree) return answer_with(call, *object.version);
  object.tree = std::move(made);
  if (may_go(object.tree)) {
    return answer_with(call, *call.core.store.remove(resource, call.route.key()));
  }
  call.core.store.write(resource, object);
  return answer_with(call, *object.version);
}

void require_status_part(const Call& call) {
  if (call.route.subresource.empty()) return;
  if (call.route.subresource != "status" || call.resource().status == Resource::StatusPart::kNone) {
    throw Problem(404, "NotFound", "the server could not find the requested resource");
  }
}

}  // namespace

void require_versions(const Resource& resource, const Object& object, std::string_view uid,
                      std::string_view revision) {
  const std::string& key = object.version->key();
  require_precondition(resource, key, "UID", uid, text_at(object.tree, "metadata.uid"));
  require_precondition(resource, key, "ResourceVersion", revision,
                       text_at(object.tree, "metadata.resourceVersion"));
}

Answer create_object(Call& call) {
  if (!call.route.name.empty()) throw unsupported_method();
  const Resource& resource = call.resource();
  require_namespace(call);
  json::value tree = body_of(call);
  set_namespace(call, tree);
  if (!text_at(tree, "metadata.resourceVersion").empty()) {
    throw Problem(500, "", "resourceVersion should not be set on objects to be created");
  }
  std::string key = name_new(call, tree);
  if (call.core.store.find(resource, key) != nullptr) {
    throw already_exists(resource, text_at(tree, "metadata.name"));
  }
  return add_new(call, std::move(key), std::move(tree));
}

Answer update_object(Call& call) {
  if (call.route.name.empty()) throw unsupported_method();
  require_status_part(call);
  const bool creates = may_create_by_update(call.resource()) && call.route.subresource.empty();
  if (!creates) object_of(call);
  json::value tree = body_of(call);
  const std::string name(text_at(tree, "metadata.name"));
  if (name != call.route.name) {
    throw bad_request("the name of the object (" + name + ") does not match the name on the URL (" +
                      std::string(call.route.name) + ")");
  }
  set_namespace(call, tree);
  Object* object = call.core.store.find(call.resource(), call.route.key());
  if (object == nullptr) return create_by_update(call, std::move(tree));
  if (call.resource().kind == "Lease" && text_at(tree, "metadata.resourceVersion").empty()) {
    throw invalid(call.resource(), name, "metadata.resourceVersion",
                  "Invalid value: 0x0: must be specified for an update");
  }
  return replace(call, *object, std::move(tree));
}

Answer patch_object(Call& call) {
  if (call.route.name.empty()) throw unsupported_method();
  require_status_part(call);
  const Resource& resource = call.resource();
  const auto header = call.request.headers.find("content-type");
  const std::string type = header == call.request.headers.end()
                               ? std::string()
                               : header->second.substr(0, header->second.find(';'));
  const bool strategic = type == "application/strategic-merge-patch+json";
  // A server knows custom resources too little for that.
  const bool custom = resource.group == "scheduling.x-k8s.io";
  if ((!strategic && type != "application/merge-patch+json") || (strategic && custom)) {
    throw unsupported_body(type);
  }
  Object& object = object_of(call);
  json::value patch = parse_object(call.request.body), tree = object.tree;
  to_view(resource, tree);
  if (strategic) {
    strategic_patch(tree, patch);
  } else {
    merge_patch(tree, patch);
  }
  from_view(resource, tree);
  make_object(tree, "metadata").stable_erase("managedFields");
  return replace(call, object, std::move(tree));
}

}  // namespace berth::apiserver
