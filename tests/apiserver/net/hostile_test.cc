// Clients that break rules, or are slow.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "tests/apiserver/net/http/http2.h"
#include "tests/apiserver/net/testing/fetch.h"
#include "tests/apiserver/net/testing/raw_client.h"
#include "tests/apiserver/net/testing/running_server.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kRequest = "GET /echo HTTP/1.1\r\n\r\n";

std::string garbage(std::mt19937& random) {
  std::string bytes(random() % 2000, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

void expect_served(RunningServer& server) {
  EXPECT_EQ(fetch(server.port(), "/x").body, "GET /x\n\n");
}

TEST(Hostile, Garbage) {
  RunningServer server;
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    RawClient client(server.port());
    if (i % 2 == 0) client.send(kHttp2Preface);
    if (i % 4 == 0) client.send(std::string_view("\0\0\0\x04\0\0\0\0\0", 9));  // its settings
    client.send(garbage(random));
    client.end_of_sending();
    client.read_all();
  }
  expect_served(server);
}

// The preface and each beginning of it are told apart from a request by the byte that differs.
TEST(Hostile, AlmostThePreface) {
  RunningServer server;
  for (size_t i = 0; i < kHttp2Preface.size(); ++i) {
    std::string bytes(kHttp2Preface.substr(0, i));
    bytes += "\x01 HTTP/1.1\r\n\r\n";
    RawClient client(server.port());
    for (const char c : bytes) client.send({&c, 1});
    EXPECT_TRUE(client.read_all().starts_with("HTTP/1.1 ")) << i;
  }
  RawClient client(server.port());
  for (const char c : kHttp2Preface) client.send({&c, 1});
  EXPECT_EQ(client.read_until(std::string_view("\x04\0\0\0\0\0", 6)).substr(0, 2),
            std::string_view("\0\0", 2));  // its settings
}

TEST(Hostile, AFrameThatIsTooLongEndsTheConnection) {
  RunningServer server;
  RawClient client(server.port());
  client.send(kHttp2Preface);
  client.send(std::string_view("\0\0\0\x04\0\0\0\0\0", 9));
  client.send(std::string_view("\xFF\xFF\xFF\0\0\0\0\0\x01", 9));
  EXPECT_THAT(client.read_all(), testing::HasSubstr(std::string("\x07\0\0\0\0\0", 6)));  // GOAWAY
  expect_served(server);
}

TEST(Hostile, SilenceEndsTheConnection) {
  ServerOptions options;
  options.silence = std::chrono::milliseconds(20);
  RunningServer server(options);
  const std::string_view settings("\0\0\0\x04\0\0\0\0\0", 9);
  const std::string_view half_head("\0\0\x20\x01\x04\0\0\0\x01", 9);
  for (const std::string& beginning :
       {std::string(), std::string("GET / HT"), std::string("PRI *"),
        std::string("PUT / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab"), std::string(kHttp2Preface),
        std::string(kHttp2Preface) + std::string(settings) + std::string(half_head)}) {
    RawClient client(server.port());
    client.send(beginning);
    client.read_all();
  }
}

TEST(Hostile, ASlowClientIsServed) {
  RunningServer server;
  RawClient client(server.port(), 4096);
  client.send("GET /large?bytes=8000000 HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(client.read_until("\r\n\r\n").starts_with("HTTP/1.1 200 OK\r\n"));
  expect_served(server);  // meanwhile
  EXPECT_EQ(client.read_all(), pattern(8'000'000));
}

TEST(Hostile, AReplyThatIsNotReadEnds) {
  ServerOptions options;
  options.unsent_bytes = 1 << 20;
  RunningServer server(options);
  RawClient client(server.port(), 4096);
  client.send("GET /flood HTTP/1.1\r\nConnection: close\r\n\r\n");
  const size_t floods = soon(server.handler().flooded());
  const std::string answer = client.read_all();
  EXPECT_TRUE(answer.ends_with("\r\n0\r\n\r\n"));
  EXPECT_EQ(static_cast<size_t>(std::count(answer.begin(), answer.end(), 'x')),
            floods * TestHandler::kFlood);
}

TEST(Hostile, ConnectionsBeyondTheLimitWait) {
  ServerOptions options;
  options.connections = 4;
  RunningServer server(options);
  std::deque<RawClient> clients;
  for (int i = 0; i < 20; ++i) {
    clients.emplace_back(server.port());
    clients.back().send(kRequest);
  }
  for (size_t i = 0; i < 4; ++i) clients[i].read_until("GET /echo\n\n");
  EXPECT_EQ(server.on_thread([&] { return server.handler().handled(); }), 4u);
  while (!clients.empty()) {
    clients.pop_front();
    if (clients.size() < 4) continue;
    EXPECT_TRUE(clients[3].read_until("GET /echo\n\n").ends_with("\r\n\r\nGET /echo\n\n"));
  }
  expect_served(server);
}

TEST(Hostile, ManyConnectionsAtOnce) {
  RunningServer server;
  std::deque<RawClient> clients;
  for (int i = 0; i < 500; ++i) clients.emplace_back(server.port());
  for (RawClient& client : clients) client.send(kRequest);
  for (RawClient& client : clients)
    EXPECT_TRUE(client.read_until("GET /echo\n\n").ends_with("GET /echo\n\n"));
}

TEST(Hostile, TheServerEndsBeforeItsClients) {
  std::deque<RawClient> clients;
  {
    RunningServer server;
    for (const char* path : {"/echo", "/parts?count=1000000", "/until"}) {
      clients.emplace_back(server.port());
      clients.back().send(std::string("GET ") + path + " HTTP/1.1\r\n\r\n");
      clients.back().read_until("\r\n\r\n");
    }
  }
  for (RawClient& client : clients) client.read_all();
}

}  // namespace
}  // namespace berth::apiserver
