#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/time.h"

namespace berth::apiserver {

// PEM texts (read_file() of engine/base/io/io.h reads files; tls/authority.h makes them).
struct TlsOptions {
  std::string certificate;  // of the server; those that it was issued by may follow
  std::string key;          // its key, without a password
  // Certificates of authorities. A client may then prove with a certificate of theirs who it is.
  // Empty: no client is asked.
  std::string client_authorities;
};

struct ServerOptions {
  uint16_t port = 0;  // at 127.0.0.1; 0: any that is free
  std::optional<TlsOptions> tls;

  size_t header_bytes = 64 << 10;           // of one request; more is answered with 431
  size_t body_bytes = 4 << 20;              // of one request; more is answered with 413
  uint32_t streams = 250;                   // at once on one connection of HTTP/2
  size_t connections = 1024;                // at once; further ones wait until one of them ends
  size_t unsent_bytes = size_t{64} << 20;   // of a reply, see SocketServer
  Time silence = std::chrono::seconds(30);  // see SocketServer
};

}  // namespace berth::apiserver
