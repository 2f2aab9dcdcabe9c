// Random histories against the plain queue.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "engine/base/draw.h"
#include "engine/queue/scheduling_queue.h"
#include "engine/queue/testing/plain_queue.h"

namespace berth::queue {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr uint32_t kRows = 12;      // pods at a time
constexpr RefuserId kRefusers = 4;  // of each of two profiles; the last gates
constexpr uint32_t kAnyUpdate = 4 | 8 | 16;

std::vector<Interest> interests() {
  std::vector<Interest> all;
  for (ProfileId profile = 0; profile < 2; ++profile) {
    const auto refuser = [&](int number) {
      return static_cast<RefuserId>(profile * kRefusers + number);
    };
    all.push_back({profile, refuser(0), 1 | 2, 1 | 2 | kAnyUpdate, true});
    all.push_back({profile, refuser(1), 1, 4, true});
    all.push_back({profile, refuser(1), 4, 1 | 8, false});
    // The third waits for updates, and one kind without a hint on top of one with.
    all.push_back({profile, refuser(2), 2, kAnyUpdate, true});
    all.push_back({profile, refuser(2), 4, 2, profile == 0});
    all.push_back({profile, refuser(3), 2, 16, true});
  }
  all.push_back({1, kRefusers + 2, 4, 2, true});
  return all;
}

// Draws numbers from one seed; the queue and the plain queue see the same history.
class History {
 public:
  History(uint64_t seed, bool pop_from_backoff, bool activation_asks, bool equal_times,
          size_t key_bytes)
      : seed_(seed) {
    options_.key_bytes = world_.key_bytes = key_bytes;
    options_.pop_from_backoff = pop_from_backoff;
    options_.activation_asks = activation_asks;
    options_.equal_times = equal_times;
    options_.initial_backoff = drawn(8) == 0 ? Time{} : Time(milliseconds(500 + drawn(3) * 500));
    options_.max_backoff = drawn(8) == 0 ? Time{} : Time(seconds(10));
    world_.helps = [this](const QueueEvent& event, RefuserId refuser, uint32_t group) {
      const uint64_t number = *static_cast<const uint64_t*>(event.detail);
      return draw(seed_, number, refuser * 100 + group, Purpose::kLoad) % 3 == 0;
    };
    queue_ = std::make_unique<SchedulingQueue>(world_, options_);
    plain_ = std::make_unique<PlainQueue>(world_, options_, interests());
    for (const Interest& interest : interests()) queue_->set_interest(interest);
  }

  void step() {
    switch (drawn(16)) {
      case 0:
      case 1:
      case 2:
        return add();
      case 3:
      case 4:
      case 5:
        return pop();
      case 6:
      case 7:
      case 8:
        return come_back();
      case 9:
        return finish();
      case 10:
      case 11:
        return update();
      case 12:
      case 13:
        return event();
      case 14:
        return drawn(2) == 0 ? activate() : remove();
      default:
        return advance();
    }
  }

  void compare() {
    for (const Place place :
         {Place::kActive, Place::kBackoff, Place::kErrorBackoff, Place::kUnschedulable,
          Place::kGated, Place::kInFlight, Place::kPastRefusal}) {
      RC_ASSERT(queue_->list(place) == plain_->list(place));
      RC_ASSERT(queue_->size(place) == plain_->list(place).size());
    }
    for (const PlainPod& pod : plain_->pods()) {
      RC_ASSERT(queue_->attempts(pod.id) == pod.attempts);
      RC_ASSERT(queue_->gated_by(pod.id) == pod.gate);
      RC_ASSERT(queue_->queued_at(pod.id) == pod.queued_at);
      RC_ASSERT(queue_->backoff_until(pod.id) == plain_->until(pod));
      check_moment(pod);
      const std::vector<RefuserId>& all = queue_->refusers(pod.id).all();
      RC_ASSERT(std::equal(all.begin(), all.end(), pod.refusers.begin(), pod.refusers.end()));
    }
  }

