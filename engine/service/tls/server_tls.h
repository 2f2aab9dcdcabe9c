#pragma once

// The server's side of TLS: versions 1.2 and 1.3, and the server's certificate. Clients are asked
// for a certificate, need none, and may show any: client_verifier.h looks at it.

#include <array>
#include <cstdint>
#include <string>

#include "engine/service/tls/openssl.h"
#include "engine/startup/serve/endpoint_options.h"

namespace berth::service {

// One thread.
class ServerTls {
 public:
  // Without files, with a self-signed certificate for the address. Throws Error if a file cannot be
  // used, or one is given without the other.
  ServerTls(startup::CertificateFiles files, const std::string& bind_address);

  // For a new connection. If a file has changed, both are read again before. If they cannot be
  // used, which is said on stderr, the former certificate stays until they change again. Valid
  // until the next call.
  SSL_CTX* current();

 private:
  // Tells the state of a file from a later one; zero: there is no file.
  using Stamp = std::array<int64_t, 5>;
  struct Stamps {
    Stamp certificate{}, key{};
    bool operator==(const Stamps&) const = default;
  };

  Stamps stamps() const;

  startup::CertificateFiles files_;
  Stamps read_;  // of the files as they were read last
  OwnedContext context_;
};

}  // namespace berth::service
