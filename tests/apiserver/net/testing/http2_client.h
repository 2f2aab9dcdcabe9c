#pragma once

#include <nghttp2/nghttp2.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/apiserver/net/http/session.h"
#include "tests/apiserver/net/testing/raw_client.h"

namespace berth::apiserver {

// A client of HTTP/2 by nghttp2.
class Http2Client {
 public:
  struct Answer {
    std::map<std::string, std::string> headers;  // with ":status"
    std::string body;
    bool closed = false;
    uint32_t error = 0;  // why, of NGHTTP2_NO_ERROR and its kin
  };

  // `reads`: false: takes no more of bodies than HTTP/2 lets a server send at first, until read().
  explicit Http2Client(bool reads = true);

  // Begins a request. `body`: empty: there is none. Returns its stream.
  int32_t ask(const std::string& method, const std::string& target, std::string body = {},
              const std::vector<std::pair<std::string, std::string>>& headers = {});
  void reset(int32_t stream);
  void goodbye();
  void read();

  // The bytes for the server, and those from it.
  std::string output();
  void input(std::string_view bytes);

  Answer& answer(int32_t stream) { return answers_[stream]; }

 private:
  struct Calls;  // of nghttp2
  friend struct Calls;

  const bool reads_;
  std::map<int32_t, Answer> answers_;
  std::map<int32_t, size_t> unread_;  // bytes that the server does not know to be taken
  std::vector<std::unique_ptr<std::string>> bodies_;
  std::unique_ptr<nghttp2_session, decltype(&nghttp2_session_del)> client_;
};

// Moves bytes until neither side has more. The session gets `step` bytes at once.
void exchange(Http2Client& client, Session& session, size_t step = SIZE_MAX);
// Moves bytes until the stream is closed.
void exchange(Http2Client& client, RawClient& socket, int32_t stream);

}  // namespace berth::apiserver