 private:
  // Moments order pods as their times do; equal times have different moments unless they may be
  // equal.
  void check_moment(const PlainPod& pod) {
    const uint64_t moment = world_.moments.at(pod.id);
    RC_ASSERT(options_.equal_times || moment == pod.number);
    for (const PlainPod& other : plain_->pods()) {
      if (!options_.equal_times && other.queued_at == pod.queued_at) continue;
      const uint64_t others = world_.moments.at(other.id);
      RC_ASSERT((moment < others) == (pod.queued_at < other.queued_at));
    }
  }
  uint32_t drawn(uint32_t below) {
    return static_cast<uint32_t>(draw(seed_, ++drawn_, 0, Purpose::kLoad) % below);
  }
  // A pod with one of these places; none if there is no such pod.
  std::optional<PlainPod> some(std::vector<Place> places) {
    std::vector<PlainPod> found;
    for (const PlainPod& pod : plain_->pods())
      if (std::count(places.begin(), places.end(), pod.place) != 0) found.push_back(pod);
    if (found.empty()) return std::nullopt;
    return found[drawn(static_cast<uint32_t>(found.size()))];
  }
  std::optional<PlainPod> any() {
    return some({Place::kActive, Place::kBackoff, Place::kErrorBackoff, Place::kUnschedulable,
                 Place::kGated, Place::kInFlight, Place::kPastRefusal});
  }
  ProfileId profile_of(model::PodId pod) const { return pod.index % 2; }
  FakePod made(model::PodId pod) {
    FakePod fake{static_cast<int>(drawn(3)), drawn(3), kNobody};
    if (drawn(4) == 0) fake.gate = static_cast<RefuserId>(profile_of(pod) * kRefusers + 3);
    return fake;
  }
  QueueEvent drawn_event(uint32_t kind) {
    constexpr uint32_t kActions[] = {1, 2, 4, 8, 16, kAnyUpdate};
    details_.push_back(std::make_unique<uint64_t>(++events_));
    return {kind, kActions[drawn(6)], details_.back().get()};
  }

  void add() {
    std::vector<model::PodId> pods;
    const uint32_t first = drawn(kRows);
    for (uint32_t i = first; i < kRows && pods.size() <= drawn(3); i += 2) {
      const model::PodId pod{i, generations_[i] + 1};
      if (plain_->find({i, generations_[i]}) != nullptr) continue;
      ++generations_[i];
      world_.pods[pod] = made(pod);
      pods.push_back(pod);
    }
    if (pods.empty()) return;
    queue_->add(profile_of(pods[0]), pods, now_);
    for (const model::PodId pod : pods) plain_->add(profile_of(pod), pod, now_);
  }

  void pop() {
    RC_ASSERT(queue_->can_pop() ==
              (!plain_->list(Place::kActive).empty() ||
               (options_.pop_from_backoff && !plain_->list(Place::kBackoff).empty())));
    RC_ASSERT(queue_->pop() == plain_->pop());
  }

  void come_back() {
    const auto pod = some({Place::kInFlight, Place::kPastRefusal});
    if (!pod) return;
    Refusers refusers;
    std::set<RefuserId> all, pending;
    for (RefuserId i = 0; i + 1 < kRefusers; ++i) {
      if (drawn(2) == 0) continue;
      const auto refuser = static_cast<RefuserId>(pod->profile * kRefusers + i);
      const bool waits = drawn(4) == 0;
      refusers.add(refuser, waits);
      all.insert(refuser);
      if (waits) pending.insert(refuser);
    }
    queue_->add_unschedulable(pod->id, refusers, now_);
    plain_->come_back(pod->id, all, pending, now_);
  }

  void finish() {
    const auto pod = some({Place::kInFlight, Place::kPastRefusal});
    if (!pod) return;
    if (pod->place == Place::kInFlight && drawn(2) == 0) {
      queue_->refusal_over(pod->id);
      return plain_->refusal_over(pod->id);
    }
    queue_->done(pod->id);
    plain_->remove(pod->id);
  }

