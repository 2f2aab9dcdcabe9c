#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <optional>
#include <string>

#include "engine/service/review/reviewer.h"
#include "engine/service/tls/openssl.h"

namespace berth::service {

// Client certificates of certain authorities, read as kube-scheduler reads them
// (k8s.io/apiserver, pkg/authentication/request/x509): the common name is the user's name, each
// organisation a group. A UID in the certificate is not read.
class ClientVerifier {
 public:
  // Without authorities, no certificate is looked at.
  ClientVerifier() = default;
  // The certificates of authorities, as PEM. Throws Error if there is none, or one is malformed.
  explicit ClientVerifier(const std::string& authorities);

  struct Shown {
    std::optional<User> user;
    bool bad = false;  // a certificate was shown and not accepted
  };
  // Neither: there was no certificate, it has no common name, or there are no authorities.
  Shown shown_by(SSL* connection) const;

 private:
  std::unique_ptr<X509_STORE, FreeBy<X509_STORE_free>> store_;
};

}  // namespace berth::service
