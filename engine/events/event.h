#pragma once

// Events of events.k8s.io/v1, by which a scheduler and controllers tell users what they did.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::events {

// The object that an event is about. The namespace is empty for kinds without one.
struct EventObject {
  std::string kind = "Pod", api_version = "v1";
  std::string namespace_name{}, name{}, uid{}, resource_version{};
  bool operator==(const EventObject&) const = default;
};

struct Event {
  std::string controller;  // reportingController: of a scheduler spec.schedulerName of the pod
  EventObject regarding;
  std::optional<EventObject> related{};
  bool warning = false;  // type Warning; else Normal
  std::string reason, action;
  std::string note;  // any text
  // Of the object Event, sorted by key.
  std::vector<std::pair<std::string, std::string>> annotations{};
};

// The same event seen several times.
struct EventSeries {
  int32_t count = 0;
  int64_t last_observed = 0;  // nanoseconds since 1970
};

// An event with what a recorder adds.
struct RecordedEvent {
  Event event;           // its note is cut
  std::string instance;  // reportingInstance
  std::string name;      // of the object Event
  int64_t time = 0;      // nanoseconds since 1970
  std::optional<EventSeries> series{};

  // Events of objects without a namespace are in "default".
  std::string namespace_name() const;
};

// The event of that time, in nanoseconds since 1970, without a name. Its instance is
// CONTROLLER-HOST, as client-go's recorder has it.
RecordedEvent recorded(Event event, std::string_view host, int64_t wall);

std::string_view type_of(const Event& event);  // "Normal", "Warning"

// As kube-scheduler cuts it: at most 1024 bytes, the last ones " ..." if characters are left out.
std::string cut_note(std::string_view note);

}  // namespace berth::events
