#pragma once

// A loop in virtual time and a server that a test plays. `inline`, so that a test need not use all.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/kube/http/http.h"
#include "engine/kube/loop.h"

namespace berth::service::testing {

inline kube::Answer unanswered(kube::Answer::Fate fate, std::string error) {
  kube::Answer answer;
  answer.fate = fate;
  answer.error = std::move(error);
  return answer;
}

inline kube::Answer overloaded(Time retry_after) {
  kube::Answer answer;
  answer.status = 429;
  answer.retry_after = retry_after;
  return answer;
}

class PlayedLoop : public kube::Loop {
 public:
  Time now() const override { return now_; }
  int64_t wall() const override { return now_.count(); }
  uint64_t at(Time time, std::function<void()> due) override {
    timers_.emplace(std::max(time, now_), std::pair(++last_, std::move(due)));
    return last_;
  }
  void cancel(uint64_t timer) override {
    std::erase_if(timers_, [&](const auto& entry) { return entry.second.first == timer; });
  }

  // Makes the calls that are due by then, in order.
  void advance(Time by) {
    const Time until = now_ + by;
    while (!timers_.empty() && timers_.begin()->first <= until) {
      now_ = timers_.begin()->first;
      const auto due = std::move(timers_.begin()->second.second);
      timers_.erase(timers_.begin());
      due();
    }
    now_ = until;
  }
  size_t timers() const { return timers_.size(); }

 private:
  Time now_{};
  uint64_t last_ = 0;
  std::multimap<Time, std::pair<uint64_t, std::function<void()>>> timers_;
};

class PlayedHttp : public kube::Http {
 public:
  uint64_t send(kube::Request request, Done done) override {
    sent.push_back(request);
    open_.emplace(++last_, std::move(done));
    return last_;
  }
  // Nothing is streamed here.
  uint64_t stream(kube::Request, Data, Done) override { std::abort(); }
  void cancel(uint64_t request) override { open_.erase(request); }

  // Answers the oldest request that is open.
  void answer(kube::Answer answer) {
    BERTH_ASSERT(!open_.empty());
    const Done done = std::move(open_.begin()->second);
    open_.erase(open_.begin());
    done(std::move(answer));
  }
  void answer(int status, std::string body) {
    kube::Answer whole;
    whole.status = status;
    whole.body = std::move(body);
    answer(std::move(whole));
  }
  size_t open() const { return open_.size(); }

  std::vector<kube::Request> sent;

 private:
  uint64_t last_ = 0;
  std::map<uint64_t, Done> open_;
};

}  // namespace berth::service::testing
