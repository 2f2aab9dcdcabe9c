#include "engine/runtime/events/move_names.h"

#include "engine/framework/hints/event_names.h"

namespace berth::runtime {
namespace {

std::string event_label(const queue::Move& move) {
  const std::vector<std::string> names = framework::event_names(move.kind, move.action);
  if (names.empty()) return "UnschedulablePodUpdate";
  std::string label = names.front();
  return label.erase(label.rfind('/'), 1);
}

}  // namespace

std::string move_name(const queue::Move& move) {
  switch (move.cause) {
    case queue::MoveCause::kPodAdd:
      return "UnschedulablePodAdd";
    case queue::MoveCause::kPodUpdate:
    case queue::MoveCause::kEvent:
      return event_label(move);
    case queue::MoveCause::kAttemptFailed:
      return "ScheduleAttemptFailure";
    case queue::MoveCause::kBackoffOver:
      return "BackoffComplete";
    case queue::MoveCause::kPoppedFromBackoff:
      return "PopFromBackoffQ";
    case queue::MoveCause::kActivated:
      return "ForceActivate";
    case queue::MoveCause::kTimedOut:
      return "UnschedulableTimeout";
    case queue::MoveCause::kPluginWoke:
      return "PluginWake";
  }
  return {};
}

const char* queue_name(queue::Place place) {
  if (place == queue::Place::kActive) return "Active";
  return place == queue::Place::kBackoff || place == queue::Place::kErrorBackoff ? "Backoff"
                                                                                 : "Unschedulable";
}

}  // namespace berth::runtime
