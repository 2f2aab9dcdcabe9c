#pragma once

// Certificates for tests, made when they run, valid for a day.

#include <string>
#include <vector>

#include "engine/service/tls/openssl.h"

namespace berth::service::testing {

// As texts of PEM files.
struct PemIdentity {
  std::string certificate, key;
};

class TestAuthority {
 public:
  explicit TestAuthority(const std::string& name);

  // The authority's own certificate, as PEM.
  std::string certificate() const;
  // Empty `common_name`: the subject has none. `usage`: clientAuth or serverAuth.
  PemIdentity issue(const std::string& common_name, const std::vector<std::string>& organisations,
                    const std::string& usage = "clientAuth") const;

 private:
  OwnedKey key_;
  OwnedCertificate certificate_;
};

}  // namespace berth::service::testing
