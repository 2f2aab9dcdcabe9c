#pragma once

#include <cstdint>
#include <string>

namespace berth::startup {

// PEM files; the certificate's may have those of its issuers behind it. Both are empty or none is.
struct CertificateFiles {
  std::string certificate, key;
};

// The address at which the secure port of a scheduler listens.
struct EndpointOptions {
  // IPv4 or IPv6. 0.0.0.0 and :: are all addresses of both families.
  std::string bind_address = "0.0.0.0";
  uint16_t port = 10259;  // 0: any that is free
  CertificateFiles files = {};
};

}  // namespace berth::startup
