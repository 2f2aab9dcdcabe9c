#include "engine/ingest/audit/audit_state.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "engine/base/text/go_duration.h"
#include "engine/base/text/time_text.h"
#include "engine/ingest/objects/fields/time_field.h"

namespace berth::ingest {
namespace {

using Json = rapidjson::Value;

// Those that scheduling reads.
constexpr auto kResources = std::to_array<AuditResource>({
    {"pods", "Pod", "v1"},
    {"nodes", "Node", "v1"},
    {"namespaces", "Namespace", "v1"},
    {"services", "Service", "v1"},
    {"replicationcontrollers", "ReplicationController", "v1"},
    {"persistentvolumeclaims", "PersistentVolumeClaim", "v1"},
    {"persistentvolumes", "PersistentVolume", "v1"},
    {"replicasets", "ReplicaSet", "apps/v1"},
    {"statefulsets", "StatefulSet", "apps/v1"},
    {"poddisruptionbudgets", "PodDisruptionBudget", "policy/v1"},
    {"storageclasses", "StorageClass", "storage.k8s.io/v1"},
    {"csinodes", "CSINode", "storage.k8s.io/v1"},
    {"csidrivers", "CSIDriver", "storage.k8s.io/v1"},
    {"csistoragecapacities", "CSIStorageCapacity", "storage.k8s.io/v1"},
    {"volumeattachments", "VolumeAttachment", "storage.k8s.io/v1"},
});
constexpr int kFirstFailure = 300;  // of HTTP's codes
// Looking a member up is linear. No object of the API has as many.
constexpr rapidjson::SizeType kMostMembers = 4096;
// As far as times of a watch reach: ten years.
constexpr int64_t kLatestEvent = int64_t{87'600} * 3'600 * 1'000'000'000;

// Null: there is no such member.
const Json* member(const Json& of, std::string_view name) {
  if (!of.IsObject()) return nullptr;
  const auto at = of.FindMember(
      Json(rapidjson::StringRef(name.data(), static_cast<rapidjson::SizeType>(name.size()))));
  return at == of.MemberEnd() ? nullptr : &at->value;
}

std::string_view text(const Json& of, std::string_view name) {
  const Json* found = member(of, name);
  if (found == nullptr || !found->IsString()) return {};
  return {found->GetString(), found->GetStringLength()};
}

std::string_view text(const Json& of, std::string_view first, std::string_view second) {
  const Json* inner = member(of, first);
  return inner == nullptr ? std::string_view() : text(*inner, second);
}

Json text_value(std::string_view text, rapidjson::Document& in) {
  return Json(text.data(), static_cast<rapidjson::SizeType>(text.size()), in.GetAllocator());
}

// The member, which is an object from now on. Precondition: `of` is an object.
Json& object_in(Json& of, std::string_view name, rapidjson::Document& in) {
  const Json key = text_value(name, in);
  if (!of.HasMember(key))
    of.AddMember(text_value(name, in), Json(rapidjson::kObjectType), in.GetAllocator());
  Json& value = of[key];
  if (!value.IsObject()) value.SetObject();
  return value;
}

void set_text(Json& of, std::string_view name, std::string_view value, rapidjson::Document& in) {
  const Json key = text_value(name, in);
  of.RemoveMember(key);
  of.AddMember(text_value(name, in), text_value(value, in), in.GetAllocator());
}

// As a JSON merge patch does, RFC 7386. What a strategic merge patch says of lists counts as their
// new value. Precondition: `to` and `patch` are objects.
void merge(Json& to, const Json& patch, rapidjson::Document& in) {
  if (to.MemberCount() > kMostMembers || patch.MemberCount() > kMostMembers) return;
  for (const auto& [name, value] : patch.GetObject()) {
    const std::string_view key(name.GetString(), name.GetStringLength());
    if (key.starts_with('$')) continue;
    if (value.IsObject()) {
      merge(object_in(to, key, in), value, in);
      continue;
    }
    to.RemoveMember(name);
    if (!value.IsNull())
      to.AddMember(text_value(key, in), Json(value, in.GetAllocator()), in.GetAllocator());
  }
}

std::string written(const Json& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

rapidjson::Document copied(const Json& value) {
  rapidjson::Document copy;
  copy.CopyFrom(value, copy.GetAllocator());
  return copy;
}

const AuditResource* find_resource(std::string_view name) {
  const auto at = std::ranges::find(kResources, name, &AuditResource::name);
  return at == kResources.end() ? nullptr : &*at;
}

bool failed(const Json& event) {
  const Json* status = member(event, "responseStatus");
  const Json* code = status == nullptr ? nullptr : member(*status, "code");
  return code != nullptr && code->IsInt() && code->GetInt() >= kFirstFailure;
}

// Nanoseconds since 1970; 0: it is not told.
int64_t time_of(const Json& event) {
  for (const char* name : {"stageTimestamp", "requestReceivedTimestamp"})
    if (const std::optional<int64_t> time = parse_time(text(event, name)))
      return std::max(*time, int64_t{0});
  return 0;
}

}  // namespace

struct AuditState::Request {
  const AuditResource& resource;
  std::string_view verb, subresource, space;
  std::string name;
  const Json* sent = nullptr;      // null: the log has not what the client sent
  const Json* answered = nullptr;  // null: nor the object that the API server answered

  std::string key() const {
    return std::string(resource.name) + ' ' + std::string(space) + '/' + name;
  }
  bool of_pod() const { return resource.kind == "Pod"; }
};

std::string AuditState::take(const Json& event) {
  ++counts_.events;
  const Json* ref = member(event, "objectRef");
  if (ref == nullptr || text(event, "stage") != "ResponseComplete" || failed(event)) return {};
  const AuditResource* resource = find_resource(text(*ref, "resource"));
  if (resource == nullptr) return {};
  Request request{.resource = *resource,
                  .verb = text(event, "verb"),
                  .subresource = text(*ref, "subresource"),
                  .space = text(*ref, "namespace"),
                  .name = std::string(text(*ref, "name")),
                  .sent = member(event, "requestObject"),
                  .answered = member(event, "responseObject")};
  if (request.sent != nullptr && !request.sent->IsObject()) request.sent = nullptr;
  if (request.answered != nullptr && text(*request.answered, "kind") != resource->kind)
    request.answered = nullptr;
  for (const Json* object : {request.answered, request.sent})
    if (request.name.empty() && object != nullptr && request.subresource.empty())
      request.name = text(*object, "metadata", "name");
  if (const int64_t time = time_of(event); time != 0) {
    if (begun_ == 0) begun_ = time;
    passed_ = std::clamp(time - begun_, passed_, kLatestEvent);
  }
  return apply(request);
}

std::string AuditState::apply(const Request& request) {
  if (request.verb == "deletecollection") return missing(counts_.collections);
  if (request.verb == "delete") return remove(request);
  if (request.verb == "update" || request.verb == "patch") return change(request);
  if (request.verb != "create") return {};
  if (request.subresource.empty()) return create(request);
  if (!request.of_pod()) return {};
  if (request.subresource == "binding") return bind(request);
  return request.subresource == "eviction" ? terminate(request) : std::string();
}

std::string AuditState::create(const Request& request) {
  const Json* object = request.answered != nullptr ? request.answered : request.sent;
  if (object == nullptr || request.name.empty()) return missing(counts_.metadata_only);
  return put(request, "ADDED", copied(*object));
}

std::string AuditState::bind(const Request& request) {
  const Json* target = request.sent == nullptr ? nullptr : member(*request.sent, "target");
  if (target == nullptr || text(*target, "name").empty()) return missing(counts_.metadata_only);
  rapidjson::Document object = former(request);
  if (!object.IsObject()) return missing(counts_.unknown);
  set_text(object_in(object, "spec", object), "nodeName", text(*target, "name"), object);
  return put(request, "MODIFIED", std::move(object));
}

std::string AuditState::change(const Request& request) {
  if (request.answered != nullptr) return put(request, "MODIFIED", copied(*request.answered));
  if (request.sent == nullptr) return missing(counts_.metadata_only);
  rapidjson::Document object = former(request);
  const bool replaces = request.verb == "update" && request.subresource.empty();
  if (!object.IsObject() && !replaces) return missing(counts_.unknown);
  if (!object.IsObject()) object.SetObject();
  // What is sent to status is its part of the object, whatever else stands beside it.
  const Json* status = member(*request.sent, "status");
  if (request.subresource == "status") {
    if (status == nullptr || !status->IsObject()) return {};
    merge(object_in(object, "status", object), *status, object);
  } else {
    merge(object, *request.sent, object);
  }
  return put(request, "MODIFIED", std::move(object));
}

// A pod without a node leaves at once, and one with a node when its kubelet says so: by a deletion
// without grace.
std::string AuditState::remove(const Request& request) {
  if (!request.subresource.empty()) return {};
  if (request.name.empty()) return missing(counts_.metadata_only);
  const Json* grace =
      request.sent == nullptr ? nullptr : member(*request.sent, "gracePeriodSeconds");
  const bool at_once = grace != nullptr && grace->IsInt64() && grace->GetInt64() == 0;
  if (request.of_pod() && !at_once) return terminate(request);
  rapidjson::Document object = former(request);
  if (!object.IsObject()) object.SetObject();
  return put(request, "DELETED", std::move(object));
}

std::string AuditState::terminate(const Request& request) {
  rapidjson::Document object = former(request);
  if (!object.IsObject()) return missing(counts_.unknown);
  if (text(object, "spec", "nodeName").empty()) return put(request, "DELETED", std::move(object));
  set_text(object_in(object, "metadata", object), "deletionTimestamp", time_text(begun_ + passed_),
           object);
  return put(request, "MODIFIED", std::move(object));
}

rapidjson::Document AuditState::former(const Request& request) const {
  rapidjson::Document object;
  const auto known = objects_.find(request.key());
  if (known != objects_.end())
    object.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag>(
        known->second.data(), known->second.size());
  return object;
}

std::string AuditState::put(const Request& request, std::string_view type,
                            rapidjson::Document object) {
  set_text(object, "kind", request.resource.kind, object);
  set_text(object, "apiVersion", request.resource.version, object);
  Json& metadata = object_in(object, "metadata", object);
  metadata.RemoveMember("managedFields");
  set_text(metadata, "name", request.name, object);
  if (!request.space.empty() && request.resource.kind != "Namespace")
    set_text(metadata, "namespace", request.space, object);
  std::string json = written(object);
  ++counts_.taken;
  std::string line = "{\"type\":\"" + std::string(type) + "\",\"time\":\"" +
                     go_duration(std::chrono::nanoseconds(passed_)) + "\",\"object\":" + json +
                     "}\n";
  if (type == "DELETED")
    objects_.erase(request.key());
  else
    objects_[request.key()] = std::move(json);
  return line;
}

}  // namespace berth::ingest
