#include "tests/apiserver/net/connection.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/base/assert.h"
#include "tests/apiserver/net/http/http1.h"
#include "tests/apiserver/net/http/http2.h"

namespace berth::apiserver {
namespace {

// Bytes of one system call, and the system calls of one connection in one turn.
constexpr size_t kSend = 256 << 10;
constexpr int kReads = 4, kSends = 16;
// How long a client has to close its direction after the server closed its own.
constexpr Time kDrain = std::chrono::seconds(2);

}  // namespace

Connection::Connection(ConnectionsState& state, Descriptor socket)
    : state_(state), socket_(std::move(socket)), events_(EPOLLIN), heard_(EventLoop::now()) {
  if (state_.tls) tls_.emplace(*state_.tls);
  state_.loop.watch(socket_.number(), events_, *this);
  update_timer();
}

Connection::~Connection() {
  if (stage_ == Stage::kEnded) return;
  state_.loop.cancel(timer_);
  state_.loop.forget(socket_.number());
}

void Connection::changed() {
  if (!std::exchange(to_flush_, true)) state_.to_flush.push_back(this);
}

Handler& Connection::handler() {
  BERTH_ASSERT(state_.handler);
  return *state_.handler;
}

void Connection::ready(uint32_t events) {
  if (stage_ == Stage::kEnded) return;
  if ((events & EPOLLERR) != 0) return end();
  if ((events & EPOLLOUT) != 0) {
    blocked_ = false;
    changed();
  }
  if ((events & (EPOLLIN | EPOLLHUP)) != 0) read();
}

void Connection::read() {
  std::string& bytes = state_.received;
  for (int i = 0; i < kReads && stage_ != Stage::kEnded && !gone_; ++i) {
    const ssize_t size = ::recv(socket_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (size < 0) return end();
    changed();
    if (size == 0) gone_ = true;
    heard_ = EventLoop::now();
    if (stage_ == Stage::kOpen) take_wire({bytes.data(), static_cast<size_t>(size)});
    if (static_cast<size_t>(size) < bytes.size()) return;
  }
}

void Connection::take_wire(std::string_view wire) {
  if (over()) return;
  if (!tls_) return take_plain(wire);
  ByteQueue& plain = state_.plain;
  plain.clear();
  if (!tls_->receive(wire, plain)) broken_ = true;
  if (tls_->established() && !session_) user_ = tls_->user();
  take_plain(plain.bytes());
}

void Connection::take_plain(std::string_view bytes) {
  if (bytes.empty()) return;
  if (session_) return session_->receive(bytes);
  first_.append(bytes);
  start_session(first_.bytes());
}

// Over TLS the handshake tells the protocol; else the preface of HTTP/2 does.
void Connection::start_session(std::string_view bytes) {
  bool is_http2 = false;
  if (tls_) {
    is_http2 = tls_->chose_http2();
  } else {
    const size_t size = std::min(bytes.size(), kHttp2Preface.size());
    is_http2 = bytes.substr(0, size) == kHttp2Preface.substr(0, size);
    if (is_http2 && size < kHttp2Preface.size()) return;  // it may still become the preface
  }
  SessionHost& host = *this;
  if (is_http2)
    session_ = std::make_unique<Http2Session>(host);
  else
    session_ = std::make_unique<Http1Session>(host);
  session_->receive(bytes);
  first_ = {};
}

void Connection::flush() {
  to_flush_ = false;
  if (stage_ == Stage::kOpen) send_all();
  if (session_) session_->end_slow_replies();
  if (stage_ == Stage::kOpen && out_.empty() && over()) drain();
  if (gone_ && stage_ != Stage::kEnded) end();
  if (stage_ == Stage::kEnded) return;
  update_events();
  update_timer();
}

// All that the client takes now. If that is much, the rest is sent in the next turn.
void Connection::send_all() {
  for (int i = 0; i < kSends; ++i) {
    if (blocked_) return;
    gather();
    if (out_.empty() || !send()) return;
  }
  changed();
}

void Connection::gather() {
  if (out_.size() >= kSend) return;
  if (!tls_) {
    if (session_) session_->produce(out_, kSend);
    return;
  }
  if (session_) {
    state_.plain.clear();
    session_->produce(state_.plain, kSend - out_.size());
    if (!broken_) tls_->send(state_.plain.bytes());
  }
  tls_->take_wire(out_);
}

// False: nothing more can be sent now.
bool Connection::send() {
  const std::string_view bytes = out_.bytes();
  const ssize_t size =
      ::send(socket_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (size >= 0) {
    out_.consume(static_cast<size_t>(size));
    return true;
  }
  if (errno == EINTR) return true;
  if (errno == EAGAIN || errno == EWOULDBLOCK)
    blocked_ = true;
  else
    end();
  return false;
}

void Connection::drain() {
  if (tls_ && tls_->established() && !broken_) {
    tls_->close();
    tls_->take_wire(out_);
    send();
    if (stage_ == Stage::kEnded) return;
  }
  ::shutdown(socket_.number(), SHUT_WR);
  session_.reset();
  out_ = {};
  stage_ = Stage::kDraining;
  state_.loop.cancel(timer_);
  timer_ = state_.loop.at(EventLoop::now() + kDrain, [this] { end(); });
}

void Connection::end() {
  BERTH_ASSERT(stage_ != Stage::kEnded);
  stage_ = Stage::kEnded;
  session_.reset();
  state_.loop.cancel(timer_);
  state_.loop.forget(socket_.number());
  state_.ended.push_back(this);
}

void Connection::update_events() {
  uint32_t events = 0;
  if (stage_ == Stage::kDraining || !session_ || session_->reads()) events |= EPOLLIN;
  if (blocked_ && stage_ == Stage::kOpen) events |= EPOLLOUT;
  if (events == events_) return;
  events_ = events;
  state_.loop.change(socket_.number(), events, *this);
}

void Connection::update_timer() {
  if (stage_ != Stage::kOpen) return;
  const bool awaits = !session_ || session_->awaits();
  if (awaits && timer_ == 0) {
    timer_ = state_.loop.at(heard_ + state_.options.silence, [this] { on_timer(); });
  } else if (!awaits && timer_ != 0) {
    state_.loop.cancel(timer_);
    timer_ = 0;
  }
}

void Connection::on_timer() {
  timer_ = 0;
  if (EventLoop::now() - heard_ >= state_.options.silence) return end();
  update_timer();
}

}  // namespace berth::apiserver
