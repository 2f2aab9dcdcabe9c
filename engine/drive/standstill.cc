#include "engine/drive/standstill.h"

#include "engine/base/assert.h"

namespace berth::drive {

void Standstill::begin(Time now, uint64_t decisions, size_t waiting, const Progress& progress) {
  changed_ = now;
  rounds_ = 0;
  restart(now, decisions, waiting, progress);
}

void Standstill::restart(Time now, uint64_t decisions, size_t waiting, const Progress& progress) {
  since_ = now;
  decisions_ = decisions;
  waiting_ = waiting;
  progress_ = progress;
}

bool Standstill::reached(Time now, uint64_t decisions, size_t waiting, const Progress& progress,
                         bool unfinished) {
  BERTH_ASSERT(due(now, decisions));
  if (progress.changes != progress_.changes) {
    begin(now, decisions, waiting, progress);
    return false;
  }
  if (progress.moves != progress_.moves) {
    if (now - changed_ > failing_ && rounds_ >= kMostRounds) return true;
    ++rounds_;
    restart(now, decisions, waiting, progress);
    return false;
  }
  return (!unfinished && progress.failures == progress_.failures) || now - since_ > failing_;
}

uint64_t helpful_moves(const queue::SchedulingQueue& queue) {
  using queue::MoveCause;
  uint64_t moves = 0;
  for (const queue::MoveCount& count : queue.moves()) {
    const MoveCause cause = count.move.cause;
    if (cause == MoveCause::kPodAdd || cause == MoveCause::kPodUpdate ||
        cause == MoveCause::kEvent || cause == MoveCause::kActivated ||
        cause == MoveCause::kPluginWoke)
      moves += count.active + count.backoff;
  }
  return moves;
}

}  // namespace berth::drive
