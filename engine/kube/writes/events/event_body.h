#pragma once

// The requests of an event: it is created, and later its series is patched. Internal to events.

#include <cstdint>
#include <optional>
#include <string>

#include "engine/kube/http/http.h"
#include "engine/kube/writes/events/event.h"

namespace berth::kube {

// The same event seen several times.
struct EventSeries {
  int32_t count = 0;
  int64_t last_observed = 0;  // nanoseconds since 1970
};

// An event with what the recorder adds.
struct RecordedEvent {
  Event event;           // its note is cut
  std::string instance;  // reportingInstance
  std::string name;      // of the object Event
  int64_t time = 0;      // nanoseconds since 1970
  std::optional<EventSeries> series{};

  // Events of objects without a namespace are in "default".
  std::string namespace_name() const;
};

Request event_creation(const RecordedEvent& event);
Request series_patch(const RecordedEvent& event);  // requires a series

// Events that are equal in this continue one series (client-go: eventKey). No part of it is in the
// note.
std::string series_key(const RecordedEvent& event);
// As kube-scheduler cuts it: at most 1024 bytes, the last ones " ..." if characters are left out.
std::string cut_note(std::string_view note);

}  // namespace berth::kube
