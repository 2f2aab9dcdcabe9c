#pragma once

// The secure port of a scheduler: health, metrics and the configuration over HTTPS (HTTP/1.1), on a
// thread of its own.
//
//   Endpoint endpoint(options, answers, {.reviewer = &reviewer, .post = post});
//
// A sender that shows nothing may read /healthz, /livez and /readyz; for the rest the reviewer is
// asked (review/delegated_reviewer.h).

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "engine/service/endpoint/answers.h"
#include "engine/service/review/reviewer.h"
#include "engine/startup/serve/endpoint_options.h"

namespace berth::service {

// The judge of requests.
struct Access {
  // Null: all requests are allowed. It outlives all calls that `post` was given.
  Reviewer* reviewer = nullptr;
  // Has the call made on the reviewer's thread, some time. Thread-safe. A call that is dropped is
  // answered with an error after a while.
  std::function<void(std::function<void()>)> post = {};
};

class Endpoint {
 public:
  // Listens when it returns. `answers` outlives it. Throws Error for an address or a file that
  // cannot be used.
  Endpoint(const startup::EndpointOptions& options, Answers& answers, Access access);
  // Ends all connections. Verdicts that are open may still come.
  ~Endpoint();
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  uint16_t port() const { return port_; }

  // The authorities of client certificates from now on, as PEM; empty: none. If it cannot be used,
  // the former stay, and that is said on stderr. Any thread.
  void set_client_authorities(std::string pem);

 private:
  class Server;
  class Connection;

  std::shared_ptr<Server> server_;
  uint16_t port_ = 0;
};

}  // namespace berth::service
