#pragma once

#include <cstdint>
#include <future>
#include <stdexcept>
#include <thread>
#include <utility>

#include "tests/apiserver/net/socket_server.h"
#include "tests/apiserver/net/testing/test_handler.h"

namespace berth::apiserver {

// The result of something that comes soon unless there is a fault. Throws after a minute.
template <typename T>
T soon(std::future<T> result) {
  if (result.wait_for(std::chrono::minutes(1)) != std::future_status::ready)
    throw std::runtime_error("what was to come did not come within a minute");
  return result.get();
}

// A server with a TestHandler, on a thread of its own.
class RunningServer {
 public:
  explicit RunningServer(ServerOptions options = {});
  ~RunningServer();

  uint16_t port() const { return server_.port(); }
  TestHandler& handler() { return handler_; }

  // What `call` returns on the thread of the server.
  template <typename Call>
  auto on_thread(Call call) {
    std::packaged_task<decltype(call())()> task(std::move(call));
    auto result = task.get_future();
    server_.post([&task] { task(); });
    return soon(std::move(result));
  }

 private:
  SocketServer server_;
  TestHandler handler_{server_};
  std::thread thread_;
};

}  // namespace berth::apiserver
