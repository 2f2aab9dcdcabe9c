#include "engine/controllers/disruption/graceful_deletion.h"

#include <chrono>

#include "engine/controllers/disruption/budget.h"

namespace berth::controllers {
namespace {

constexpr int64_t kShortest = 1;  // seconds of a deletion that a kubelet is to finish

int64_t first_grace(const DeletablePod& pod, std::optional<int64_t> asked) {
  if (!pod.bound || pod.finished) return 0;
  const int64_t grace = asked.value_or(pod.termination_grace_seconds);
  return grace < 0 ? kShortest : grace;
}

// The time that has passed counts. What would be over already becomes the shortest deletion.
DeletionOutcome shorten(const PodDeletion& deletion, int64_t grace, Time now) {
  if (grace == 0) return {.gone = true, .deletion = {}};
  const Time at =
      deletion.at + std::chrono::seconds(grace) - std::chrono::seconds(deletion.grace_seconds);
  if (at < now) return {.gone = false, .deletion = PodDeletion{whole_seconds(now), kShortest}};
  return {.gone = false, .deletion = PodDeletion{at, grace}};
}

}  // namespace

DeletionOutcome delete_gracefully(const DeletablePod& pod, std::optional<int64_t> grace_seconds,
                                  Time now) {
  if (grace_seconds && *grace_seconds < 0) grace_seconds = kShortest;
  if (!pod.deletion) {
    const int64_t grace = first_grace(pod, grace_seconds);
    if (grace == 0) return {.gone = true, .deletion = {}};
    return {.gone = false,
            .deletion = PodDeletion{whole_seconds(now + std::chrono::seconds(grace)), grace}};
  }
  if (pod.deletion->grace_seconds == 0) return {.gone = true, .deletion = {}};
  if (!grace_seconds || *grace_seconds >= pod.deletion->grace_seconds) return {};
  return shorten(*pod.deletion, *grace_seconds, now);
}

}  // namespace berth::controllers
