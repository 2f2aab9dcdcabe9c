#pragma once

// Certificates for tests, made when they run, valid for a day.

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

namespace berth::extenders {

// As texts of PEM files.
struct Identity {
  std::string certificate, key;
};

class Authority {
 public:
  explicit Authority(const std::string& name);

  // The authority's own certificate, as the text of a PEM file.
  const std::string& certificate() const { return own_.certificate; }
  // `names`: the alternative names, as in "DNS:localhost,IP:127.0.0.1"; empty: there are none.
  Identity issue(const std::string& common_name, const std::string& names) const;

 private:
  using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
  using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

  static Key make_key();
  static Certificate begin(EVP_PKEY* key, const std::string& common_name);
  static void extend(X509* certificate, X509* issuer, int nid, const std::string& value);

  Key key_;
  Certificate certificate_;
  Identity own_;
};

}  // namespace berth::extenders
