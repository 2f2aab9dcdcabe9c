#pragma once

// Requests to an API server, as the parts of this module make them. Behind it is the network
// (network.h), or a server that a test plays.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/time.h"

namespace berth::kube {

enum class Method : uint8_t { kGet, kPost, kPut, kPatch, kDelete };
std::string_view method_name(Method method);  // "GET"

struct Request {
  Method method = Method::kGet;
  std::string path;               // behind the server's URL, with its query, encoded
  std::string_view content_type;  // of the body, a constant; empty: there is none
  std::string body;
  // The whole answer has come by then, or the request ends as kNotSent or kLost. 0: no limit.
  Time limit{};
  // Asked on the thread of the loop when the request is about to leave, which may be long after
  // `send`. False: it ends as kNotSent. Empty: it may leave.
  std::function<bool()> may_leave{};
  // Waits for no connection that requests without this use.
  bool urgent = false;
};

// The outcome of a request.
struct Answer {
  enum class Fate : uint8_t {
    kAnswered,  // the server answered; `status` and `body` are its own
    kNotSent,   // the server has not seen the request
    kLost,      // it may have done what was asked, or not: no answer came, or not all of it
  } fate = Fate::kAnswered;
  int status = 0;                     // 0 if no answer began
  std::string body;                   // empty if it went to `data`
  std::optional<Time> retry_after{};  // the server's wish: not again before that passed
  std::string error{};                // of kNotSent and kLost: why; any text

  bool ok() const { return fate == Fate::kAnswered && status >= 200 && status < 300; }
};

// One thread, that of the loop. Functions are called on it, never within a call of `send`, `stream`
// or `cancel`, and may call these.
class Http {
 public:
  using Done = std::function<void(Answer)>;
  using Data = std::function<void(std::string_view)>;

  virtual ~Http() = default;

  // `done` is called once. Returns a number, which is not 0.
  virtual uint64_t send(Request request, Done done) = 0;
  // The same for an answer that is long, or grows: `data` is called for each part of the body of an
  // answer of status 200, as it comes. `done` follows.
  virtual uint64_t stream(Request request, Data data, Done done) = 0;
  // Ends the request: its functions are not called any more. No effect if `done` was called, or the
  // number is 0.
  virtual void cancel(uint64_t request) = 0;
};

}  // namespace berth::kube
