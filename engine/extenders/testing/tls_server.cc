#include "engine/extenders/testing/tls_server.h"

#include <openssl/ssl.h>
#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

namespace berth::extenders {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

std::string server_asked_for(SSL* tls) {
  const char* name = SSL_get_servername(tls, TLSEXT_NAMETYPE_host_name);
  return name == nullptr ? std::string() : name;
}

std::string client_of(SSL* tls) {
  X509* certificate = SSL_get0_peer_certificate(tls);
  if (certificate == nullptr) return {};
  char name[256] = {};
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, sizeof name);
  return name;
}

// Waits until the client has closed. A socket that is closed before it is read to its end drops
// what was sent last, such as the reason of a refusal.
void wait_for_the_end(tcp::socket& socket) {
  error_code error;
  socket.shutdown(tcp::socket::shutdown_send, error);
  char bytes[512];
  while (!error) socket.read_some(asio::buffer(bytes), error);
}

}  // namespace

TlsServer::TlsServer(const Identity& own, const std::string& client_authority)
    : acceptor_(loop_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
  tls_.use_certificate_chain(asio::buffer(own.certificate));
  tls_.use_private_key(asio::buffer(own.key), asio::ssl::context::pem);
  if (!client_authority.empty()) {
    tls_.add_certificate_authority(asio::buffer(client_authority));
    tls_.set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
  }
  thread_ = std::thread([this] { run(); });
}

// Ends the thread's wait for a connection.
TlsServer::~TlsServer() {
  ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
  thread_.join();
}

void TlsServer::run() {
  for (;;) {
    error_code error;
    tcp::socket socket(loop_);
    acceptor_.accept(socket, error);
    if (error) return;
    Stream stream(std::move(socket), tls_);
    stream.handshake(asio::ssl::stream_base::server, error);
    if (error) {
      wait_for_the_end(stream.next_layer());
      continue;
    }
    ++connections_;
    serve(stream);
  }
}

void TlsServer::serve(Stream& stream) {
  boost::beast::flat_buffer buffer;
  SSL* tls = stream.native_handle();
  for (;;) {
    error_code error;
    http::request<http::string_body> request;
    http::read(stream, buffer, request, error);
    if (error) return;
    http::response<http::string_body> response{http::status::ok, 11};
    response.body() = R"({"server":")" + server_asked_for(tls) + R"(","client":")" +
                      client_of(tls) + R"(","asked":)" + request.body() + "}";
    response.prepare_payload();
    http::write(stream, response, error);
    if (error) return;
  }
}

}  // namespace berth::extenders
