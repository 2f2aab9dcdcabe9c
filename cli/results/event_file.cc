#include "cli/results/event_file.h"

#include <utility>

#include "engine/runtime/events/report_event.h"

namespace berth::cli {

void EventFile::take(const runtime::Report& report) {
  if (auto event = runtime::event_of(report, core_.cluster()))
    lines_.add(*std::move(event), core_.clock().wall());
}

}  // namespace berth::cli
