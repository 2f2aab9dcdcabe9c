#include "engine/events/event.h"

#include <utility>

#include "engine/base/text/beginning.h"

namespace berth::events {

std::string RecordedEvent::namespace_name() const {
  const std::string& own = event.regarding.namespace_name;
  return own.empty() ? "default" : own;
}

RecordedEvent recorded(Event event, std::string_view host, int64_t wall) {
  event.note = cut_note(event.note);
  RecordedEvent made{.event = std::move(event), .instance = {}, .name = {}, .time = wall};
  made.instance = made.event.controller + "-" + std::string(host);
  return made;
}

std::string_view type_of(const Event& event) { return event.warning ? "Warning" : "Normal"; }

std::string cut_note(std::string_view note) {
  constexpr size_t kMost = 1024;
  constexpr std::string_view kCut = " ...";
  if (note.size() <= kMost) return std::string(note);
  return std::string(beginning(note, kMost - kCut.size())).append(kCut);
}

}  // namespace berth::events
