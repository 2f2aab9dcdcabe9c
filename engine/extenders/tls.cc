#include "engine/extenders/tls.h"

#include <openssl/x509v3.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>

namespace berth::extenders {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

void check(const error_code& error, const std::string& what, const std::string& file) {
  if (!error) return;
  throw Error("cannot use the " + what + (file.empty() ? "" : " in " + file) + ": " +
              error.message());
}

void use_authorities(ssl::context& context, const config::ExtenderTls& tls) {
  error_code error;
  if (!tls.ca_data.empty()) {
    context.add_certificate_authority(boost::asio::buffer(tls.ca_data), error);
    check(error, "CA", "");
  } else if (!tls.ca_file.empty()) {
    context.load_verify_file(tls.ca_file, error);
    check(error, "CA", tls.ca_file);
  } else {
    context.set_default_verify_paths(error);
    check(error, "CAs of the system", "");
  }
}

void use_own_certificate(ssl::context& context, const config::ExtenderTls& tls) {
  const bool certificate = !tls.cert_data.empty() || !tls.cert_file.empty();
  const bool key = !tls.key_data.empty() || !tls.key_file.empty();
  if (certificate != key) throw Error("a certificate and its key have to be given together");
  if (!certificate) return;
  error_code error;
  if (!tls.cert_data.empty()) {
    context.use_certificate_chain(boost::asio::buffer(tls.cert_data), error);
    check(error, "certificate", "");
  } else {
    context.use_certificate_chain_file(tls.cert_file, error);
    check(error, "certificate", tls.cert_file);
  }
  if (!tls.key_data.empty()) {
    context.use_private_key(boost::asio::buffer(tls.key_data), ssl::context::pem, error);
    check(error, "key", "");
  } else {
    context.use_private_key_file(tls.key_file, ssl::context::pem, error);
    check(error, "key", tls.key_file);
  }
}

void expect_name(ssl::context& context, const std::string& server_name) {
  X509_VERIFY_PARAM* verified = SSL_CTX_get0_param(context.native_handle());
  X509_VERIFY_PARAM_set_hostflags(
      verified, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
  const int set =
      is_address(server_name)
          ? X509_VERIFY_PARAM_set1_ip_asc(verified, server_name.c_str())
          : X509_VERIFY_PARAM_set1_host(verified, server_name.data(), server_name.size());
  if (set != 1) throw Error("\"" + server_name + "\" cannot be the name of a TLS server");
}

}  // namespace

bool is_address(const std::string& server_name) {
  error_code error;
  boost::asio::ip::make_address(server_name, error);
  return !error;
}

std::unique_ptr<ssl::context> make_tls(const config::Extender& extender,
                                       const std::string& server_name) {
  const config::ExtenderTls tls = extender.tls.value_or(config::ExtenderTls{});
  const bool has_authority = !tls.ca_data.empty() || !tls.ca_file.empty();
  if (tls.insecure && has_authority)
    throw Error("a CA has no effect where the server's certificate is not verified: remove either");
  auto context = std::make_unique<ssl::context>(ssl::context::tls_client);
  context->set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 |
                       ssl::context::no_tlsv1_1);
  use_own_certificate(*context, tls);
  if (tls.insecure || (extender.enable_https && !has_authority)) {
    context->set_verify_mode(ssl::verify_none);
    return context;
  }
  context->set_verify_mode(ssl::verify_peer);
  expect_name(*context, server_name);
  use_authorities(*context, tls);
  return context;
}

}  // namespace berth::extenders
