#pragma once

// Events as JSON of events.k8s.io/v1.

#include "engine/document/json/json_writer.h"
#include "engine/events/event.h"

namespace berth::events {

// Writes the members of the object Event, kind and apiVersion included.
void write_members(document::JsonWriter& json, const RecordedEvent& recorded);
// Writes the member "series".
void write_series(document::JsonWriter& json, const EventSeries& series);

}  // namespace berth::events
