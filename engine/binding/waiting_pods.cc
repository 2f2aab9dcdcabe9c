#include "engine/binding/waiting_pods.h"

#include <algorithm>

#include "berth/abi/bind.h"
#include "engine/base/assert.h"
#include "engine/base/text/go_duration.h"

namespace berth::binding {

void WaitingPods::hold(model::PodId pod, framework::Profile& profile, std::vector<Hold> holds,
                       Time now) {
  BERTH_ASSERT(!holds.empty() && !contains(pod));
  constexpr Time kLongest = std::chrono::seconds(BERTH_PERMIT_MAX_SECONDS);
  Waiting& waiting = waiting_.emplace_back();
  waiting.pod = pod;
  waiting.profile = &profile;
  waiting.since = now;
  for (Hold& hold : holds) {
    const Time timeout = std::min(hold.timeout, kLongest);
    waiting.timers.push_back({std::move(hold.plugin), timeout, now + timeout});
  }
}

const WaitingPods::Waiting* WaitingPods::find(model::PodId pod) const {
  const auto at = std::find_if(waiting_.begin(), waiting_.end(),
                               [&](const Waiting& waiting) { return waiting.pod == pod; });
  return at == waiting_.end() ? nullptr : &*at;
}

WaitingPods::Waiting* WaitingPods::find_held(model::PodId pod) {
  Waiting* waiting = find(pod);
  return waiting == nullptr || waiting->released ? nullptr : waiting;
}

Released& WaitingPods::release(Waiting& waiting) {
  BERTH_ASSERT(!waiting.released);
  waiting.released = true;
  Released& released = released_.emplace_back();
  released.pod = waiting.pod;
  released.profile = waiting.profile;
  released.since = waiting.since;
  return released;
}

bool WaitingPods::allow(model::PodId pod, const std::string& plugin) {
  Waiting* waiting = find_held(pod);
  if (waiting == nullptr) return false;
  const size_t stopped =
      std::erase_if(waiting->timers, [&](const Timer& timer) { return timer.plugin == plugin; });
  if (stopped == 0) return false;
  if (waiting->timers.empty()) release(*waiting).allowed = true;
  return true;
}

bool WaitingPods::reject(model::PodId pod, const std::string& plugin, std::string message) {
  Waiting* waiting = find_held(pod);
  if (waiting == nullptr) return false;
  Released& released = release(*waiting);
  released.plugin = plugin;
  released.message = std::move(message);
  return true;
}

bool WaitingPods::preempt(model::PodId pod, const std::string& plugin, std::string message) {
  if (!reject(pod, plugin, std::move(message))) return false;
  released_.back().failed = true;
  return true;
}

std::optional<Time> WaitingPods::next_timeout() const {
  std::optional<Time> next;
  for (const Waiting& waiting : waiting_)
    if (!waiting.released)
      for (const Timer& timer : waiting.timers)
        next = std::min(next.value_or(timer.fires), timer.fires);
  return next;
}

std::vector<WaitingPods::Fired> WaitingPods::fired(Time now) const {
  std::vector<Fired> all;
  for (const Waiting& waiting : waiting_)
    if (!waiting.released)
      for (const Timer& timer : waiting.timers)
        if (timer.fires <= now)
          all.push_back({timer.fires,
                         {},
                         timer.plugin,
                         waiting.pod,
                         "rejected due to timeout after waiting " + go_duration(timer.asked) +
                             " at plugin " + timer.plugin});
  return all;
}

std::optional<Released> WaitingPods::take_released() {
  if (released_.empty()) return std::nullopt;
  Released released = std::move(released_.front());
  released_.pop_front();
  const size_t taken =
      std::erase_if(waiting_, [&](const Waiting& waiting) { return waiting.pod == released.pod; });
  BERTH_ASSERT(taken == 1);
  return released;
}

std::vector<model::PodId> WaitingPods::pods() const {
  std::vector<model::PodId> pods;
  for (const Waiting& waiting : waiting_) pods.push_back(waiting.pod);
  return pods;
}

}  // namespace berth::binding
