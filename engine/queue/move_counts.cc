#include "engine/queue/move_counts.h"

#include <algorithm>

namespace berth::queue {

void MoveCounts::count(const Move& move, Place to) {
  auto at = std::find_if(all_.begin(), all_.end(),
                         [&](const MoveCount& known) { return known.move == move; });
  if (at == all_.end()) at = all_.insert(all_.end(), MoveCount{move, 0, 0, 0});
  switch (to) {
    case Place::kActive:
      ++at->active;
      break;
    case Place::kBackoff:
    case Place::kErrorBackoff:
      ++at->backoff;
      break;
    case Place::kUnschedulable:
    case Place::kGated:
      ++at->unschedulable;
      break;
    default:
      break;
  }
}

}  // namespace berth::queue
