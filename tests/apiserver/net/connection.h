#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/io/io.h"
#include "tests/apiserver/net/byte_queue.h"
#include "tests/apiserver/net/event_loop.h"
#include "tests/apiserver/net/http/session.h"
#include "tests/apiserver/net/options.h"
#include "tests/apiserver/net/tls/tls.h"

namespace berth::apiserver {

class Connection;

// What the connections of a server share.
struct ConnectionsState {
  EventLoop loop;
  ServerOptions options;
  std::optional<TlsContext> tls;
  Handler* handler = nullptr;         // while the server runs
  std::vector<Connection*> to_flush;  // at the end of the turn
  std::vector<Connection*> ended;     // to be destroyed at the end of the turn
  std::string received;               // memory for the bytes of one read
  ByteQueue plain;                    // memory for bytes that TLS takes or gives
};

// One connection: its socket, TLS if the server has it, and the session of the protocol that the
// client speaks. Bytes to send are gathered and sent by flush(), once a turn.
class Connection final : public Watcher, SessionHost {
 public:
  Connection(ConnectionsState& state, Descriptor socket);
  ~Connection() override;

  void ready(uint32_t events) override;
  // Sends what there is, at the end of a turn.
  void flush();

 private:
  // kDraining: the server has closed its direction, and the client has yet to close its own. If the
  // socket were closed before, bytes that come would destroy those that the client has not read.
  enum class Stage : uint8_t { kOpen, kDraining, kEnded };

  void changed() override;
  Handler& handler() override;
  const ServerOptions& options() const override { return state_.options; }
  const std::string& user() const override { return user_; }

  void read();
  void take_wire(std::string_view wire);
  void take_plain(std::string_view bytes);
  void start_session(std::string_view bytes);
  bool over() const { return broken_ || (session_ && session_->finished()); }

  void send_all();
  void gather();
  bool send();
  void drain();
  void end();
  void update_events();
  void update_timer();
  void on_timer();

  ConnectionsState& state_;
  Descriptor socket_;
  std::optional<TlsSession> tls_;
  std::unique_ptr<Session> session_;  // once it is known which
  std::string user_;
  ByteQueue first_;  // plain bytes until then
  ByteQueue out_;    // to send
  Stage stage_ = Stage::kOpen;
  bool gone_ = false;     // the client closed its direction
  bool broken_ = false;   // TLS cannot go on
  bool blocked_ = false;  // the socket takes no more for now
  bool to_flush_ = false;
  uint32_t events_;
  uint64_t timer_ = 0;  // of a client that is to send something, or to close; 0: none
  Time heard_{};        // when bytes came last
};

}  // namespace berth::apiserver
