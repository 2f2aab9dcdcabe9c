#include "engine/service/tls/self_signed.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/x509v3.h>

#include "engine/base/error.h"

namespace berth::service {
namespace {

constexpr int kSerialBits = 127;
constexpr long kAnHour = 3600;
constexpr long kTenYears = 3650 * 24 * kAnHour;

void add_extension(X509* certificate, int id, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str());
  openssl_check(extension != nullptr, "cannot make a certificate for " + value);
  const bool added = X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  openssl_check(added, "cannot make a certificate");
}

void draw_serial(X509* certificate) {
  const std::unique_ptr<BIGNUM, FreeBy<BN_free>> number(BN_new());
  openssl_check(BN_rand(number.get(), kSerialBits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1 &&
                    BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr,
                "cannot draw the number of a certificate");
}

std::string names_for(const std::string& bind_address) {
  std::string names = "DNS:localhost,IP:127.0.0.1";
  if (bind_address != "0.0.0.0" && bind_address != "::" && bind_address != "127.0.0.1")
    names += ",IP:" + bind_address;
  return names;
}

}  // namespace

Identity make_self_signed(const std::string& bind_address) {
  Identity made{OwnedKey(EVP_EC_gen("P-256")), OwnedCertificate(X509_new())};
  openssl_check(made.key != nullptr && made.certificate != nullptr, "cannot make a key");
  X509* certificate = made.certificate.get();
  X509_set_version(certificate, X509_VERSION_3);
  draw_serial(certificate);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -kAnHour);
  X509_gmtime_adj(X509_getm_notAfter(certificate), kTenYears);
  X509_NAME* name = X509_get_subject_name(certificate);
  constexpr unsigned char kName[] = "localhost";
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, kName, -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  X509_set_pubkey(certificate, made.key.get());
  add_extension(certificate, NID_basic_constraints, "critical,CA:FALSE");
  add_extension(certificate, NID_key_usage, "critical,digitalSignature");
  add_extension(certificate, NID_ext_key_usage, "serverAuth");
  add_extension(certificate, NID_subject_alt_name, names_for(bind_address));
  openssl_check(X509_sign(certificate, made.key.get(), EVP_sha256()) != 0,
                "cannot sign a certificate");
  return made;
}

}  // namespace berth::service
