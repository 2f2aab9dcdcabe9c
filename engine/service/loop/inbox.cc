#include "engine/service/loop/inbox.h"

#include <utility>

namespace berth::service {

void Inbox::put(Item item) {
  {
    const MutexLock lock(mutex_);
    items_.push_back(std::move(item));
  }
  came_.notify_one();
}

bool Inbox::waits() const {
  const MutexLock lock(mutex_);
  return !items_.empty();
}

std::vector<Item> Inbox::take() {
  const MutexLock lock(mutex_);
  return std::exchange(items_, {});
}

void Inbox::wait_until(std::optional<std::chrono::steady_clock::time_point> until) {
  const MutexLock lock(mutex_);
  while (items_.empty()) {
    if (!until) {
      came_.wait(mutex_);
    } else if (came_.wait_until(mutex_, *until) == std::cv_status::timeout) {
      return;
    }
  }
}

}  // namespace berth::service
