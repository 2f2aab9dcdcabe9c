#include "tests/apiserver/net/socket_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/base/error.h"

namespace berth::apiserver {
namespace {

constexpr size_t kReceived = 256 << 10;
constexpr int kBacklog = 1024;
constexpr int kAccepts = 64;  // in one turn
// After which a server without descriptors tries again.
constexpr Time kAcceptAgain = std::chrono::milliseconds(100);

[[noreturn]] void fail_to_listen(uint16_t port) {
  throw Error("127.0.0.1:" + std::to_string(port) +
              ": cannot be listened at: " + std::strerror(errno));
}

Descriptor listening(uint16_t port) {
  Descriptor made(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (made.number() < 0) fail_to_listen(port);
  const int on = 1;
  ::setsockopt(made.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(made.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(made.number(), kBacklog) != 0)
    fail_to_listen(port);
  return made;
}

uint16_t port_of(const Descriptor& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    fail_to_listen(0);
  return ntohs(address.sin_port);
}

}  // namespace

SocketServer::SocketServer(ServerOptions options) : listener_(listening(options.port)) {
  port_ = port_of(listener_);
  state_.options = std::move(options);
  if (state_.options.tls) state_.tls.emplace(*state_.options.tls);
  state_.received.resize(kReceived);
  state_.loop.watch(listener_.number(), EPOLLIN, *this);
}

SocketServer::~SocketServer() = default;

void SocketServer::run(Handler& handler) {
  BERTH_ASSERT(!state_.handler);
  state_.handler = &handler;
  state_.loop.run([this] { return end_turn(); });
  state_.handler = nullptr;
}

void SocketServer::ready(uint32_t) {
  for (int i = 0; i < kAccepts && connections_.size() < state_.options.connections; ++i) {
    Descriptor socket(
        ::accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket.number() < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK) accept_later();
      return;
    }
    const int on = 1;
    ::setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    auto connection = std::make_unique<Connection>(state_, std::move(socket));
    Connection* const key = connection.get();
    connections_.emplace(key, std::move(connection));
  }
  if (connections_.size() >= state_.options.connections) {
    listens_ = false;
    state_.loop.change(listener_.number(), 0, *this);
  }
}

// Without it the loop would ask for the connection, which it cannot get, in every turn.
void SocketServer::accept_later() {
  listens_ = false;
  state_.loop.change(listener_.number(), 0, *this);
  state_.loop.at(now() + kAcceptAgain, [this] { listen_again(); });
}

void SocketServer::listen_again() {
  if (listens_ || connections_.size() >= state_.options.connections) return;
  listens_ = true;
  state_.loop.change(listener_.number(), EPOLLIN, *this);
}

bool SocketServer::end_turn() {
  for (Connection* connection : std::exchange(state_.to_flush, {})) connection->flush();
  const bool any_ended = !state_.ended.empty();
  for (Connection* connection : std::exchange(state_.ended, {})) {
    std::erase(state_.to_flush, connection);
    connections_.erase(connection);
  }
  if (any_ended) listen_again();
  return !state_.to_flush.empty();
}

}  // namespace berth::apiserver
