#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tests/apiserver/net/http/request_parser.h"
#include "tests/apiserver/net/http/session.h"
#include "tests/apiserver/net/http/stream_reply.h"

namespace berth::apiserver {

// HTTP/1.1. Answers one request after the other: bytes behind a request wait until it is answered.
// The body of a reply that is complete when it is first sent has its length, any other is chunked.
// A request that cannot be read gets an empty answer with the status that says so, and ends the
// connection.
class Http1Session final : public Session, ReplyOwner {
 public:
  explicit Http1Session(SessionHost& host) : host_(host) {}
  ~Http1Session() override;

  void receive(std::string_view bytes) override;
  void produce(ByteQueue& out, size_t most) override;
  void end_slow_replies() override;
  bool reads() const override;
  bool awaits() const override { return parser_.has_value(); }
  bool finished() const override { return closes_ && text_.empty() && !reply_; }

 private:
  enum class Framing : uint8_t { kUnknown, kLength, kChunks, kNoBody };

  void reply_changed(StreamReply&) override { host_.changed(); }

  void read_requests();
  bool read_request();
  void tell_to_continue();
  void hand_on();
  void refuse(int status);

  // Returns true if all of the reply was produced.
  bool send_reply(ByteQueue& out, size_t most);
  void send_head(ByteQueue& out);
  void send_body(ByteQueue& out, size_t most);

  SessionHost& host_;
  ByteQueue input_;                      // not parsed yet
  std::optional<RequestParser> parser_;  // of a request that has begun
  bool continued_ = false;               // its client was told to send the body
  std::string text_;                     // to send before anything else
  bool closes_ = false;                  // nothing is read any more

  std::shared_ptr<StreamReply> reply_;   // in progress
  bool of_head_ = false;                 // it answers the method HEAD
  bool keeps_alive_ = false;             // another request may follow it
  Framing framing_ = Framing::kUnknown;  // until its head is sent
};

}  // namespace berth::apiserver
