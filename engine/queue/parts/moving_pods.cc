#include "engine/queue/parts/moving_pods.h"

#include <algorithm>

namespace berth::queue {

void MovingPods::take(uint32_t index, bool immediately) {
  const Place from = places_[index].place;
  if (from != Place::kNone) places_.leave(index);
  add(index, immediately, from == Place::kUnschedulable || from == Place::kGated);
}

void MovingPods::add(uint32_t index, bool immediately, bool waited) {
  // Written where it stays: a copy would read back small stores at once, which stalls.
  MovingPod& moving = pods_.emplace_back();
  moving.number = places_[index].number;
  moving.index = index;
  moving.immediately = immediately;
  moving.waited = waited;
  places_.tails().clear(index);
}

void MovingPods::sort() {
  const auto earlier = [](const MovingPod& a, const MovingPod& b) { return a.number < b.number; };
  if (!std::is_sorted(pods_.begin(), pods_.end(), earlier))
    std::sort(pods_.begin(), pods_.end(), earlier);
}

// Hooks answer about pods of one profile; pods enter in the order of pods_ all the same.
void MovingPods::ask(const Move& move) {
  list_profiles();
  for (const ProfileId profile : profiles_) {
    ask_gates(profile, move);
    ask_keys(profile);
  }
}

void MovingPods::list_profiles() {
  profiles_.clear();
  for (const MovingPod& moving : pods_) {
    const ProfileId profile = places_[moving.index].profile;
    if (!profiles_.empty() && profiles_.back() == profile) continue;
    if (std::find(profiles_.begin(), profiles_.end(), profile) == profiles_.end())
      profiles_.push_back(profile);
  }
}

// Of the pods of that profile.
void MovingPods::ask_gates(ProfileId profile, const Move& move) {
  const bool one_profile = profiles_.size() == 1;  // mostly, and the pods need no look then
  // A pod that neither waited nor is new to the queue was asked when it began to back off.
  const bool out_of_backoff = move.cause == MoveCause::kBackoffOver ||
                              (move.cause == MoveCause::kActivated && !activation_asks_);
  const auto asks = [&](const MovingPod& moving) {
    if (!one_profile && places_[moving.index].profile != profile) return false;
    if (!pop_from_backoff_) return moving.to == Place::kActive;
    return !out_of_backoff || moving.waited;
  };
  asked_.clear();
  gates_.clear();
  for (const MovingPod& moving : pods_) {
    if (!asks(moving)) continue;
    asked_.push_back(places_.id(moving.index));
    gates_.push_back(places_.gated_by(moving.index));
  }
  if (asked_.empty()) return;
  hooks_.gate(profile, asked_, gates_);
  size_t answered = 0;
  for (MovingPod& moving : pods_) {
    if (!asks(moving)) continue;
    const RefuserId by = gates_[answered++];
    places_.gate(moving.index, by);
    if (by != kNobody) moving.to = Place::kGated;
  }
}

bool MovingPods::needs_key(uint32_t index, Place to) const {
  if (to == Place::kActive) return true;
  return to == Place::kBackoff && pop_from_backoff_ && places_[index].refusal != 0;
}

// Of the pods of that profile.
void MovingPods::ask_keys(ProfileId profile) {
  const bool one_profile = profiles_.size() == 1;
  const auto asks = [&](const MovingPod& moving) {
    return (one_profile || places_[moving.index].profile == profile) &&
           needs_key(moving.index, moving.to);
  };
  asked_.clear();
  for (const MovingPod& moving : pods_)
    if (asks(moving)) asked_.push_back(places_.id(moving.index));
  if (asked_.empty()) return;
  const std::span<const SortKey> keys = keys_.ask(profile, asked_);
  size_t answered = 0;
  for (MovingPod& moving : pods_)
    if (asks(moving)) moving.key = keys[answered++];
}

SortKey MovingPods::key(uint32_t index) {
  if (!needs_key(index, places_[index].place)) return {};
  const model::PodId pod = places_.id(index);
  return keys_.ask(places_[index].profile, {&pod, 1}).front();
}

}  // namespace berth::queue
