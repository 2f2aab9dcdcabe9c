#pragma once

// TLS without sockets: what the wire brought in, plain bytes out, and the other way.

#include <string>
#include <string_view>

#include "tests/apiserver/net/byte_queue.h"
#include "tests/apiserver/net/options.h"
#include "tests/apiserver/net/tls/owned.h"

namespace berth::apiserver {

// What all connections of a server share. TLS 1.2 and 1.3; "h2" and "http/1.1" by ALPN. A client's
// certificate is optional, but one that no authority issued ends the handshake.
class TlsContext {
 public:
  // Throws Error if a text is not what it has to be.
  explicit TlsContext(const TlsOptions& options);

  SSL_CTX* get() const { return context_.get(); }

 private:
  OwnedContext context_;
};

// One connection.
class TlsSession {
 public:
  explicit TlsSession(const TlsContext& context);

  // Takes bytes of the wire and appends the plain bytes that they bring. False: the connection
  // cannot go on, because of a fault or because the client closed it. Handshakes, and faults, leave
  // something for take_wire().
  [[nodiscard]] bool receive(std::string_view wire, ByteQueue& plain);
  // Requires: established().
  void send(std::string_view plain);
  // Says that nothing follows. Requires: established().
  void close();
  // Moves what is to be sent to `wire`.
  void take_wire(ByteQueue& wire);

  bool established() const { return SSL_is_init_finished(ssl_.get()) == 1; }
  // Once it is established: the protocol that was chosen is "h2".
  bool chose_http2() const;
  // Once it is established: the common name of the client's certificate; empty: it has none.
  std::string user() const;

 private:
  OwnedSsl ssl_;
  BIO* in_;  // both belong to ssl_
  BIO* out_;
};

}  // namespace berth::apiserver
