#include "tests/apiserver/net/testing/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace berth::apiserver {
namespace {

void expect(bool done, const char* what) {
  if (!done) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

}  // namespace

RawClient::RawClient(uint16_t port, int receives)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const int number = socket_.number();
  expect(number >= 0, "socket");
  timeval limit{};
  limit.tv_sec = 60;
  ::setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (receives > 0) ::setsockopt(number, SOL_SOCKET, SO_RCVBUF, &receives, sizeof receives);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  expect(::connect(number, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0,
         "connect");
}

// A server that has closed the connection may refuse bytes: a test then sees what it answered.
void RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size < 0 && (errno == EPIPE || errno == ECONNRESET)) return;
    expect(size > 0, "send");
    bytes.remove_prefix(static_cast<size_t>(size));
  }
}

void RawClient::end_of_sending() { ::shutdown(socket_.number(), SHUT_WR); }

bool RawClient::read_more() {
  std::array<char, 16384> bytes;
  const ssize_t size = ::recv(socket_.number(), bytes.data(), bytes.size(), 0);
  if (size < 0 && errno == ECONNRESET) return false;
  expect(size >= 0, "recv");
  read_.append(bytes.data(), static_cast<size_t>(size));
  return size > 0;
}

std::string RawClient::read_some() {
  if (read_.empty()) read_more();
  return std::exchange(read_, {});
}

std::string RawClient::read_until(std::string_view text) {
  size_t at;
  while ((at = read_.find(text)) == std::string::npos)
    if (!read_more()) return read_all();
  const std::string rest = read_.substr(at + text.size());
  read_.resize(at + text.size());
  return std::exchange(read_, rest);
}

std::string RawClient::read_all() {
  while (read_more()) {
  }
  return std::exchange(read_, {});
}

}  // namespace berth::apiserver
