#pragma once

// Owners of what OpenSSL makes, and its errors.

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string>
#include <string_view>

namespace berth::service {

template <auto free_function>
struct FreeBy {
  template <typename T>
  void operator()(T* object) const {
    free_function(object);
  }
};

using OwnedKey = std::unique_ptr<EVP_PKEY, FreeBy<EVP_PKEY_free>>;
using OwnedCertificate = std::unique_ptr<X509, FreeBy<X509_free>>;
using OwnedContext = std::unique_ptr<SSL_CTX, FreeBy<SSL_CTX_free>>;
using OwnedBio = std::unique_ptr<BIO, FreeBy<BIO_free>>;

// The reason of this thread's first error since ERR_clear_error(), which it calls. Any text.
std::string openssl_reason();

// Throws Error with the reason, unless `done`.
void openssl_check(bool done, std::string_view what);

}  // namespace berth::service
