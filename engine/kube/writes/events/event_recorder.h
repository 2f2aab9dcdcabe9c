#pragma once

// Reports events, as client-go's event broadcaster does.
//
// The first event of its key creates an object. An equal one turns it into a series of two; further
// ones are counted, and the count is written every 30 minutes and when the series ends, which is
// after 6 minutes without another. A lone event is forgotten after 6 minutes.
//
// Events are reports, and no more. At most 1,000 wait for the server at once, as many as the queue
// of client-go's broadcaster takes; but client-go bounds nothing behind that queue. So a burst of
// 20,000 bindings drops most of its events, which berth_events_dropped_total counts. The latest
// 20,000 keys are known; series beyond that are forgotten as if they had ended.

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/events/event.h"
#include "engine/events/event_name.h"
#include "engine/kube/writes/sender.h"

namespace berth::kube {

// One thread, that of the loop.
class EventRecorder {
 public:
  static constexpr size_t kMostWaiting = 1000;
  static constexpr size_t kMostKnown = 20'000;

  // `host`: reportingInstance is SCHEDULER-HOST. `sender` outlives it.
  EventRecorder(Sender& sender, std::string host);
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;
  ~EventRecorder() { stop(); }

  // Requires names as an API server takes them.
  void record(events::Event event);
  // Series are not refreshed or ended any more. May be called again.
  void stop();

  // Events that were not reported, because too many wait or the server did not take them.
  uint64_t dropped() const { return dropped_; }

 private:
  struct One {
    events::RecordedEvent event;
    bool create = false;  // the object of the series is gone
    bool once = false;    // no further tries
    std::string ends{};   // key of the series that ends when this is written; empty: none
    uint32_t tries = 0;   // that failed
  };
  using Shared = std::shared_ptr<One>;
  using Known =
      std::list<std::pair<std::string, events::RecordedEvent>>;  // by key, in order of time

  void send(events::RecordedEvent event, bool once, std::string ends);
  Job job(const Shared& one);
  void answered(const Shared& one, const Outcome& outcome);
  void over(const One& one, bool written, bool may_retry);
  void refresh();
  void end_old();
  void forget(Known::iterator known);

  Sender& sender_;
  std::string host_;
  events::EventNames names_;
  Known known_;
  std::unordered_map<std::string_view, Known::iterator> by_key_;  // views of keys in known_
  size_t waiting_ = 0;                                            // events with the sender
  uint64_t dropped_ = 0;
  uint64_t refresh_ = 0, end_ = 0;  // timers
};

}  // namespace berth::kube
