#include "engine/kube/http/limited_http.h"

#include <utility>

#include "engine/base/saturate.h"

namespace berth::kube {
namespace {

constexpr Time kNeverDue = Time::max();

Time saturating_time(Time a, Time b) { return Time(saturating_sum(a.count(), b.count())); }

bool asks_to_wait(const Answer& answer) {
  return answer.fate == Answer::Fate::kAnswered && (answer.status == 429 || answer.status >= 500) &&
         answer.retry_after;
}

}  // namespace

LimitedHttp::LimitedHttp(Http& http, Loop& loop, double qps, int burst, OnTurn on_turn)
    : http_(http), loop_(loop), bucket_(qps, burst), on_turn_(std::move(on_turn)) {}

LimitedHttp::~LimitedHttp() {
  loop_.cancel(turn_);
  for (const auto& [number, pending] : pending_) {
    http_.cancel(pending.sent);
    loop_.cancel(pending.timer);
  }
}

uint64_t LimitedHttp::send(Request request, Done done) {
  return add({.request = std::move(request), .done = std::move(done)});
}

uint64_t LimitedHttp::stream(Request request, Data data, Done done) {
  const uint64_t number = ++last_;
  Pending& pending = pending_[number];
  pending.done = std::move(done);
  pending.sent = http_.stream(std::move(request), std::move(data),
                              [this, number](Answer answer) { finish(number, std::move(answer)); });
  return number;
}

void LimitedHttp::cancel(uint64_t request) {
  const auto found = pending_.find(request);
  if (found == pending_.end()) return;
  http_.cancel(found->second.sent);
  loop_.cancel(found->second.timer);
  pending_.erase(found);
}

uint64_t LimitedHttp::add(Pending pending) {
  const Time limit = pending.request.limit;
  pending.deadline = limit == Time{} ? kNeverDue : saturating_time(loop_.now(), limit);
  pending.otherwise.fate = Answer::Fate::kNotSent;
  pending.otherwise.error = "its turn did not come in time: too many requests for the rate limit";
  pending_.emplace(++last_, std::move(pending));
  enqueue(last_);
  return last_;
}

void LimitedHttp::enqueue(uint64_t number) {
  queue_.push_back(number);
  pending_.at(number).queued = loop_.now();
  advance();
  Pending& pending = pending_.at(number);
  if (pending.sent != 0 || pending.deadline == kNeverDue) return;
  pending.timer =
      loop_.at(pending.deadline, [this, number] { finish(number, pending_.at(number).otherwise); });
}

void LimitedHttp::advance() {
  const Time now = loop_.now();
  while (!queue_.empty()) {
    const auto found = pending_.find(queue_.front());
    // Past its deadline, its timer is about to end it.
    if (found != pending_.end() && found->second.deadline > now) {
      const Time turn = bucket_.next(now);
      if (turn > now) {
        if (turn_ == 0) {
          turn_ = loop_.at(turn, [this] {
            turn_ = 0;
            advance();
          });
        }
        return;
      }
      bucket_.take(now);
      if (on_turn_) on_turn_(found->second.request.method, now - found->second.queued);
      start(found->first, found->second);
    }
    queue_.pop_front();
  }
}

void LimitedHttp::start(uint64_t number, Pending& pending) {
  loop_.cancel(std::exchange(pending.timer, 0));
  Done done = [this, number](Answer answer) { answered(number, std::move(answer)); };
  if (pending.deadline != kNeverDue) pending.request.limit = pending.deadline - loop_.now();
  // Only what reads may be sent again.
  const bool may_be_last = pending.request.method != Method::kGet;
  pending.sent =
      http_.send(may_be_last ? std::move(pending.request) : pending.request, std::move(done));
}

void LimitedHttp::answered(uint64_t number, Answer answer) {
  Pending& pending = pending_.at(number);
  pending.sent = 0;
  if (!wait_again(number, pending, answer)) finish(number, std::move(answer));
}

bool LimitedHttp::wait_again(uint64_t number, Pending& pending, Answer& answer) {
  const bool reads = pending.request.method == Method::kGet;
  if (!reads || !asks_to_wait(answer) || pending.retries == kMostRetries) return false;
  const Time until = saturating_time(loop_.now(), *answer.retry_after);
  if (until >= pending.deadline) return false;
  ++pending.retries;
  pending.otherwise = std::move(answer);
  pending.timer = loop_.at(until, [this, number] {
    pending_.at(number).timer = 0;
    enqueue(number);
  });
  return true;
}

void LimitedHttp::finish(uint64_t number, Answer answer) {
  auto ended = pending_.extract(number);
  loop_.cancel(ended.mapped().timer);
  ended.mapped().done(std::move(answer));
}

}  // namespace berth::kube
