#include "engine/kube/writes/events/event_recorder.h"

#include <chrono>
#include <iterator>
#include <utility>

#include "engine/base/assert.h"
#include "engine/kube/api/status.h"
#include "engine/kube/writes/events/event_body.h"

namespace berth::kube {
namespace {

constexpr uint32_t kTriesPerEvent = 12;
constexpr Time kSleep = std::chrono::seconds(10);
constexpr uint32_t kSleepPercent = 25;
constexpr Time kRefresh = std::chrono::minutes(30);
constexpr Time kFinish = std::chrono::minutes(6);

}  // namespace

EventRecorder::EventRecorder(Sender& sender, std::string host)
    : sender_(sender), host_(std::move(host)) {
  refresh_ = sender_.loop().after(kRefresh, [this] { refresh(); });
  end_ = sender_.loop().after(kFinish, [this] { end_old(); });
}

void EventRecorder::stop() {
  sender_.loop().cancel(std::exchange(refresh_, 0));
  sender_.loop().cancel(std::exchange(end_, 0));
}

void EventRecorder::record(events::Event event) {
  if (waiting_ >= kMostWaiting) {
    ++dropped_;
    return;
  }
  const int64_t wall = sender_.loop().wall();
  events::RecordedEvent recorded = events::recorded(std::move(event), host_, wall);
  std::string key = series_key(recorded);
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    events::RecordedEvent& known = found->second->second;
    if (known.series) {
      ++known.series->count;
      known.series->last_observed = wall;
      return;
    }
    known.series = events::EventSeries{2, wall};
    return send(known, false, {});
  }
  recorded.name = names_.next(recorded.event.regarding.name, wall);
  if (known_.size() >= kMostKnown) forget(known_.begin());
  known_.emplace_back(std::move(key), recorded);
  by_key_.emplace(known_.back().first, std::prev(known_.end()));
  send(std::move(recorded), false, {});
}

void EventRecorder::send(events::RecordedEvent event, bool once, std::string ends) {
  ++waiting_;
  sender_.add(job(std::make_shared<One>(One{std::move(event), false, once, std::move(ends)})));
}

Job EventRecorder::job(const Shared& one) {
  const auto request = [one] {
    const bool create = one->create || !one->event.series;
    return create ? event_creation(one->event) : series_patch(one->event);
  };
  return {WriteKind::kEvent, request,
          [this, one](const Outcome& outcome) { answered(one, outcome); }};
}

void EventRecorder::answered(const Shared& one, const Outcome& outcome) {
  BERTH_ASSERT(waiting_ > 0);
  const Answer& answer = outcome.answer;
  if (answer.ok()) return over(*one, true, false);
  if (outcome.ended) return over(*one, false, true);
  const bool series = one->event.series.has_value();
  const Method method = series && !one->create ? Method::kPatch : Method::kPost;
  const Status error = status_of(answer, {method, "events.events.k8s.io", one->event.name});
  if (method == Method::kPatch && error.is_not_found()) {
    one->create = true;
    return sender_.again(job(one));
  }
  // An event that the server refuses is not written in the end. That a series meets the object that
  // it did not find before may pass.
  const bool retry = error.code == 0 || (series && error.reason == "AlreadyExists");
  if (!retry || one->once || ++one->tries >= kTriesPerEvent) {
    // The first try was written although its answer was lost.
    const bool written = !series && one->tries > 0 && error.reason == "AlreadyExists";
    if (!written) sender_.count_failed(WriteKind::kEvent);
    return over(*one, written, retry);
  }
  one->create = false;
  sender_.again(job(one), sender_.jitter().spread(kSleep, kSleepPercent));
}

void EventRecorder::over(const One& one, bool written, bool may_retry) {
  --waiting_;
  if (!written) ++dropped_;
  if (one.ends.empty() || may_retry) return;
  const auto found = by_key_.find(one.ends);
  if (found == by_key_.end()) return;
  const std::optional<events::EventSeries>& series = found->second->second.series;
  // An event that came meanwhile goes on with the series.
  if (series && series->count == one.event.series->count) forget(found->second);
}

void EventRecorder::forget(Known::iterator known) {
  by_key_.erase(known->first);
  known_.erase(known);
}

void EventRecorder::refresh() {
  refresh_ = sender_.loop().after(kRefresh, [this] { refresh(); });
  for (const auto& [key, event] : known_)
    if (event.series && waiting_ < kMostWaiting) send(event, true, {});
}

void EventRecorder::end_old() {
  end_ = sender_.loop().after(kFinish, [this] { end_old(); });
  const int64_t before = sender_.loop().wall() - kFinish.count();
  for (auto one = known_.begin(); one != known_.end();) {
    const auto known = one++;
    const events::RecordedEvent& event = known->second;
    if (!event.series) {
      if (event.time < before) forget(known);
    } else if (event.series->last_observed < before && waiting_ < kMostWaiting) {
      send(event, true, known->first);
    }
  }
}

}  // namespace berth::kube
