#include "tests/apiserver/net/testing/test_handler.h"

#include <utility>

namespace berth::apiserver {
namespace {

uint64_t number(const Request& request, const std::string& name) {
  return std::stoull(request.query.at(name));
}

void answer(Reply& reply, std::string_view body) {
  reply.begin(200, {{"content-type", "text/plain"}});
  reply.write(body);
  reply.end();
}

std::string echo_of(const Request& request) {
  std::string text = request.method + " " + request.path + "\n";
  for (const auto& [name, value] : request.query) text += name + "=" + value + "\n";
  for (const auto& [name, value] : request.headers)
    if (name.starts_with("x-")) text += name + ": " + value + "\n";
  return text + "\n" + request.body;
}

void cut_after(Reply& reply, size_t bytes) {
  const std::string text = pattern(bytes);
  reply.begin(200, {});
  reply.write(std::string_view(text).substr(0, bytes / 2));
  reply.write(std::string_view(text).substr(bytes / 2));
  reply.cut();
}

}  // namespace

std::string pattern(size_t bytes) {
  std::string text(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) text[i] = static_cast<char>('a' + (i ^ (i >> 8)) % 26);
  return text;
}

void TestHandler::handle(const Request& request, std::shared_ptr<Reply> reply) {
  ++handled_;
  const std::string& path = request.path;
  if (path == "/length") return answer(*reply, std::to_string(request.body.size()));
  if (path == "/large") return answer(*reply, pattern(number(request, "bytes")));
  if (path == "/cut") return cut_after(*reply, number(request, "at"));
  if (path == "/never") return reply->cut();
  if (path == "/parts") {
    reply->begin(200, {});
    return write_parts(reply, 0, number(request, "count"));
  }
  if (path == "/until" || path == "/flood") {
    reply->begin(200, {});
    return path == "/until" ? await_end(reply) : flood(reply, 0);
  }
  answer(*reply, echo_of(request));
}

void TestHandler::write_parts(const std::shared_ptr<Reply>& reply, uint64_t next, uint64_t count) {
  if (next == count) return reply->end();
  reply->write("part " + std::to_string(next) + "\n");
  server_.at(SocketServer::now(), [=, this] { write_parts(reply, next + 1, count); });
}

void TestHandler::await_end(const std::shared_ptr<Reply>& reply) {
  if (!reply->open()) return went_.set_value();
  server_.at(SocketServer::now(), [=, this] { await_end(reply); });
}

void TestHandler::flood(const std::shared_ptr<Reply>& reply, size_t count) {
  if (!reply->open()) return flooded_.set_value(count);
  reply->write(std::string(kFlood, 'x'));
  server_.at(SocketServer::now(), [=, this] { flood(reply, count + 1); });
}

}  // namespace berth::apiserver
