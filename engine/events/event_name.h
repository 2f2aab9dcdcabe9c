#pragma once

// Names of the objects that hold events, as client-go makes them (GenerateEventName).

#include <cstdint>
#include <string>

namespace berth::events {

// "OBJECT.TIME": the name of the object that the event is about, and nanoseconds since 1970 in
// hexadecimal digits. If that is longer than a name may be, a UUID that depends on it alone.
std::string event_name(const std::string& object, int64_t wall);

// Gives the events of one recorder different names, also where its clock stands still. One thread.
class EventNames {
 public:
  // The name for that time, or for the next nanosecond that no name has.
  std::string next(const std::string& object, int64_t wall);

 private:
  int64_t latest_ = 0;  // nanoseconds in the latest name
};

}  // namespace berth::events
