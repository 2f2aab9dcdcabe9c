#pragma once

// Http with the manners of client-go: at most so many requests a second, and a read that the server
// refuses for a while is sent again. Writes are repeated by who knows whether that is safe
// (writes/sender.h): a binding that was answered by 500 may have been carried out.

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>

#include "engine/kube/http/http.h"
#include "engine/kube/http/token_bucket.h"
#include "engine/kube/loop.h"

namespace berth::kube {

// One thread, that of the loop. Requests take one token each and wait for it in the order of the
// calls. Streams are watches: they take none and go at once, as the first try of a watch does in
// client-go (rest.Request.Watch), so that watches that end together do not hold up bindings.
//
// An answer to a GET of `send` with status 429 or 5xx and a Retry-After is not the end: the request
// waits so long, takes its turn again, and is sent again, at most kMostRetries times. If the wait
// would go beyond the limit of the request, that answer is handed on. Streams are not sent again.
//
// The limit of a request counts from the call. A request that waits for its first turn until then
// ends as kNotSent, one that waits for a later turn with the server's last answer.
class LimitedHttp : public Http {
 public:
  static constexpr int kMostRetries = 10;  // as rest.Request of client-go

  // A request has its turn, each time that it is sent, after it waited so long for it.
  using OnTurn = std::function<void(Method method, Time waited)>;

  // `http` and `loop` must outlive this. qps <= 0: no limit; otherwise requires burst >= 1.
  // `on_turn` may be null.
  LimitedHttp(Http& http, Loop& loop, double qps, int burst, OnTurn on_turn = nullptr);
  // Cancels all requests.
  ~LimitedHttp() override;
  LimitedHttp(const LimitedHttp&) = delete;
  LimitedHttp& operator=(const LimitedHttp&) = delete;

  uint64_t send(Request request, Done done) override;
  uint64_t stream(Request request, Data data, Done done) override;
  void cancel(uint64_t request) override;

 private:
  struct Pending {
    Request request;  // of `send`
    Done done;
    Time deadline{};
    Answer otherwise{};  // how the request ends if its turn does not come before the deadline
    int retries = 0;
    Time queued{};       // when it began to wait for its turn
    uint64_t sent = 0;   // its number there; 0: it waits
    uint64_t timer = 0;  // while it waits: the deadline, or the end of a Retry-After
  };

  uint64_t add(Pending pending);
  // Puts the request behind those that wait for a token.
  void enqueue(uint64_t number);
  // Sends what has its turn.
  void advance();
  void start(uint64_t number, Pending& pending);
  void answered(uint64_t number, Answer answer);
  bool wait_again(uint64_t number, Pending& pending, Answer& answer);
  void finish(uint64_t number, Answer answer);

  Http& http_;
  Loop& loop_;
  TokenBucket bucket_;
  const OnTurn on_turn_;
  std::unordered_map<uint64_t, Pending> pending_;
  std::deque<uint64_t> queue_;  // for tokens; also those that have ended meanwhile
  uint64_t turn_ = 0;           // the timer of the next token, if somebody waits for it
  uint64_t last_ = 0;           // number of a request
};

}  // namespace berth::kube
