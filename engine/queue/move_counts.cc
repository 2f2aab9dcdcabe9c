#include "engine/queue/move_counts.h"

#include <algorithm>

namespace berth::queue {

void MoveCounts::count(const Move& move, Place to, uint64_t pods) {
  auto at = std::find_if(all_.begin(), all_.end(),
                         [&](const MoveCount& known) { return known.move == move; });
  if (at == all_.end()) at = all_.insert(all_.end(), MoveCount{move, 0, 0, 0});
  switch (to) {
    case Place::kActive:
      at->active += pods;
      break;
    case Place::kBackoff:
    case Place::kErrorBackoff:
      at->backoff += pods;
      break;
    case Place::kUnschedulable:
    case Place::kGated:
      at->unschedulable += pods;
      break;
    default:
      break;
  }
}

}  // namespace berth::queue
