#pragma once

// A network for tests. It runs on the thread of the test.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "engine/kube/http/network.h"

namespace berth::kube {

inline Connection connection_to(const std::string& server) {
  Connection connection;
  connection.server = server;
  return connection;
}

inline Request get(std::string path) { return {Method::kGet, std::move(path), {}, {}, Time(0)}; }
inline Request post(std::string path, std::string body) {
  return {Method::kPost, std::move(path), "application/json", std::move(body), Time(0)};
}

class TestClient : public Network {
 public:
  using Network::Network;
  explicit TestClient(const std::string& server, NetworkOptions options = {})
      : Network(connection_to(server), std::move(options)) {}

  // Runs until a function calls stop(), or fails.
  void run_to_stop() {
    const uint64_t alarm = after(std::chrono::seconds(20), [this] {
      ADD_FAILURE() << "the test takes too long";
      stop();
    });
    run();
    Network::cancel(alarm);
  }
  Answer ask(Request request) {
    Answer to;
    send(std::move(request), [&](Answer answer) {
      to = std::move(answer);
      stop();
    });
    run_to_stop();
    return to;
  }
  // The same for a stream, whose parts are joined in `data`.
  Answer watch(Request request, std::string& data) {
    Answer to;
    stream(
        std::move(request), [&](std::string_view part) { data += part; },
        [&](Answer answer) {
          to = std::move(answer);
          stop();
        });
    run_to_stop();
    return to;
  }
};

}  // namespace berth::kube
