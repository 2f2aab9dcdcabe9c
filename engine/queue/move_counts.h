#pragma once

// The numbers of pods that entered each queue, by cause.

#include <cstdint>
#include <vector>

#include "engine/queue/place.h"

namespace berth::queue {

enum class MoveCause : uint8_t {
  kPodAdd,
  kPodUpdate,
  kEvent,
  kAttemptFailed,
  kBackoffOver,
  kPoppedFromBackoff,
  kActivated,
  kTimedOut,
  kPluginWoke,
};

struct Move {
  MoveCause cause = MoveCause::kEvent;
  uint32_t kind = 0;  // of the event; 0 for causes other than kEvent and kPodUpdate
  uint32_t action = 0;
  bool operator==(const Move&) const = default;
};

// Pods that entered the queues by one kind of move, since the queue exists.
struct MoveCount {
  Move move;
  uint64_t active = 0;
  uint64_t backoff = 0;
  uint64_t unschedulable = 0;  // gated ones included
};

class MoveCounts {
 public:
  // `pods` entered that queue.
  void count(const Move& move, Place to, uint64_t pods = 1);
  // The kinds of moves, in the order in which they first occurred.
  const std::vector<MoveCount>& all() const { return all_; }

 private:
  std::vector<MoveCount> all_;  // few kinds of moves occur
};

}  // namespace berth::queue
