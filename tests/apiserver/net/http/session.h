#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tests/apiserver/api/exchange.h"
#include "tests/apiserver/net/byte_queue.h"
#include "tests/apiserver/net/options.h"

namespace berth::apiserver {

// What a session is on: the connection, or a test.
class SessionHost {
 public:
  virtual ~SessionHost() = default;
  // The session has bytes for produce(). Called often; the host asks for them later.
  virtual void changed() = 0;
  virtual Handler& handler() = 0;
  virtual const ServerOptions& options() const = 0;
  // The common name of the client's certificate; empty: it has none.
  virtual const std::string& user() const = 0;
};

// The server's side of HTTP on one connection: plain bytes in, plain bytes out. When it is
// destroyed, its replies learn that the client went.
class Session {
 public:
  virtual ~Session() = default;

  // Takes all of `bytes`, which may end anywhere. May call the handler. Not after finished().
  virtual void receive(std::string_view bytes) = 0;
  // Appends the next bytes to send: none if there are none, and none any more once `out` has `most`
  // bytes. May call the handler.
  virtual void produce(ByteQueue& out, size_t most) = 0;
  // Ends replies that the handler has not ended and that have too much unsent.
  virtual void end_slow_replies() = 0;

  // False: nothing more has to be received for now.
  virtual bool reads() const = 0;
  // True: a request has begun and is not complete, so more bytes have to come.
  virtual bool awaits() const = 0;
  // True: the connection is to be closed, and all bytes for it were produced.
  virtual bool finished() const = 0;
};

}  // namespace berth::apiserver