  // The group of a pod in flight stays: the plain queue asks about it only when it comes back.
  void update() {
    std::optional<PlainPod> pod = any();
    if (!pod) return;
    const uint32_t group = world_.pods[pod->id].group;
    world_.pods[pod->id] = made(pod->id);
    if (pod->place == Place::kInFlight) world_.pods[pod->id].group = group;
    std::vector<QueueEvent> events;
    for (uint32_t i = drawn(2); i < 2; ++i) events.push_back(drawn_event(2));
    queue_->update(pod->profile, pod->id, events, now_);
    plain_->update(pod->profile, pod->id, events, now_);
  }

  void event() {
    const QueueEvent event = drawn_event(1u << drawn(3));
    SchedulingQueue::PodFilter filter;
    if (drawn(3) == 0)
      filter = [this](model::PodId pod) { return world_.pods.at(pod).priority < 2; };
    check_questions(event, filter);
    plain_->move_all(event, now_, filter);
  }

  // Nothing is asked that was not announced, and nothing moves that is of no concern.
  void check_questions(const QueueEvent& event, const SchedulingQueue::PodFilter& filter) {
    std::set<std::pair<RefuserId, model::PodId>> announced;
    queue_->for_each_question(event, [&](RefuserId refuser, std::span<const model::PodId> pods) {
      for (const model::PodId pod : pods) announced.insert({refuser, pod});
    });
    const bool concerns = queue_->concerns(event);
    RC_ASSERT(concerns || announced.empty());
    const size_t moves = moved();
    world_.asked.clear();
    queue_->move_all(event, now_, filter);
    for (const FakeHooks::Asked& asked : world_.asked)
      for (const model::PodId pod : asked.pods) RC_ASSERT(announced.contains({asked.refuser, pod}));
    RC_ASSERT(concerns || moves == moved());
  }

  size_t moved() const {
    size_t sum = 0;
    for (const MoveCount& count : queue_->moves())
      sum += count.active + count.backoff + count.unschedulable;
    return sum;
  }

  void activate() {
    const auto pod = any();
    if (!pod) return;
    queue_->activate({&pod->id, 1}, now_);
    plain_->activate(pod->id, now_);
  }

  void remove() {
    const auto pod = any();
    if (!pod) return;
    RC_ASSERT(queue_->remove(pod->id));
    RC_ASSERT(!queue_->remove(pod->id));
    plain_->remove(pod->id);
  }

  void advance() {
    constexpr Time kSteps[] = {milliseconds(1), milliseconds(300), milliseconds(1700), seconds(31),
                               seconds(299)};
    const Time end = now_ + kSteps[drawn(5)];
    for (;;) {
      const Time next = std::chrono::floor<seconds>(now_) + seconds(1);
      if (next > end) break;
      now_ = next;
      queue_->flush_backoff(now_);
      plain_->flush_backoff(now_);
      if (now_ % seconds(30) != Time{}) continue;
      queue_->flush_unschedulable(now_);
      plain_->flush_unschedulable(now_);
    }
    now_ = end;
  }

  uint64_t seed_;
  uint64_t drawn_ = 0;
  QueueOptions options_;
  FakeHooks world_;
  std::unique_ptr<SchedulingQueue> queue_;
  std::unique_ptr<PlainQueue> plain_;
  std::array<uint32_t, kRows> generations_{};
  std::vector<std::unique_ptr<uint64_t>> details_;
  uint64_t events_ = 0;
  Time now_{milliseconds(5)};
};

RC_GTEST_PROP(SchedulingQueue, ActsAsThePlainQueue,
              (uint64_t seed, bool pop_from_backoff, bool activation_asks, bool equal_times)) {
  // Keys as long as those of most plugins, shorter ones, and such that differ behind 16 bytes.
  constexpr size_t kKeyBytes[] = {sizeof(SortKey), 9, 20, 40};
  History history(seed, pop_from_backoff, activation_asks, equal_times, kKeyBytes[seed % 4]);
  for (int i = 0; i < 300; ++i) {
    history.step();
    history.compare();
  }
}

}  // namespace
}  // namespace berth::queue
