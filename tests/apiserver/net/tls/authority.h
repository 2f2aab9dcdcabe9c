#pragma once

#include <string>
#include <vector>

#include "tests/apiserver/net/tls/owned.h"

namespace berth::apiserver {

// A certificate and its key, as PEM texts.
struct Identity {
  std::string certificate, key;
};

// A certificate authority for tests, made anew in memory. What it issues is valid from a day ago
// for ten years. Throws Error if OpenSSL refuses.
class Authority {
 public:
  explicit Authority(const std::string& name = "berth test authority");

  // PEM text.
  std::string certificate() const;
  // Of a server at the names: DNS names ("DNS:localhost") and addresses ("IP:127.0.0.1").
  Identity server(const std::vector<std::string>& names = {"DNS:localhost", "IP:127.0.0.1"}) const;
  // Of a client: a user and its groups, as Kubernetes reads common name and organisations.
  Identity client(const std::string& user, const std::vector<std::string>& groups = {}) const;

 private:
  OwnedKey key_;
  OwnedCertificate certificate_;
};

}  // namespace berth::apiserver
