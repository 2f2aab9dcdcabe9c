#include "engine/controllers/nodes/taint_queue.h"

#include <algorithm>
#include <chrono>

namespace berth::controllers {

void TaintQueue::add(Time now, const std::string& node) {
  if (added_.try_emplace(node, now).second) waiting_.emplace(now, node);
}

void TaintQueue::remove(const std::string& node) {
  const auto found = added_.find(node);
  if (found == added_.end()) return;
  if (found->second) waiting_.erase({*found->second, node});
  added_.erase(found);
}

void TaintQueue::set_rate(Time now, float rate) {
  if (bucket_.rate() == rate) return;
  TokenBucket fresh(rate);
  if (!bucket_.take(now)) fresh.take(now);
  bucket_ = fresh;
}

std::optional<Time> TaintQueue::next() const {
  const std::optional<Time> token = bucket_.earliest();
  if (waiting_.empty() || !token) return std::nullopt;
  return std::max(*token, waiting_.begin()->first);
}

void TaintQueue::run(Time now, const std::function<bool(const std::string&)>& taint) {
  constexpr Time kPause = std::chrono::milliseconds(50);
  while (!waiting_.empty() && bucket_.take(now)) {
    const auto [since, node] = *waiting_.begin();
    if (since > now) return;
    waiting_.erase(waiting_.begin());
    std::optional<Time>& turn = added_.at(node);
    turn.reset();
    if (taint(node)) continue;
    turn = now + kPause;
    waiting_.emplace(*turn, node);
  }
}

}  // namespace berth::controllers
