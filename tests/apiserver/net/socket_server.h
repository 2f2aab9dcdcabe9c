#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>

#include "engine/base/io/io.h"
#include "engine/base/time.h"
#include "tests/apiserver/api/exchange.h"
#include "tests/apiserver/net/connection.h"
#include "tests/apiserver/net/event_loop.h"
#include "tests/apiserver/net/options.h"

namespace berth::apiserver {

// The socket front of an API server: HTTP/1.1 and HTTP/2 on one port of 127.0.0.1, with TLS if the
// options say so. Over TLS a client chooses the protocol by ALPN; without TLS it speaks HTTP/1.1,
// or begins with the preface of HTTP/2.
//
// The thread of run() does all: it reads, calls the handler, takes what the handler writes to its
// replies, and sends that at the end of the turn. A part that is written may be any part of what a
// client reads at once.
//
// Requests: several header fields of one name are one, with commas between the values.
// "x-remote-user" is the common name of the client's certificate, and absent without one. Of HTTP/2
// "host" is the authority. What breaks a limit of the options is answered without the handler.
//
// Replies: the server itself sends the fields "content-length", "transfer-encoding" and
// "connection". Once a turn has sent what the client takes, a reply that has more than
// `unsent_bytes` left, and has not ended, ends: the client gets what was written and a clean end,
// the handler sees a reply that is not open. cut() sends what was written, and then closes the
// connection (HTTP/1.1) or resets the stream (HTTP/2).
//
// A connection that has yet to bring a whole handshake, its first bytes, or the rest of a request
// is closed when it brings nothing for the time `silence`.
class SocketServer final : Watcher {
 public:
  // Listens from now on, and answers once it runs. Throws Error.
  explicit SocketServer(ServerOptions options);
  ~SocketServer() override;
  SocketServer(const SocketServer&) = delete;
  SocketServer& operator=(const SocketServer&) = delete;

  uint16_t port() const { return port_; }

  // Until stop(). Requests go to `handler`, on this thread. Connections last until the server is
  // destroyed, and replies may outlive it.
  void run(Handler& handler);
  // run() returns after the current turn. Any thread, and handlers of signals.
  void stop() { state_.loop.stop(); }
  // Calls `call` on the thread of run(). Any thread.
  void post(EventLoop::Call call) { state_.loop.post(std::move(call)); }

  // The clock of at(): monotonic.
  static Time now() { return EventLoop::now(); }
  // See EventLoop. Before run(), or on its thread.
  uint64_t at(Time time, EventLoop::Call due) { return state_.loop.at(time, std::move(due)); }
  void cancel(uint64_t timer) { state_.loop.cancel(timer); }

 private:
  void ready(uint32_t events) override;
  void accept_later();
  void listen_again();
  bool end_turn();

  ConnectionsState state_;
  Descriptor listener_;
  uint16_t port_ = 0;
  bool listens_ = true;  // false: connections wait in the backlog
  std::unordered_map<Connection*, std::unique_ptr<Connection>> connections_;
};

}  // namespace berth::apiserver
