#include "engine/drive/course/recovery_watch.h"

#include "engine/base/assert.h"

namespace berth::drive {

void RecoveryWatch::evicted(Time now, uint64_t waiting) {
  if (!first_) {
    first_ = now;
    before_ = waiting;
  }
  last_ = now;
  over_ = false;
  settled_.reset();
  look(now, waiting, true);
}

void RecoveryWatch::look(Time now, uint64_t waiting, bool leaving) {
  BERTH_ASSERT(open());
  if (waiting > before_) return settled_.reset();
  if (!settled_) settled_ = now;
  over_ = !leaving;
}

std::optional<output::Recovery> RecoveryWatch::result() const {
  if (!first_) return std::nullopt;
  const auto seconds = [](Time time) { return std::chrono::duration<double>(time).count(); };
  output::Recovery recovery{.first_seconds = seconds(*first_), .last_seconds = seconds(last_)};
  if (settled_) recovery.settled_seconds = seconds(*settled_);
  return recovery;
}

}  // namespace berth::drive
