#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <string>

#include "tests/apiserver/net/socket_server.h"

namespace berth::apiserver {

// The body of /large: each byte tells its place.
std::string pattern(size_t bytes);

// Answers by the path:
//   /echo           the method, the path, the query, header fields that begin with "x-", and the
//   body /status?code=N  that, with the body "text" /parts?count=N  "part 0\n" and so on, each in a
//   turn of its own /large?bytes=N  pattern(N) in one part /cut?at=N       pattern(N) in two parts,
//   and cuts /never          cuts before it begins /until          begins, and makes went() ready
//   once the client went /flood          writes kFlood until the reply is not open; flooded() then
//   tells how often
class TestHandler final : public Handler {
 public:
  static constexpr size_t kFlood = 32 << 10;

  explicit TestHandler(SocketServer& server) : server_(server) {}

  void handle(const Request& request, std::shared_ptr<Reply> reply) override;

  // Of one request each.
  std::future<void> went() { return went_.get_future(); }
  std::future<size_t> flooded() { return flooded_.get_future(); }
  size_t handled() const { return handled_; }  // on the server's thread

 private:
  void write_parts(const std::shared_ptr<Reply>& reply, uint64_t next, uint64_t count);
  void await_end(const std::shared_ptr<Reply>& reply);
  void flood(const std::shared_ptr<Reply>& reply, size_t count);

  SocketServer& server_;
  std::promise<void> went_;
  std::promise<size_t> flooded_;
  size_t handled_ = 0;
};

}  // namespace berth::apiserver
