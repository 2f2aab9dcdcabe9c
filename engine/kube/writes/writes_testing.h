#pragma once

// A loop in virtual time, and a server whose answers a test gives.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/kube/http/http.h"
#include "engine/kube/loop.h"

namespace berth::kube::testing {

using namespace std::chrono_literals;

class VirtualLoop final : public Loop {
 public:
  // 2026-01-02T03:04:05.000006Z at the beginning.
  static constexpr int64_t kWall = 1'767'323'045'000'006'000;

  Time now() const override { return now_; }
  int64_t wall() const override { return kWall + now_.count(); }
  uint64_t at(Time time, std::function<void()> due) override {
    timers_.emplace(std::pair(std::max(time, now_), ++numbers_), std::move(due));
    return numbers_;
  }
  void cancel(uint64_t timer) override {
    std::erase_if(timers_, [&](const auto& one) { return one.first.second == timer; });
  }

  // Makes the calls that are due up to that time.
  void run_until(Time time) {
    while (!timers_.empty() && timers_.begin()->first.first <= time) {
      const auto due = timers_.extract(timers_.begin());
      now_ = due.key().first;
      due.mapped()();
    }
    now_ = time;
  }
  void run_for(Time wait) { run_until(now_ + wait); }
  void run() { run_until(now_); }  // all that is due

 private:
  std::map<std::pair<Time, uint64_t>, std::function<void()>> timers_;
  uint64_t numbers_ = 0;
  Time now_{};
};

inline Answer answer_of(int status, std::string body = {}) {
  Answer answer;
  answer.status = status;
  answer.body = std::move(body);
  return answer;
}

// A Status, as a server sends it.
inline Answer refusal_answer(int status, const std::string& reason, const std::string& message) {
  return answer_of(status, R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
                           R"("message":")" +
                               message + R"(","reason":")" + reason + R"(","code":)" +
                               std::to_string(status) + "}");
}

inline Answer fate_answer(Answer::Fate fate, std::string error) {
  Answer answer;
  answer.fate = fate;
  answer.error = std::move(error);
  return answer;
}
inline Answer lost_answer(std::string error = "connection reset") {
  return fate_answer(Answer::Fate::kLost, std::move(error));
}
inline Answer unsent_answer(std::string error = "connection refused") {
  return fate_answer(Answer::Fate::kNotSent, std::move(error));
}
inline Answer later_answer(int status, Time retry_after) {
  Answer answer = answer_of(status, "Too many requests, please try again later.\n");
  answer.retry_after = retry_after;
  return answer;
}

class PlayedHttp final : public Http {
 public:
  struct Seen {
    Request request;
    Time at;
    Done done;  // empty: answered, or cancelled
    bool cancelled = false;
  };

  explicit PlayedHttp(VirtualLoop& loop) : loop_(loop) {}

  uint64_t send(Request request, Done done) override {
    seen.push_back({std::move(request), loop_.now(), std::move(done)});
    const size_t index = seen.size() - 1;
    if (server)
      if (auto answered = server(seen.back().request))
        loop_.at(loop_.now(), [this, index, one = *answered] { call(index, one); });
    return seen.size();
  }
  uint64_t stream(Request, Data, Done) override { throw std::logic_error("nothing is streamed"); }
  void cancel(uint64_t request) override {
    if (request == 0 || !seen.at(request - 1).done) return;
    seen[request - 1].done = nullptr;
    seen[request - 1].cancelled = true;
  }

  // Answers the request, and lets the loop do what follows now.
  void answer(size_t index, const Answer& answer) {
    if (index >= seen.size() || !seen[index].done) {
      ADD_FAILURE() << "request " << index << " is not under way";
      return;
    }
    call(index, answer);
    loop_.run();
  }
  size_t under_way() const {
    size_t count = 0;
    for (const Seen& one : seen) count += one.done != nullptr;
    return count;
  }
  // "POST /api/v1/... BODY", of all requests.
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const Seen& one : seen) {
      lines.push_back(std::string(method_name(one.request.method)) + " " + one.request.path);
      if (!one.request.body.empty()) lines.back() += " " + one.request.body;
    }
    return lines;
  }

  std::vector<Seen> seen;
  // Answers at once; nothing: the test answers. May be empty.
  std::function<std::optional<Answer>(const Request&)> server;

 private:
  void call(size_t index, const Answer& answer) {
    if (!seen[index].done) return;
    std::exchange(seen[index].done, nullptr)(answer);
  }

  VirtualLoop& loop_;
};

}  // namespace berth::kube::testing
