#include "engine/extenders/testing/certificates.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <random>

#include "engine/base/assert.h"

namespace berth::extenders {
namespace {

constexpr long kAnHour = 3600;

template <typename Write>
std::string text_of(Write&& write) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new(BIO_s_mem()), BIO_free);
  BERTH_ASSERT(write(memory.get()) == 1);
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &text);
  return {text, static_cast<size_t>(size)};
}

Identity identity(X509* certificate, EVP_PKEY* key) {
  return {text_of([&](BIO* to) { return PEM_write_bio_X509(to, certificate); }),
          text_of([&](BIO* to) {
            return PEM_write_bio_PrivateKey(to, key, nullptr, nullptr, 0, nullptr, nullptr);
          })};
}

}  // namespace

Authority::Key Authority::make_key() { return {EVP_EC_gen("P-256"), EVP_PKEY_free}; }

Authority::Certificate Authority::begin(EVP_PKEY* key, const std::string& common_name) {
  Certificate certificate(X509_new(), X509_free);
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()),
                   static_cast<long>(std::random_device()() >> 1));
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kAnHour);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 24 * kAnHour);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(common_name.c_str()), -1, -1,
                             0);
  return certificate;
}

void Authority::extend(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str());
  BERTH_ASSERT(extension != nullptr);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

Authority::Authority(const std::string& name)
    : key_(make_key()), certificate_(begin(key_.get(), name)) {
  X509* own = certificate_.get();
  X509_set_issuer_name(own, X509_get_subject_name(own));
  extend(own, own, NID_basic_constraints, "critical,CA:TRUE");
  extend(own, own, NID_key_usage, "critical,keyCertSign");
  BERTH_ASSERT(X509_sign(own, key_.get(), EVP_sha256()) != 0);
  own_ = identity(own, key_.get());
}

Identity Authority::issue(const std::string& common_name, const std::string& names) const {
  const Key key = make_key();
  const Certificate certificate = begin(key.get(), common_name);
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate_.get()));
  extend(certificate.get(), certificate_.get(), NID_basic_constraints, "critical,CA:FALSE");
  if (!names.empty()) extend(certificate.get(), certificate_.get(), NID_subject_alt_name, names);
  BERTH_ASSERT(X509_sign(certificate.get(), key_.get(), EVP_sha256()) != 0);
  return identity(certificate.get(), key.get());
}

}  // namespace berth::extenders
