#include "tests/apiserver/net/tls/tls.h"

#include <openssl/pem.h>

#include <array>
#include <utility>

#include "engine/base/assert.h"

namespace berth::apiserver {
namespace {

constexpr size_t kRecord = 16 << 10;  // the most plain bytes of one

int no_password(char*, int, int, void*) { return -1; }

// The next certificate of a text; nothing behind the last.
OwnedCertificate next_certificate(BIO* text, const char* what) {
  OwnedCertificate certificate(PEM_read_bio_X509(text, nullptr, no_password, nullptr));
  const unsigned long error = ERR_peek_last_error();
  if (!certificate && ERR_GET_REASON(error) != PEM_R_NO_START_LINE) throw openssl_error(what);
  ERR_clear_error();
  return certificate;
}

void use_certificate(SSL_CTX* context, const std::string& pem) {
  constexpr const char* kWhat = "the server's certificate cannot be used";
  const OwnedBio text = bio_of(pem);
  const OwnedCertificate own = next_certificate(text.get(), kWhat);
  if (!own) throw Error(std::string(kWhat) + ": it is no PEM text");
  if (SSL_CTX_use_certificate(context, own.get()) != 1) throw openssl_error(kWhat);
  while (const OwnedCertificate issuer = next_certificate(text.get(), kWhat))
    if (SSL_CTX_add1_chain_cert(context, issuer.get()) != 1) throw openssl_error(kWhat);
}

void use_key(SSL_CTX* context, const std::string& pem) {
  const OwnedBio text = bio_of(pem);
  const OwnedKey key(PEM_read_bio_PrivateKey(text.get(), nullptr, no_password, nullptr));
  if (!key || SSL_CTX_use_PrivateKey(context, key.get()) != 1)
    throw openssl_error("the server's key cannot be used");
}

void ask_clients(SSL_CTX* context, const std::string& pem) {
  constexpr const char* kWhat = "the authorities of clients cannot be used";
  const OwnedBio text = bio_of(pem);
  int count = 0;
  while (const OwnedCertificate authority = next_certificate(text.get(), kWhat)) {
    ++count;
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority.get()) != 1 ||
        SSL_CTX_add_client_CA(context, authority.get()) != 1)
      throw openssl_error(kWhat);
  }
  if (count == 0) throw Error(std::string(kWhat) + ": they are no PEM text");
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
}

// The client's list has each name behind its length.
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* chosen_size,
                    const unsigned char* offered, unsigned int offered_size, void*) {
  static constexpr unsigned char kOurs[] = "\x02h2\x08http/1.1";
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, chosen_size, kOurs, sizeof kOurs - 1, offered, offered_size) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

}  // namespace

TlsContext::TlsContext(const TlsOptions& options) : context_(SSL_CTX_new(TLS_server_method())) {
  SSL_CTX* const context = context_.get();
  if (!context) throw openssl_error("TLS cannot be used");
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 0);
  SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);
  use_certificate(context, options.certificate);
  use_key(context, options.key);
  if (!options.client_authorities.empty()) ask_clients(context, options.client_authorities);
}

TlsSession::TlsSession(const TlsContext& context)
    : ssl_(SSL_new(context.get())), in_(BIO_new(BIO_s_mem())), out_(BIO_new(BIO_s_mem())) {
  BERTH_ASSERT(ssl_ && in_ && out_);
  SSL_set_bio(ssl_.get(), in_, out_);
  SSL_set_accept_state(ssl_.get());
}

bool TlsSession::receive(std::string_view wire, ByteQueue& plain) {
  const int written = BIO_write(in_, wire.data(), static_cast<int>(wire.size()));
  BERTH_ASSERT(written == static_cast<int>(wire.size()));
  std::array<char, kRecord> record;
  for (;;) {
    ERR_clear_error();
    const int size = SSL_read(ssl_.get(), record.data(), static_cast<int>(record.size()));
    if (size <= 0) {
      const bool waits = SSL_get_error(ssl_.get(), size) == SSL_ERROR_WANT_READ;
      ERR_clear_error();
      return waits;
    }
    plain.append({record.data(), static_cast<size_t>(size)});
  }
}

void TlsSession::send(std::string_view plain) {
  BERTH_ASSERT(established());
  if (plain.empty()) return;
  ERR_clear_error();
  const int written = SSL_write(ssl_.get(), plain.data(), static_cast<int>(plain.size()));
  BERTH_ASSERT(written == static_cast<int>(plain.size()));  // memory takes all
}

void TlsSession::close() {
  BERTH_ASSERT(established());
  SSL_shutdown(ssl_.get());
  ERR_clear_error();
}

void TlsSession::take_wire(ByteQueue& wire) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(out_, &bytes);
  if (size <= 0) return;
  wire.append({bytes, static_cast<size_t>(size)});
  BIO_reset(out_);
}

bool TlsSession::chose_http2() const {
  const unsigned char* name = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(ssl_.get(), &name, &size);
  return std::string_view(reinterpret_cast<const char*>(name), size) == "h2";
}

std::string TlsSession::user() const {
  const OwnedCertificate certificate(SSL_get1_peer_certificate(ssl_.get()));
  if (!certificate) return {};
  const X509_NAME* const subject = X509_get_subject_name(certificate.get());
  const int index = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (index < 0) return {};
  unsigned char* text = nullptr;
  const int size =
      ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index)));
  if (size < 0) return {};
  const std::unique_ptr<unsigned char, FreeWith<[](unsigned char* p) { OPENSSL_free(p); }>> owned(
      text);
  return {reinterpret_cast<const char*>(text), static_cast<size_t>(size)};
}

}  // namespace berth::apiserver
