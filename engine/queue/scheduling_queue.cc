#include "engine/queue/scheduling_queue.h"

#include "engine/base/assert.h"

namespace berth::queue {

SchedulingQueue::SchedulingQueue(QueueHooks& hooks, QueueOptions options)
    : hooks_(hooks),
      options_(options),
      backoff_(options.initial_backoff, options.max_backoff, options.pop_from_backoff),
      places_(options.equal_times, options.key_bytes),
      clock_(hooks, options.equal_times),
      moving_(hooks, places_, options.key_bytes, options.pop_from_backoff, options.activation_asks),
      question_(hooks) {}

void SchedulingQueue::set_interest(const Interest& interest) {
  for (size_t place = 0; place < kPlaces; ++place)
    BERTH_ASSERT(size(static_cast<Place>(place)) == 0);
  interests_.add(interest);
}

QueuedPod& SchedulingQueue::known(model::PodId pod) {
  QueuedPod* row = places_.find(pod);
  BERTH_ASSERT(row != nullptr);
  return *row;
}

const QueuedPod& SchedulingQueue::known(model::PodId pod) const {
  return const_cast<SchedulingQueue*>(this)->known(pod);
}

QueuedPod& SchedulingQueue::in_flight(model::PodId pod) {
  QueuedPod& row = known(pod);
  BERTH_ASSERT(row.place == Place::kInFlight || row.place == Place::kPastRefusal);
  return row;
}

std::optional<Time> SchedulingQueue::until(const QueuedPod& pod) const {
  return backoff_.until(pod.queued_at, pod.refusals, pod.errors);
}

void SchedulingQueue::next_active(size_t most, std::vector<model::PodId>& pods) const {
  places_.for_each_next(most, [&](uint32_t index) { pods.push_back(places_.id(index)); });
}

model::PodId SchedulingQueue::fly(uint32_t index) {
  ++places_[index].attempts;
  return places_.id(index);
}

std::optional<model::PodId> SchedulingQueue::pop() {
  const uint32_t active = places_.fly_first(Place::kActive);
  if (active != kNoIndex) return fly(active);
  if (!options_.pop_from_backoff) return std::nullopt;
  const uint32_t backing_off = places_.fly_first(Place::kBackoff);
  if (backing_off == kNoIndex) return std::nullopt;
  moves_.count({MoveCause::kPoppedFromBackoff}, Place::kActive);
  return fly(backing_off);
}

bool SchedulingQueue::can_pop() const {
  return size(Place::kActive) != 0 || (options_.pop_from_backoff && size(Place::kBackoff) != 0);
}

bool SchedulingQueue::remove(model::PodId pod) {
  if (places_.find(pod) == nullptr) return false;
  places_.remove(pod.index);
  return true;
}

void SchedulingQueue::done(model::PodId pod) {
  const Place at = place(pod);
  if (at == Place::kInFlight || at == Place::kPastRefusal) places_.remove(pod.index);
}

void SchedulingQueue::refusal_over(model::PodId pod) {
  if (place(pod) == Place::kInFlight) places_.pass_refusal(pod.index);
}

Place SchedulingQueue::place(model::PodId pod) const {
  const QueuedPod* row = places_.find(pod);
  return row == nullptr ? Place::kNone : row->place;
}

uint32_t SchedulingQueue::attempts(model::PodId pod) const { return known(pod).attempts; }

const Refusers& SchedulingQueue::refusers(model::PodId pod) const {
  return places_.refused()[known(pod).refusal].refusers;
}

RefuserId SchedulingQueue::gated_by(model::PodId pod) const {
  return places_.refused()[known(pod).refusal].gated_by;
}

Time SchedulingQueue::queued_at(model::PodId pod) const { return known(pod).queued_at; }

std::optional<Time> SchedulingQueue::backoff_until(model::PodId pod) const {
  return until(known(pod));
}

std::optional<Time> SchedulingQueue::first_active_at(model::PodId pod) const {
  const Time at = known(pod).first_active;
  return at == Time::min() ? std::nullopt : std::optional(at);
}

}  // namespace berth::queue
