#pragma once

// The times for which pods back off after a failed attempt. With windows, times end with whole
// seconds, and a pod whose backoff ends in the current second still backs off: kube-scheduler
// flushes a whole second's pods at once, in the order of QueueSort.

#include <cstdint>
#include <optional>

#include "engine/queue/queue_event.h"

namespace berth::queue {

class BackoffTimes {
 public:
  BackoffTimes(Time initial, Time most, bool windows)
      : initial_(initial), most_(most), windows_(windows) {}

  // Of a pod whose latest attempt ended at `failed_at`. `refusals` counts the attempts that plugins
  // refused, `errors` those that failed since then; errors decide if there are any. No time: the
  // pod needs no backoff.
  std::optional<Time> until(Time failed_at, uint32_t refusals, uint32_t errors) const {
    const uint32_t count = errors != 0 ? errors : refusals;
    if (count == 0 || most_ == Time{}) return std::nullopt;
    return align(failed_at + duration(count));
  }
  bool over(std::optional<Time> until, Time now) const { return !until || *until < align(now); }

 private:
  Time duration(uint32_t count) const;
  Time align(Time time) const {
    return windows_ ? std::chrono::floor<std::chrono::seconds>(time) : time;
  }

  Time initial_;
  Time most_;  // 0: no backoff
  bool windows_;
};

}  // namespace berth::queue
