#include "engine/service/endpoint/testing/https_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "engine/base/assert.h"

namespace berth::service::testing {
namespace {

constexpr timeval kMinute{60, 0};

int connected_socket(uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  BERTH_ASSERT(socket >= 0);
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &kMinute, sizeof kMinute);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &kMinute, sizeof kMinute);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  BERTH_ASSERT(::connect(socket, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0);
  return socket;
}

void show(SSL_CTX* context, const PemIdentity& identity) {
  if (identity.certificate.empty()) return;
  const OwnedBio certificate(BIO_new_mem_buf(identity.certificate.data(), -1));
  const OwnedBio key(BIO_new_mem_buf(identity.key.data(), -1));
  const OwnedCertificate read(PEM_read_bio_X509(certificate.get(), nullptr, nullptr, nullptr));
  const OwnedKey read_key(PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr));
  BERTH_ASSERT(SSL_CTX_use_certificate(context, read.get()) == 1);
  BERTH_ASSERT(SSL_CTX_use_PrivateKey(context, read_key.get()) == 1);
}

}  // namespace

HttpsClient::HttpsClient(uint16_t port, const ClientHello& hello)
    : socket_(connected_socket(port)), context_(SSL_CTX_new(TLS_client_method())) {
  SSL_CTX_set_options(context_.get(), SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_min_proto_version(context_.get(), 0);
  SSL_CTX_set_max_proto_version(context_.get(), hello.most_version);
  SSL_CTX_set_security_level(context_.get(), 0);
  show(context_.get(), hello.identity);
  tls_.reset(SSL_new(context_.get()));
  SSL_set_fd(tls_.get(), socket_);
  connected_ = SSL_connect(tls_.get()) == 1;
}

HttpsClient::~HttpsClient() {
  tls_.reset();
  ::close(socket_);
}

std::string HttpsClient::server_name() const {
  char name[256] = {};
  X509* shown = SSL_get0_peer_certificate(tls_.get());
  BERTH_ASSERT(shown != nullptr);
  X509_NAME_get_text_by_NID(X509_get_subject_name(shown), NID_commonName, name, sizeof name);
  return name;
}

void HttpsClient::send(const std::string& text) {
  SSL_write(tls_.get(), text.data(), static_cast<int>(text.size()));
}

bool HttpsClient::read_more() {
  char bytes[4096];
  const int count = SSL_read(tls_.get(), bytes, sizeof bytes);
  if (count <= 0) return false;
  read_.append(bytes, static_cast<size_t>(count));
  return true;
}

std::string HttpsClient::answer(bool to_head) {
  size_t end;
  while ((end = read_.find("\r\n\r\n")) == std::string::npos)
    if (!read_more()) return {};
  end += 4;
  constexpr std::string_view kLength = "Content-Length: ";
  const size_t at = read_.find(kLength);
  BERTH_ASSERT(at < end);
  if (!to_head) end += std::stoul(read_.substr(at + kLength.size()));
  while (read_.size() < end)
    if (!read_more()) return {};
  const std::string answer = read_.substr(0, end);
  read_.erase(0, end);
  return answer;
}

bool HttpsClient::at_end() { return read_.empty() && !read_more(); }

std::string get(uint16_t port, const std::string& target, const std::string& header,
                const ClientHello& hello) {
  HttpsClient client(port, hello);
  client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n");
  return client.answer();
}

int status_of(const std::string& answer) {
  constexpr std::string_view kVersion = "HTTP/1.1 ";
  BERTH_ASSERT(answer.starts_with(kVersion));
  return std::stoi(answer.substr(kVersion.size()));
}

std::string body_of(const std::string& answer) {
  return answer.substr(answer.find("\r\n\r\n") + 4);
}

}  // namespace berth::service::testing
