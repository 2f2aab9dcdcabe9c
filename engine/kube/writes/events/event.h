#pragma once

// An event of events.k8s.io/v1 as a scheduler reports it.

#include <optional>
#include <string>

namespace berth::kube {

// The object that an event is about. The namespace is empty for kinds without one.
struct EventObject {
  std::string kind = "Pod", api_version = "v1";
  std::string namespace_name{}, name{}, uid{}, resource_version{};
  bool operator==(const EventObject&) const = default;
};

struct Event {
  std::string scheduler;  // reportingController: spec.schedulerName of the pod it scheduled
  EventObject regarding;
  std::optional<EventObject> related{};
  bool warning = false;  // type Warning; else Normal
  std::string reason, action;
  std::string note;  // any text
};

}  // namespace berth::kube
