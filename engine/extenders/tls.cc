#include "engine/extenders/tls.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>

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

}  // namespace

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
  context->set_verify_callback(ssl::host_name_verification(server_name));
  use_authorities(*context, tls);
  return context;
}

}  // namespace berth::extenders
