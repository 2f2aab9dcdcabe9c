#include "engine/events/event_json.h"

#include "engine/base/text/time_text.h"

namespace berth::events {
namespace {

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

}  // namespace

void write_members(document::JsonWriter& json, const RecordedEvent& recorded) {
  const Event& event = recorded.event;
  json.member("kind", "Event");
  json.member("apiVersion", "events.k8s.io/v1");
  json.object("metadata", [&] {
    json.member("name", recorded.name);
    json.member("namespace", recorded.namespace_name());
    if (event.annotations.empty()) return;
    json.object("annotations", [&] {
      for (const auto& [key, value] : event.annotations) json.member(key, value);
    });
  });
  json.member("eventTime", micro_time_text(recorded.time));
  if (recorded.series) write_series(json, *recorded.series);
  json.member("reportingController", event.controller);
  json.member("reportingInstance", recorded.instance);
  json.member("action", event.action);
  json.member("reason", event.reason);
  write_object(json, "regarding", event.regarding);
  if (event.related) write_object(json, "related", *event.related);
  json.member("note", event.note);
  json.member("type", type_of(event));
}

void write_series(document::JsonWriter& json, const EventSeries& series) {
  json.object("series", [&] {
    json.member("count", series.count);
    json.member("lastObservedTime", micro_time_text(series.last_observed));
  });
}

}  // namespace berth::events
