#include "tests/apiserver/net/testing/running_server.h"

namespace berth::apiserver {

RunningServer::RunningServer(ServerOptions options)
    : server_(std::move(options)), thread_([this] { server_.run(handler_); }) {}

RunningServer::~RunningServer() {
  server_.stop();
  thread_.join();
}

}  // namespace berth::apiserver
