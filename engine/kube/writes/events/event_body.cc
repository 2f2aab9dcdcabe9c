#include "engine/kube/writes/events/event_body.h"

#include "engine/base/assert.h"
#include "engine/events/event_json.h"
#include "engine/kube/kinds.h"
#include "engine/kube/writes/body.h"
#include "engine/kube/writes/limits.h"

namespace berth::kube {
namespace {

constexpr ServedKind kEvent{"Event", "events.k8s.io", "v1", "events"};

void append_object(const events::EventObject& object, std::string& key) {
  for (const std::string* part : {&object.kind, &object.api_version, &object.namespace_name,
                                  &object.name, &object.uid, &object.resource_version})
    key.append(*part).push_back('\0');
}

}  // namespace

Request event_creation(const events::RecordedEvent& recorded) {
  return {
      .method = Method::kPost,
      .path = collection_path(kEvent, recorded.namespace_name()),
      .content_type = kJson,
      .body = json_body([&](document::JsonWriter& json) { events::write_members(json, recorded); }),
      .limit = kRequestLimit};
}

Request series_patch(const events::RecordedEvent& recorded) {
  BERTH_ASSERT(recorded.series);
  return {.method = Method::kPatch,
          .path = object_path(kEvent, recorded.namespace_name(), recorded.name),
          .content_type = kStrategicPatch,
          .body = json_body(
              [&](document::JsonWriter& json) { events::write_series(json, *recorded.series); }),
          .limit = kRequestLimit};
}

std::string series_key(const events::RecordedEvent& recorded) {
  const events::Event& event = recorded.event;
  std::string key(events::type_of(event));
  key.push_back('\0');
  for (const std::string* part :
       {&event.action, &event.reason, &event.controller, &recorded.instance})
    key.append(*part).push_back('\0');
  append_object(event.regarding, key);
  if (event.related) append_object(*event.related, key);
  return key;
}

}  // namespace berth::kube
