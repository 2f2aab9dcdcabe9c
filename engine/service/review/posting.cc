#include "engine/service/review/posting.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"

namespace berth::service {
namespace {

// True if the answer may be different the next time. A server that cannot be reached is not asked
// again: who probes this process has to hear of it soon.
bool is_transient(const kube::Answer& answer) {
  if (answer.fate == kube::Answer::Fate::kLost) return true;
  if (answer.fate != kube::Answer::Fate::kAnswered || answer.ok()) return false;
  return answer.retry_after || answer.status == 429 || answer.status == 500 || answer.status == 504;
}

}  // namespace

Posting::Posting(kube::Loop& loop, kube::Http& http, std::string path, std::string body, Done done)
    : loop_(loop),
      http_(http),
      path_(std::move(path)),
      body_(std::move(body)),
      done_(std::move(done)),
      until_(loop.now() + kLimit) {
  BERTH_ASSERT(done_ != nullptr);
  send();
}

Posting::~Posting() {
  http_.cancel(request_);
  loop_.cancel(timer_);
}

void Posting::send() {
  BERTH_ASSERT(request_ == 0 && timer_ == 0 && tries_ < kTries);
  ++tries_;
  request_ = http_.send({.method = kube::Method::kPost,
                         .path = path_,
                         .content_type = "application/json",
                         .body = body_,
                         .limit = until_ - loop_.now()},
                        [this](kube::Answer answer) { on_answer(std::move(answer)); });
}

void Posting::on_answer(kube::Answer answer) {
  BERTH_ASSERT(request_ != 0 && timer_ == 0);
  request_ = 0;
  const Time wait = std::max(wait_, answer.retry_after.value_or(Time::zero()));
  if (is_transient(answer) && tries_ < kTries && loop_.now() + wait < until_) {
    wait_ += wait_ / 2;
    timer_ = loop_.after(wait, [this] {
      timer_ = 0;
      send();
    });
    return;
  }
  const Done done = std::move(done_);
  done(std::move(answer));
}

}  // namespace berth::service
