#include "engine/events/event_lines.h"

#include "engine/events/event_json.h"

namespace berth::events {

void EventLines::add(Event event, int64_t wall) {
  RecordedEvent one = recorded(std::move(event), host_, wall);
  one.name = names_.next(one.event.regarding.name, wall);
  document::JsonWriter json(lines_);
  json.object([&] { write_members(json, one); });
  lines_.Put('\n');
}

void EventLines::flush() {
  if (lines_.GetSize() == 0) return;
  const std::string lines(lines_.GetString(), lines_.GetSize());
  lines_.Clear();
  sink_.write(lines);
}

}  // namespace berth::events
