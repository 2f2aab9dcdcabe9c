#include "engine/service/tls/client_verifier.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/x509v3.h>

#include <array>
#include <utility>
#include <vector>

#include "engine/base/error.h"

namespace berth::service {
namespace {

// In the order of the subject; any text.
std::vector<std::string> entries_of(X509* certificate, int id) {
  std::vector<std::string> entries;
  X509_NAME* subject = X509_get_subject_name(certificate);
  for (int at = -1; (at = X509_NAME_get_index_by_NID(subject, id, at)) >= 0;) {
    unsigned char* text = nullptr;
    const int size =
        ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
    if (size < 0) continue;
    entries.emplace_back(reinterpret_cast<const char*>(text), static_cast<size_t>(size));
    OPENSSL_free(text);
  }
  return entries;
}

// "X509SHA256=" and the hash of the certificate.
std::string credential_id(X509* certificate) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> hash{};
  X509_digest(certificate, EVP_sha256(), hash.data(), nullptr);
  std::string id = "X509SHA256=";
  for (const unsigned char byte : hash) {
    id += "0123456789abcdef"[byte >> 4];
    id += "0123456789abcdef"[byte & 15];
  }
  return id;
}

}  // namespace

ClientVerifier::ClientVerifier(const std::string& authorities) : store_(X509_STORE_new()) {
  ERR_clear_error();  // of other calls
  openssl_check(store_ != nullptr, "cannot keep certificates");
  const OwnedBio text(BIO_new_mem_buf(authorities.data(), static_cast<int>(authorities.size())));
  openssl_check(text != nullptr, "cannot read certificates");
  size_t count = 0;
  for (;; ++count) {
    const OwnedCertificate one(PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr));
    if (!one) break;
    openssl_check(X509_STORE_add_cert(store_.get(), one.get()) == 1, "cannot keep a certificate");
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  openssl_check(at_end, "cannot read a certificate");
  ERR_clear_error();
  if (count == 0) throw Error("expected certificates as PEM, found none");
}

ClientVerifier::Shown ClientVerifier::shown_by(SSL* connection) const {
  X509* leaf = SSL_get0_peer_certificate(connection);
  if (store_ == nullptr || leaf == nullptr) return {};
  const std::unique_ptr<X509_STORE_CTX, FreeBy<X509_STORE_CTX_free>> check(X509_STORE_CTX_new());
  const bool ready = check != nullptr && X509_STORE_CTX_init(check.get(), store_.get(), leaf,
                                                             SSL_get_peer_cert_chain(connection));
  if (!ready || X509_STORE_CTX_set_purpose(check.get(), X509_PURPOSE_SSL_CLIENT) != 1 ||
      X509_verify_cert(check.get()) != 1) {
    ERR_clear_error();
    return {.user = std::nullopt, .bad = true};
  }
  // Go takes the last common name.
  const std::vector<std::string> names = entries_of(leaf, NID_commonName);
  if (names.empty() || names.back().empty()) return {};
  User user;
  user.name = names.back();
  user.groups = entries_of(leaf, NID_organizationName);
  user.extra = {{"authentication.kubernetes.io/credential-id", {credential_id(leaf)}}};
  return {.user = std::move(user), .bad = false};
}

}  // namespace berth::service
