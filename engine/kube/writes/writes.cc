#include "engine/kube/writes/writes.h"

#include <algorithm>
#include <utility>

namespace berth::kube {
namespace {

// They share the server with the bindings, which pods wait for.
SenderOptions options_of_events(SenderOptions options) {
  options.under_way = 16;
  return options;
}

}  // namespace

Writes::Writes(Http& http, Http& event_http, Loop& loop, const WritesOptions& options,
               const WritesCalls& calls)
    : sender_(http, loop, options.sender, calls.may_write),
      event_sender_(event_http, loop, options_of_events(options.sender), calls.may_write),
      bindings_(sender_, calls.bound),
      statuses_(sender_, calls.status_written),
      evictions_(sender_, calls.evicted),
      volumes_(sender_, calls.volume_written),
      events_(event_sender_, options.host) {}

void Writes::finish(Time limit, std::function<void()> done) {
  events_.stop();
  const Time until = sender_.loop().now() + limit;
  sender_.finish(limit, [this, until, done = std::move(done)]() mutable {
    event_sender_.finish(std::max(until - sender_.loop().now(), Time(0)), std::move(done));
  });
}

}  // namespace berth::kube
