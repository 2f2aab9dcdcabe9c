#pragma once

// The server's side of an HTTP/2 connection, as far as tests need it (RFC 9113).

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/kube/http/testing/test_server.h"

namespace berth::kube {

// A request that has come whole. Its headers are not decoded.
struct Http2Request {
  uint32_t stream = 0;  // 0: the client has closed the connection
  std::string body;
};

// The thread that serves the connection.
class Http2Peer {
 public:
  // Begins the connection.
  explicit Http2Peer(Peer& peer);

  // Waits for it. Bodies of different streams do not come interleaved. `reset`: set to a stream
  // that the client has ended, if one comes first; then the request has no stream.
  Http2Request next(uint32_t* reset = nullptr);
  // Status 200. `end`: the body is complete.
  void begin_answer(uint32_t stream);
  void write_body(uint32_t stream, std::string_view part, bool end);
  void answer(uint32_t stream, std::string_view body);
  // REFUSED_STREAM: nothing was done.
  void refuse(uint32_t stream);
  // Later streams than `last` are refused.
  void go_away(uint32_t last);

 private:
  struct Frame;
  Frame read_frame();
  void write_frame(uint8_t type, uint8_t flags, uint32_t stream, std::string_view payload);

  Peer& peer_;
};

}  // namespace berth::kube
