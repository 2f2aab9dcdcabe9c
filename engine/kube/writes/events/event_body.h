#pragma once

// The requests of an event: it is created, and later its series is patched. Internal to events.

#include <string>

#include "engine/events/event.h"
#include "engine/kube/http/http.h"

namespace berth::kube {

Request event_creation(const events::RecordedEvent& event);
Request series_patch(const events::RecordedEvent& event);  // requires a series

// Events that are equal in this continue one series (client-go: eventKey). No part of it is in the
// note.
std::string series_key(const events::RecordedEvent& event);

}  // namespace berth::kube
