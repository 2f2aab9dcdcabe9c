#include "tests/apiserver/net/tls/authority.h"

#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <string_view>
#include <utility>

namespace berth::apiserver {
namespace {

constexpr long kDay = 24 * 60 * 60, kTenYears = 3650 * kDay;

using OwnedExtension = std::unique_ptr<X509_EXTENSION, FreeWith<X509_EXTENSION_free>>;

void require(bool done) {
  if (!done) throw openssl_error("a certificate cannot be made");
}

OwnedKey new_key() {
  OwnedKey key(EVP_EC_gen("P-256"));
  require(key != nullptr);
  return key;
}

std::string contents(BIO* bio) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio, &bytes);
  return {bytes, static_cast<size_t>(size)};
}

std::string pem_of(X509* certificate) {
  const OwnedBio bio(BIO_new(BIO_s_mem()));
  require(bio && PEM_write_bio_X509(bio.get(), certificate) == 1);
  return contents(bio.get());
}

std::string pem_of(EVP_PKEY* key) {
  const OwnedBio bio(BIO_new(BIO_s_mem()));
  require(bio && PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr));
  return contents(bio.get());
}

void add_name(X509_NAME* subject, const char* field, const std::string& value) {
  require(X509_NAME_add_entry_by_txt(subject, field, MBSTRING_UTF8,
                                     reinterpret_cast<const unsigned char*>(value.data()),
                                     static_cast<int>(value.size()), -1, 0) == 1);
}

void add_extension(X509* certificate, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const OwnedExtension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  require(extension && X509_add_ext(certificate, extension.get(), -1) == 1);
}

// Without issuer and signature.
OwnedCertificate new_certificate(EVP_PKEY* key, const std::string& name) {
  OwnedCertificate made(X509_new());
  require(made && X509_set_version(made.get(), X509_VERSION_3) == 1);
  uint64_t serial = 0;
  require(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1);
  require(ASN1_INTEGER_set_uint64(X509_get_serialNumber(made.get()), serial >> 1) == 1);
  require(X509_gmtime_adj(X509_getm_notBefore(made.get()), -kDay) != nullptr);
  require(X509_gmtime_adj(X509_getm_notAfter(made.get()), kTenYears) != nullptr);
  require(X509_set_pubkey(made.get(), key) == 1);
  add_name(X509_get_subject_name(made.get()), "CN", name);
  return made;
}

void sign(X509* certificate, const X509* issuer, EVP_PKEY* key) {
  require(X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1);
  require(X509_sign(certificate, key, EVP_sha256()) > 0);
}

}  // namespace

Authority::Authority(const std::string& name)
    : key_(new_key()), certificate_(new_certificate(key_.get(), name)) {
  add_extension(certificate_.get(), NID_basic_constraints, "critical,CA:TRUE");
  add_extension(certificate_.get(), NID_key_usage, "critical,keyCertSign");
  add_extension(certificate_.get(), NID_subject_key_identifier, "hash");
  sign(certificate_.get(), certificate_.get(), key_.get());
}

std::string Authority::certificate() const { return pem_of(certificate_.get()); }

Identity Authority::server(const std::vector<std::string>& names) const {
  const OwnedKey key = new_key();
  const OwnedCertificate made = new_certificate(key.get(), "berth test server");
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
  add_extension(made.get(), NID_subject_alt_name, list);
  add_extension(made.get(), NID_ext_key_usage, "serverAuth");
  sign(made.get(), certificate_.get(), key_.get());
  return {pem_of(made.get()), pem_of(key.get())};
}

Identity Authority::client(const std::string& user, const std::vector<std::string>& groups) const {
  const OwnedKey key = new_key();
  const OwnedCertificate made = new_certificate(key.get(), user);
  for (const std::string& group : groups) add_name(X509_get_subject_name(made.get()), "O", group);
  add_extension(made.get(), NID_ext_key_usage, "clientAuth");
  sign(made.get(), certificate_.get(), key_.get());
  return {pem_of(made.get()), pem_of(key.get())};
}

}  // namespace berth::apiserver
