#include "engine/service/tls/server_tls.h"

#include <openssl/err.h>
#include <sys/stat.h>

#include <utility>

#include "engine/base/error.h"
#include "engine/base/program/messages.h"
#include "engine/service/tls/self_signed.h"

namespace berth::service {
namespace {

// Whom the certificate belongs to is a question of the single request.
int accept_any_certificate(int /*verified*/, X509_STORE_CTX* /*store*/) { return 1; }

OwnedContext new_server_context() {
  OwnedContext context(SSL_CTX_new(TLS_server_method()));
  openssl_check(context != nullptr, "cannot use TLS");
  SSL_CTX* tls = context.get();
  SSL_CTX_set_options(tls, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET |
                               SSL_OP_IGNORE_UNEXPECTED_EOF);
  openssl_check(SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION) == 1 &&
                    SSL_CTX_set_cipher_list(tls, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1,
                "cannot use TLS 1.2");
  // A session that is resumed has no certificates, so there are none.
  SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(tls, 0);
  SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, accept_any_certificate);
  return context;
}

// OpenSSL would ask a terminal for the password of a key.
int no_password(char* /*to*/, int /*size*/, int /*writing*/, void* /*data*/) { return -1; }

OwnedContext context_of_files(const startup::CertificateFiles& files) {
  ERR_clear_error();  // of other calls
  OwnedContext context = new_server_context();
  SSL_CTX* tls = context.get();
  SSL_CTX_set_default_passwd_cb(tls, no_password);
  openssl_check(SSL_CTX_use_certificate_chain_file(tls, files.certificate.c_str()) == 1,
                "--tls-cert-file: cannot use the certificate in " + files.certificate);
  openssl_check(SSL_CTX_use_PrivateKey_file(tls, files.key.c_str(), SSL_FILETYPE_PEM) == 1,
                "--tls-private-key-file: cannot use the key in " + files.key);
  openssl_check(
      SSL_CTX_check_private_key(tls) == 1,
      "--tls-private-key-file: the key in " + files.key + " is not that of the certificate");
  return context;
}

OwnedContext self_signed_context(const std::string& bind_address) {
  OwnedContext context = new_server_context();
  const Identity own = make_self_signed(bind_address);
  openssl_check(SSL_CTX_use_certificate(context.get(), own.certificate.get()) == 1 &&
                    SSL_CTX_use_PrivateKey(context.get(), own.key.get()) == 1,
                "cannot use a certificate of our own");
  return context;
}

}  // namespace

ServerTls::ServerTls(startup::CertificateFiles files, const std::string& bind_address)
    : files_(std::move(files)) {
  if (files_.certificate.empty() != files_.key.empty())
    throw Error("--tls-cert-file, --tls-private-key-file: have to be given together");
  read_ = stamps();
  context_ =
      files_.certificate.empty() ? self_signed_context(bind_address) : context_of_files(files_);
}

ServerTls::Stamps ServerTls::stamps() const {
  const auto of = [](const std::string& path) {
    struct stat file {};
    if (path.empty() || ::stat(path.c_str(), &file) != 0) return Stamp{};
    return Stamp{static_cast<int64_t>(file.st_dev), static_cast<int64_t>(file.st_ino),
                 int64_t{file.st_mtim.tv_sec}, int64_t{file.st_mtim.tv_nsec},
                 int64_t{file.st_size}};
  };
  return {of(files_.certificate), of(files_.key)};
}

SSL_CTX* ServerTls::current() {
  // Before they are read: a change during that is one for the next call.
  if (const Stamps now = stamps(); now != read_) {
    read_ = now;
    try {
      context_ = context_of_files(files_);
    } catch (const Error& error) {
      say(std::string(error.what()) + "; the former certificate stays in use");
    }
  }
  return context_.get();
}

}  // namespace berth::service
