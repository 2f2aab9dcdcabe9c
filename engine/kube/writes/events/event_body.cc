#include "engine/kube/writes/events/event_body.h"
#include "engine/kube/api/time_text.h"

#include "engine/base/assert.h"
#include "engine/base/text/beginning.h"
#include "engine/kube/kinds.h"
#include "engine/kube/writes/body.h"
#include "engine/kube/writes/limits.h"

namespace berth::kube {
namespace {

constexpr size_t kNoteBytes = 1024;
constexpr ServedKind kEvent{"Event", "events.k8s.io", "v1", "events"};

std::string_view type_of(const Event& event) { return event.warning ? "Warning" : "Normal"; }

void write_object(document::JsonWriter& json, std::string_view name, const EventObject& object) {
  json.object(name, [&] {
    json.member("kind", object.kind);
    json.member_if("namespace", object.namespace_name);
    json.member("name", object.name);
    json.member_if("uid", object.uid);
    json.member("apiVersion", object.api_version);
    json.member_if("resourceVersion", object.resource_version);
  });
}

void write_series(document::JsonWriter& json, const EventSeries& series) {
  json.object("series", [&] {
    json.member("count", series.count);
    json.member("lastObservedTime", micro_time_text(series.last_observed));
  });
}

void append_object(const EventObject& object, std::string& key) {
  for (const std::string* part : {&object.kind, &object.api_version, &object.namespace_name,
                                  &object.name, &object.uid, &object.resource_version})
    key.append(*part).push_back('\0');
}

}  // namespace

std::string RecordedEvent::namespace_name() const {
  const std::string& own = event.regarding.namespace_name;
  return own.empty() ? "default" : own;
}

Request event_creation(const RecordedEvent& recorded) {
  const Event& event = recorded.event;
  return {.method = Method::kPost,
          .path = collection_path(kEvent, recorded.namespace_name()),
          .content_type = kJson,
          .body = json_body([&](document::JsonWriter& json) {
            json.member("kind", "Event");
            json.member("apiVersion", "events.k8s.io/v1");
            json.object("metadata", [&] {
              json.member("name", recorded.name);
              json.member("namespace", recorded.namespace_name());
            });
            json.member("eventTime", micro_time_text(recorded.time));
            if (recorded.series) write_series(json, *recorded.series);
            json.member("reportingController", event.scheduler);
            json.member("reportingInstance", recorded.instance);
            json.member("action", event.action);
            json.member("reason", event.reason);
            write_object(json, "regarding", event.regarding);
            if (event.related) write_object(json, "related", *event.related);
            json.member("note", event.note);
            json.member("type", type_of(event));
          }),
          .limit = kRequestLimit};
}

Request series_patch(const RecordedEvent& recorded) {
  BERTH_ASSERT(recorded.series);
  return {
      .method = Method::kPatch,
      .path = object_path(kEvent, recorded.namespace_name(), recorded.name),
      .content_type = kStrategicPatch,
      .body = json_body([&](document::JsonWriter& json) { write_series(json, *recorded.series); }),
      .limit = kRequestLimit};
}

std::string series_key(const RecordedEvent& recorded) {
  const Event& event = recorded.event;
  std::string key(type_of(event));
  key.push_back('\0');
  for (const std::string* part :
       {&event.action, &event.reason, &event.scheduler, &recorded.instance})
    key.append(*part).push_back('\0');
  append_object(event.regarding, key);
  if (event.related) append_object(*event.related, key);
  return key;
}

std::string cut_note(std::string_view note) {
  constexpr std::string_view kCut = " ...";
  if (note.size() <= kNoteBytes) return std::string(note);
  return std::string(beginning(note, kNoteBytes - kCut.size())).append(kCut);
}

}  // namespace berth::kube
