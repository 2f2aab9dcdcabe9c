#pragma once

#include <nghttp2/nghttp2.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tests/apiserver/net/http/session.h"
#include "tests/apiserver/net/http/stream_reply.h"

namespace berth::apiserver {

// The first bytes of a client.
inline constexpr std::string_view kHttp2Preface = NGHTTP2_CLIENT_MAGIC;

// HTTP/2 by nghttp2, from the client's preface on. A request that cannot be read gets an empty
// answer with the status that says so; a client that breaks the protocol ends the connection.
class Http2Session final : public Session, ReplyOwner {
 public:
  explicit Http2Session(SessionHost& host);
  ~Http2Session() override;

  void receive(std::string_view bytes) override;
  void produce(ByteQueue& out, size_t most) override;
  void end_slow_replies() override;
  bool reads() const override { return true; }
  bool awaits() const override { return !has_settings_ || incomplete_ > 0; }
  bool finished() const override;

 private:
  struct Stream {
    Request request;
    std::string target;
    size_t header_bytes = 0;
    int refused = 0;         // the status, if the request was refused
    bool complete = false;   // the request
    bool of_head = false;    // its method is HEAD
    bool submitted = false;  // the head of the answer
    bool deferred = false;  // nghttp2 does not ask for the body until it is told that there is more
    std::shared_ptr<StreamReply> reply;
  };
  struct Calls;  // of nghttp2
  friend struct Calls;

  void reply_changed(StreamReply& reply) override;

  Stream* stream(int32_t id);
  void take_header(Stream& stream, std::string_view name, std::string_view value);
  void complete(int32_t id, Stream& stream);
  void refuse(int32_t id, Stream& stream, int status);
  void submit_head(int32_t id, Stream& stream);
  ssize_t give_body(Stream& stream, uint8_t* to, size_t most, uint32_t& flags);

  SessionHost& host_;
  std::unordered_map<int32_t, std::unique_ptr<Stream>> streams_;
  std::vector<int32_t> slow_;  // may have too much unsent
  size_t incomplete_ = 0;      // requests of streams_
  bool has_settings_ = false;  // the client's
  bool broken_ = false;
  std::unique_ptr<nghttp2_session, decltype(&nghttp2_session_del)> session_;
};

}  // namespace berth::apiserver
