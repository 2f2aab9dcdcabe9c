#pragma once

// Owners of OpenSSL's objects, and its errors.

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string>
#include <string_view>

#include "engine/base/error.h"

namespace berth::apiserver {

template <auto kFree>
struct FreeWith {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};

using OwnedBio = std::unique_ptr<BIO, FreeWith<BIO_free>>;
using OwnedCertificate = std::unique_ptr<X509, FreeWith<X509_free>>;
using OwnedContext = std::unique_ptr<SSL_CTX, FreeWith<SSL_CTX_free>>;
using OwnedKey = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using OwnedSsl = std::unique_ptr<SSL, FreeWith<SSL_free>>;

// "WHAT: OpenSSL's reason", and forgets OpenSSL's errors of this thread.
inline Error openssl_error(const std::string& what) {
  const unsigned long code = ERR_peek_error();
  const char* const reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  ERR_clear_error();
  return Error(what + ": " + (reason ? reason : "OpenSSL gives no reason"));
}

// Reads `text`, which has to outlive it.
inline OwnedBio bio_of(std::string_view text) {
  OwnedBio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  if (!bio) throw openssl_error("a text cannot be read");
  return bio;
}

}  // namespace berth::apiserver
