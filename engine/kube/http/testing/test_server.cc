#include "engine/kube/http/testing/test_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <charconv>
#include <csignal>

#include "engine/base/assert.h"
#include "engine/base/program/signals.h"

namespace berth::kube {
namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n";

std::unique_ptr<BIO, decltype(&BIO_free)> memory_of(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free};
}

void use_identity(SSL_CTX* context, const extenders::Identity& own) {
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      PEM_read_bio_X509(memory_of(own.certificate).get(), nullptr, nullptr, nullptr), X509_free);
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      PEM_read_bio_PrivateKey(memory_of(own.key).get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  BERTH_ASSERT(SSL_CTX_use_certificate(context, certificate.get()) == 1);
  BERTH_ASSERT(SSL_CTX_use_PrivateKey(context, key.get()) == 1);
}

void require_client(SSL_CTX* context, const std::string& authority) {
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      PEM_read_bio_X509(memory_of(authority).get(), nullptr, nullptr, nullptr), X509_free);
  BERTH_ASSERT(X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate.get()) == 1);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
}

int choose_http2(SSL*, const unsigned char** chosen, unsigned char* size,
                 const unsigned char* offered, unsigned offered_size, void*) {
  static constexpr unsigned char kHttp2[] = {2, 'h', '2'};
  unsigned char* to = nullptr;
  const int result = SSL_select_next_proto(&to, size, kHttp2, sizeof kHttp2, offered, offered_size);
  *chosen = to;
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

}  // namespace

std::string Peer::read(size_t count) {
  std::string text(count, '\0');
  size_t got = 0;
  while (got < count) {
    const size_t more = receive(text.data() + got, count - got);
    if (more == 0) break;
    got += more;
  }
  text.resize(got);
  return text;
}

std::string Peer::read_request() {
  std::string request;
  char byte = 0;
  while (!request.ends_with(kHeadEnd)) {
    if (receive(&byte, 1) == 0) return {};
    request += byte;
  }
  const std::string length = header_in(request, "Content-Length");
  size_t size = 0;
  std::from_chars(length.data(), length.data() + length.size(), size);
  const std::string body = read(size);
  return body.size() < size ? std::string() : request + body;
}

void Peer::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = tls_ != nullptr
                              ? SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size()))
                              : ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

void Peer::answer(std::string_view body, std::string_view status, std::string_view headers) {
  write("HTTP/1.1 " + std::string(status) + "\r\n" + std::string(headers) +
        "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
}

std::string Peer::server_name() const {
  const char* name = SSL_get_servername(tls_, TLSEXT_NAMETYPE_host_name);
  return name == nullptr ? std::string() : name;
}

std::string Peer::client() const {
  const X509* certificate = SSL_get0_peer_certificate(tls_);
  if (certificate == nullptr) return {};
  char name[256] = {};
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, sizeof name);
  return name;
}

bool Peer::http2() const {
  const unsigned char* protocol = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(tls_, &protocol, &size);
  return std::string_view(reinterpret_cast<const char*>(protocol), size) == "h2";
}

size_t Peer::receive(char* to, size_t most) {
  const ssize_t count =
      tls_ != nullptr ? SSL_read(tls_, to, static_cast<int>(most)) : ::recv(socket_, to, most, 0);
  return count < 0 ? 0 : static_cast<size_t>(count);
}

std::string header_in(const std::string& request, const std::string& name) {
  const std::string line = "\r\n" + name + ":";
  const size_t head = request.find(kHeadEnd);
  const size_t at = request.find(line);
  if (at >= head) return "(none)";
  const size_t begin = request.find_first_not_of(' ', at + line.size());
  return request.substr(begin, request.find("\r\n", begin) - begin);
}

TestServer::TestServer(Serve serve) : serve_(std::move(serve)) { listen(); }

TestServer::TestServer(Serve serve, const TestTls& tls)
    : serve_(std::move(serve)), tls_(SSL_CTX_new(TLS_server_method())), http2_(tls.http2) {
  use_identity(tls_.get(), tls.own);
  if (!tls.client_authority.empty()) require_client(tls_.get(), tls.client_authority);
  if (http2_) SSL_CTX_set_alpn_select_cb(tls_.get(), choose_http2, nullptr);
  listen();
}

TestServer::~TestServer() {
  ::shutdown(listener_.number(), SHUT_RDWR);
  acceptor_.join();
  {
    const MutexLock lock(mutex_);
    for (const Descriptor& socket : sockets_) ::shutdown(socket.number(), SHUT_RDWR);
  }
  for (std::thread& server : servers_) server.join();
}

std::string TestServer::url() const {
  return (tls_ ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(port_);
}

int TestServer::connections() {
  const MutexLock lock(mutex_);
  return static_cast<int>(sockets_.size());
}

void TestServer::listen() {
  std::signal(SIGPIPE, SIG_IGN);  // of a client that went; OpenSSL writes without MSG_NOSIGNAL
  listener_ = Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  constexpr int kWaiting = 128;
  BERTH_ASSERT(::bind(listener_.number(), plain, size) == 0);
  BERTH_ASSERT(::listen(listener_.number(), kWaiting) == 0);
  BERTH_ASSERT(::getsockname(listener_.number(), plain, &size) == 0);
  port_ = ntohs(address.sin_port);
  // OpenSSL writes to a connection that the client has closed.
  const SignalsBlocked blocked;
  acceptor_ = std::thread([this] { accept_all(); });
}

void TestServer::accept_all() {
  for (int number = 0;; ++number) {
    Descriptor socket(::accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.number() < 0) return;
    const timeval limit{20, 0};
    ::setsockopt(socket.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    {
      const MutexLock lock(mutex_);
      sockets_.push_back(std::move(socket));
    }
    servers_.emplace_back([this, number] { serve(number); });
  }
}

void TestServer::serve(int number) {
  int socket = -1;
  {
    const MutexLock lock(mutex_);
    socket = sockets_[static_cast<size_t>(number)].number();
  }
  std::unique_ptr<SSL, TlsDelete> tls;
  bool agreed = true;
  if (tls_) {
    tls.reset(SSL_new(tls_.get()));
    SSL_set_fd(tls.get(), socket);
    agreed = SSL_accept(tls.get()) == 1;
  }
  if (agreed) {
    Peer peer(socket, tls.get());
    serve_(peer, number);
    if (tls) SSL_shutdown(tls.get());
  }
  // A socket that is closed before it is read to its end drops what was sent last.
  ::shutdown(socket, SHUT_WR);
  char rest[512];
  while (::recv(socket, rest, sizeof rest, 0) > 0) {
  }
}

void echo(Peer& peer, int) {
  for (std::string request; !(request = peer.read_request()).empty();) peer.answer(request);
}

TestServer::Serve each_request(std::function<void(Peer&, const std::string&)> each) {
  return [each = std::move(each)](Peer& peer, int) {
    for (std::string request; !(request = peer.read_request()).empty();) each(peer, request);
  };
}

}  // namespace berth::kube
