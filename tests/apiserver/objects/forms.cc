#include "tests/apiserver/objects/forms.h"

#include <utility>

namespace berth::apiserver {
namespace {

struct Renamed {
  std::string_view stored, shown;
};

constexpr Renamed kRenamed[] = {
    {"involvedObject", "regarding"},
    {"message", "note"},
    {"reportingComponent", "reportingController"},
    {"source", "deprecatedSource"},
    {"firstTimestamp", "deprecatedFirstTimestamp"},
    {"lastTimestamp", "deprecatedLastTimestamp"},
    {"count", "deprecatedCount"},
};

void rename(json::object& object, std::string_view from, std::string_view to) {
  json::value* found = object.if_contains(from);
  if (found == nullptr) return;
  json::value moved = std::move(*found);
  object.stable_erase(from);
  object[to] = std::move(moved);
}

// Moves a member, or an empty text for one that has to be there.
void move_first(json::object& from, json::object& to, std::string_view name, bool required) {
  json::value* found = from.if_contains(name);
  if (found == nullptr && !required) return;
  json::value moved = found == nullptr ? json::value("") : std::move(*found);
  from.stable_erase(name);
  to.emplace(name, std::move(moved));
}

void move_rest(json::object& from, json::object& to) {
  for (auto& [name, value] : from) to.emplace(name, std::move(value));
}

}  // namespace

void to_view(const Resource& resource, json::value& tree) {
  if (resource.view != View::kEvents) return;
  for (const Renamed& field : kRenamed) rename(tree.as_object(), field.stored, field.shown);
  tree.as_object()["apiVersion"] = api_version(resource);
}

void from_view(const Resource& resource, json::value& tree) {
  if (resource.view != View::kEvents) return;
  for (const Renamed& field : kRenamed) rename(tree.as_object(), field.shown, field.stored);
}

void normalise(const Resource& resource, json::value& tree) {
  json::object& old = tree.as_object();
  json::object& old_metadata = make_object(tree, "metadata");
  json::object metadata;
  metadata.reserve(old_metadata.size() + 1);
  move_first(old_metadata, metadata, "name", true);
  move_first(old_metadata, metadata, "namespace", false);
  move_first(old_metadata, metadata, "uid", true);
  move_first(old_metadata, metadata, "resourceVersion", true);
  move_rest(old_metadata, metadata);

  for (const auto* name : {"kind", "apiVersion", "metadata"}) old.stable_erase(name);
  json::object made;
  made.reserve(old.size() + 3);
  made.emplace("kind", resource.kind);
  made.emplace("apiVersion", resource.view == View::kEvents ? "v1" : api_version(resource));
  made.emplace("metadata", std::move(metadata));
  move_rest(old, made);
  tree = std::move(made);
}

}  // namespace berth::apiserver
