#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/apiserver/net/http/session.h"

namespace berth::apiserver {

// Hosts a session without a connection, and keeps what it hands on.
class FakeHost final : public SessionHost, public Handler {
 public:
  void changed() override {}
  Handler& handler() override { return *this; }
  const ServerOptions& options() const override { return options_; }
  const std::string& user() const override { return user_; }

  void handle(const Request& request, std::shared_ptr<Reply> reply) override {
    requests.push_back(request);
    replies.push_back(std::move(reply));
  }

  ServerOptions options_;
  std::string user_;
  std::vector<Request> requests;
  std::vector<std::shared_ptr<Reply>> replies;
};

inline std::string produced(Session& session, size_t most = 1 << 20) {
  ByteQueue out;
  session.produce(out, most);
  return std::string(out.bytes());
}

}  // namespace berth::apiserver
