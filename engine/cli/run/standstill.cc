#include "engine/cli/run/standstill.h"

namespace berth::cli {

void Standstill::begin(runtime::Time now, uint64_t decisions, size_t waiting,
                       const Progress& progress) {
  since_ = now;
  decisions_ = decisions;
  waiting_ = waiting;
  progress_ = progress;
}

bool Standstill::reached(runtime::Time now, uint64_t decisions, size_t waiting,
                         const Progress& progress, bool unfinished) {
  if (progress.changes != progress_.changes || progress.moves != progress_.moves) {
    begin(now, decisions, waiting, progress);
    return false;
  }
  return (!unfinished && progress.failures == progress_.failures) || now - since_ > failing_;
}

}  // namespace berth::cli
