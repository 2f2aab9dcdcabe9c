#include "engine/binding/pre_bind_waits.h"

#include <algorithm>

#include "berth/abi/bind.h"
#include "engine/base/assert.h"

namespace berth::binding {

namespace {

// When the plugin is called again that has answered now.
void set_next(PreBindWait::Hook& hook, const framework::Profile& profile, Time now) {
  constexpr Time kUsual = std::chrono::seconds(BERTH_PRE_BIND_AGAIN_SECONDS);
  constexpr Time kLeast(BERTH_PRE_BIND_LEAST_NANOSECONDS);
  hook.answered = false;
  if (!hook.since) hook.since = now;
  const Time limit(profile.pre_bind[hook.hook].point->wait_limit_nanoseconds());
  const Time end = std::max(*hook.since + limit, now + kLeast);
  // Compared before it is added: a plugin may ask for any number of nanoseconds.
  const Time asked = hook.again == Time{} ? kUsual : std::max(hook.again, kLeast);
  hook.next = asked < end - now ? now + asked : end;
}

}  // namespace

void PreBindWaits::hold(model::PodId pod, framework::Profile& profile,
                        std::unique_ptr<PreBindWait> wait, Time now) {
  BERTH_ASSERT(wait != nullptr && !wait->hooks.empty() && !contains(pod));
  for (PreBindWait::Hook& hook : wait->hooks)
    if (hook.answered) set_next(hook, profile, now);
  const Key key{std::ranges::min(wait->hooks, {}, &PreBindWait::Hook::next).next, holds_++};
  keys_.emplace(pod, key);
  waiting_.emplace(key, Waiting{pod, &profile, std::move(wait)});
  BERTH_ASSERT(keys_.size() == waiting_.size());
}

std::optional<Time> PreBindWaits::next() const {
  if (waiting_.empty()) return std::nullopt;
  return waiting_.begin()->first.first;
}

std::optional<PreBindWaits::Waiting> PreBindWaits::take_due(Time now) {
  if (waiting_.empty() || waiting_.begin()->first.first > now) return std::nullopt;
  std::optional<Waiting> due = take(waiting_.begin()->second.pod);
  for (PreBindWait::Hook& hook : due->wait->hooks) {
    hook.due = hook.next <= now;
    if (hook.due) hook.waited = now - *hook.since;
  }
  return due;
}

std::optional<PreBindWaits::Waiting> PreBindWaits::take(model::PodId pod) {
  const auto key = keys_.find(pod);
  if (key == keys_.end()) return std::nullopt;
  auto taken = waiting_.extract(key->second);
  BERTH_ASSERT(!taken.empty());
  keys_.erase(key);
  return std::move(taken.mapped());
}

std::vector<model::PodId> PreBindWaits::pods() const {
  std::vector<model::PodId> pods;
  for (const auto& [key, waiting] : waiting_) pods.push_back(waiting.pod);
  return pods;
}

}  // namespace berth::binding
