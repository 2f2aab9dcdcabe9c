#pragma once

// The door between a process and its network: tells of each request that leaves and of its answer.

#include <cstdint>
#include <functional>
#include <utility>

#include "engine/kube/http/http.h"
#include "engine/kube/loop.h"

namespace berth::service_simulation {

class Gate : public kube::Http {
 public:
  struct Calls {
    std::function<void(const kube::Request&)> sent;
    std::function<void(const kube::Request&, const kube::Answer&, Time took, bool streamed)>
        answered;
  };

  // Both outlive this.
  Gate(kube::Http& http, const kube::Loop& loop, Calls calls)
      : http_(http), loop_(loop), calls_(std::move(calls)) {}

  uint64_t send(kube::Request request, Done done) override {
    if (!request.may_leave || request.may_leave()) calls_.sent(request);
    Done told = tell(request, std::move(done), false);
    return http_.send(std::move(request), std::move(told));
  }
  uint64_t stream(kube::Request request, Data data, Done done) override {
    calls_.sent(request);
    Done told = tell(request, std::move(done), true);
    return http_.stream(std::move(request), std::move(data), std::move(told));
  }
  void cancel(uint64_t request) override { http_.cancel(request); }

 private:
  Done tell(const kube::Request& request, Done done, bool streamed) {
    return
        [this, request, streamed, sent = loop_.now(), done = std::move(done)](kube::Answer answer) {
          calls_.answered(request, answer, loop_.now() - sent, streamed);
          done(std::move(answer));
        };
  }

  kube::Http& http_;
  const kube::Loop& loop_;
  const Calls calls_;
};

}  // namespace berth::service_simulation
