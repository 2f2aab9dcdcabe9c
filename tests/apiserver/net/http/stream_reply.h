#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "tests/apiserver/api/exchange.h"
#include "tests/apiserver/net/byte_queue.h"

namespace berth::apiserver {

class StreamReply;

// The session of a reply.
class ReplyOwner {
 public:
  virtual ~ReplyOwner() = default;
  // There is more to send of it. Called for every call of the core.
  virtual void reply_changed(StreamReply& reply) = 0;
};

// A reply between the core, which fills it, and a session, which sends it. Shared by both, so that
// either may be gone first.
class StreamReply final : public Reply {
 public:
  enum class Stage : uint8_t { kWaiting, kBegun, kEnded, kCut };

  // `number`: the owner's own name for it.
  StreamReply(ReplyOwner& owner, int32_t number) : owner_(&owner), number_(number) {}

  // Header fields about the connection and the length of the body are the session's, not the
  // core's. Names and values are those of HTTP.
  void begin(int status, std::map<std::string, std::string> headers) override;
  void write(std::string_view part) override;
  void end() override;
  void cut() override;
  bool open() const override { return owner_ != nullptr; }

  // For the owner.
  int32_t number() const { return number_; }
  Stage stage() const { return stage_; }
  bool over() const { return stage_ == Stage::kEnded || stage_ == Stage::kCut; }
  int status() const { return status_; }
  const std::map<std::string, std::string>& headers() const { return headers_; }
  ByteQueue& unsent() { return unsent_; }
  // The client went.
  void leave();
  // Calls of the core are passed over from now on; what it wrote is still sent, and then the end.
  // Requires: it has begun, and is not over.
  void end_early();

 private:
  ReplyOwner* owner_;  // nullptr: calls of the core are passed over
  const int32_t number_;
  Stage stage_ = Stage::kWaiting;
  int status_ = 0;
  std::map<std::string, std::string> headers_;
  ByteQueue unsent_;
};

}  // namespace berth::apiserver
