#include "engine/service/endpoint/testing/test_authority.h"

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <random>

#include "engine/base/assert.h"

namespace berth::service::testing {
namespace {

constexpr long kHour = 3600;

template <typename Write>
std::string pem_text(Write&& write) {
  const OwnedBio memory(BIO_new(BIO_s_mem()));
  BERTH_ASSERT(write(memory.get()) == 1);
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &text);
  return {text, static_cast<size_t>(size)};
}

void add_name(X509* certificate, const char* field, const std::string& value) {
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), field, MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(value.c_str()), -1, -1, 0);
}

OwnedCertificate begin_certificate(EVP_PKEY* key) {
  OwnedCertificate certificate(X509_new());
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()),
                   static_cast<long>(std::random_device()() >> 1));
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kHour);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 24 * kHour);
  X509_set_pubkey(certificate.get(), key);
  return certificate;
}

void extend(X509* certificate, X509* issuer, int id, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str());
  BERTH_ASSERT(extension != nullptr);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

std::string pem_certificate(X509* certificate) {
  return pem_text([&](BIO* to) { return PEM_write_bio_X509(to, certificate); });
}

}  // namespace

TestAuthority::TestAuthority(const std::string& name)
    : key_(EVP_EC_gen("P-256")), certificate_(begin_certificate(key_.get())) {
  X509* own = certificate_.get();
  add_name(own, "CN", name);
  X509_set_issuer_name(own, X509_get_subject_name(own));
  extend(own, own, NID_basic_constraints, "critical,CA:TRUE");
  extend(own, own, NID_key_usage, "critical,keyCertSign");
  BERTH_ASSERT(X509_sign(own, key_.get(), EVP_sha256()) != 0);
}

std::string TestAuthority::certificate() const { return pem_certificate(certificate_.get()); }

PemIdentity TestAuthority::issue(const std::string& common_name,
                                 const std::vector<std::string>& organisations,
                                 const std::string& usage) const {
  const OwnedKey key(EVP_EC_gen("P-256"));
  const OwnedCertificate certificate = begin_certificate(key.get());
  X509* made = certificate.get();
  for (const std::string& organisation : organisations) add_name(made, "O", organisation);
  if (!common_name.empty()) add_name(made, "CN", common_name);
  X509_set_issuer_name(made, X509_get_subject_name(certificate_.get()));
  extend(made, certificate_.get(), NID_basic_constraints, "critical,CA:FALSE");
  extend(made, certificate_.get(), NID_ext_key_usage, usage);
  BERTH_ASSERT(X509_sign(made, key_.get(), EVP_sha256()) != 0);
  return {pem_certificate(made), pem_text([&](BIO* to) {
            return PEM_write_bio_PrivateKey(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
          })};
}

}  // namespace berth::service::testing
