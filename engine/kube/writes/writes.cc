#include "engine/kube/writes/writes.h"

#include <utility>

namespace berth::kube {

Writes::Writes(Http& http, Loop& loop, const WritesOptions& options, WritesCalls calls)
    : sender_(http, loop, options.sender, std::move(calls.may_write)),
      bindings_(sender_, std::move(calls.bound)),
      statuses_(sender_, std::move(calls.status_written)),
      evictions_(sender_, std::move(calls.evicted)),
      volumes_(sender_, std::move(calls.volume_written)),
      events_(sender_, options.host) {}

void Writes::finish(Time limit, std::function<void()> done) {
  events_.stop();
  sender_.finish(limit, std::move(done));
}

}  // namespace berth::kube
