// HTTP/2: many requests on one connection, and what becomes of each when it ends.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <future>
#include <memory>

#include "engine/kube/config/testing.h"
#include "engine/kube/http/network.h"
#include "engine/kube/http/testing/client.h"
#include "engine/kube/http/testing/http2_peer.h"
#include "engine/kube/http/testing/test_server.h"

namespace berth::kube {
namespace {

using Fate = Answer::Fate;
using std::chrono::milliseconds;

class NetworkHttp2 : public testing::Test {
 protected:
  TestTls tls() const { return {own_, {}, true}; }
  Connection to(const TestServer& server) const {
    Connection connection = connection_to(server.url());
    connection.ca.data = authority_.certificate();
    return connection;
  }

  const extenders::Authority authority_{"the authority"};
  const extenders::Identity own_ = authority_.issue("server", "IP:127.0.0.1");
};

TEST_F(NetworkHttp2, RequestsShareAConnection) {
  constexpr int kRequests = 150;
  TestServer server(
      [](Peer& peer, int) {
        EXPECT_TRUE(peer.http2());
        Http2Peer http2(peer);
        http2.answer(http2.next().stream, "");  // with the server's settings, which have no limit
        // All others are there before the first of them is answered.
        std::vector<Http2Request> asked;
        for (int i = 0; i < kRequests; ++i) asked.push_back(http2.next());
        std::reverse(asked.begin(), asked.end());
        for (const Http2Request& one : asked) http2.answer(one.stream, one.body);
        http2.next();
      },
      tls());
  TestClient client(to(server));
  EXPECT_TRUE(client.ask(get("/")).ok());
  int ended = 0;
  for (int i = 0; i < kRequests; ++i)
    client.send(post("/", std::to_string(i)), [&, i](Answer answer) {
      EXPECT_TRUE(answer.ok()) << answer.error;
      EXPECT_EQ(answer.body, std::to_string(i));
      if (++ended == kRequests) client.stop();
    });
  client.run_to_stop();
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(NetworkHttp2, AStreamThatEndsEarlyIsLost) {
  TestServer server(
      [](Peer& peer, int) {
        Http2Peer http2(peer);
        const uint32_t watch = http2.next().stream;
        http2.begin_answer(watch);
        http2.write_body(watch, "hel", false);
      },
      tls());
  TestClient client(to(server));
  std::string data;
  const Answer answer = client.watch(get("/?watch=1"), data);
  EXPECT_EQ(answer.fate, Fate::kLost);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(data, "hel");
}

TEST_F(NetworkHttp2, ACancelledWatchLeavesTheConnectionToOthers) {
  std::promise<uint32_t> ended;
  TestServer server(
      [&](Peer& peer, int) {
        Http2Peer http2(peer);
        const uint32_t watch = http2.next().stream;
        http2.begin_answer(watch);
        http2.write_body(watch, "{}", false);
        uint32_t reset = 0;
        http2.next(&reset);
        ended.set_value(reset - watch);
        const Http2Request other = http2.next();
        http2.answer(other.stream, "other");
        http2.next();
      },
      tls());
  TestClient client(to(server));
  uint64_t number = 0;
  number = client.stream(
      get("/?watch=1"),
      [&](std::string_view) {
        client.cancel(number);
        client.stop();
      },
      [](Answer) { ADD_FAILURE(); });
  client.run_to_stop();
  EXPECT_EQ(client.ask(get("/")).body, "other");
  EXPECT_EQ(ended.get_future().get(), 0u);
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(NetworkHttp2, AWriteIsNeverSentTwice) {
  std::atomic<int> writes = 0;
  TestServer server(
      [&](Peer& peer, int) {
        Http2Peer http2(peer);
        http2.answer(http2.next().stream, "");
        if (http2.next().stream != 0) ++writes;
      },
      tls());
  TestClient client(to(server));
  EXPECT_TRUE(client.ask(get("/")).ok());
  EXPECT_EQ(client.ask(post("/", "{}")).fate, Fate::kLost);
  EXPECT_EQ(writes, 1);
}

TEST_F(NetworkHttp2, ARefusedReadIsSentAgain) {
  TestServer server(
      [](Peer& peer, int number) {
        Http2Peer http2(peer);
        const Http2Request one = http2.next();
        if (number == 0) {
          http2.refuse(one.stream);
          http2.next();
          return;
        }
        http2.answer(one.stream, "second");
        http2.next();
      },
      tls());
  TestClient client(to(server));
  EXPECT_EQ(client.ask(get("/")).body, "second");
}

TEST_F(NetworkHttp2, AServerThatGoesAwayAnswersWhatItHas) {
  TestServer server(
      [](Peer& peer, int number) {
        Http2Peer http2(peer);
        const Http2Request one = http2.next();
        if (number == 0) http2.go_away(one.stream);
        http2.answer(one.stream, std::to_string(number));
        http2.next();
      },
      tls());
  TestClient client(to(server));
  EXPECT_EQ(client.ask(get("/")).body, "0");
  const Answer answer = client.ask(post("/", "{}"));
  EXPECT_EQ(answer.body, "1") << answer.error;
}

// nghttpd, which is another one's server, on a free port.
class Nghttpd {
 public:
  explicit Nghttpd(const TestFolder& folder) : folder_(folder.at("")) { start(); }
  ~Nghttpd() {
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }
  Nghttpd(const Nghttpd&) = delete;
  Nghttpd& operator=(const Nghttpd&) = delete;

  std::string url() const { return "https://127.0.0.1:" + std::to_string(port_); }
  // Another port, if somebody else was faster to take the first.
  void start_again_if_ended() {
    if (::waitpid(pid_, nullptr, WNOHANG) == pid_) start();
  }

 private:
  void start() {
    port_ = TestServer([](Peer&, int) {}).port();
    std::vector<std::string> words = {"nghttpd",
                                      "--echo-upload",
                                      "-a",
                                      "127.0.0.1",
                                      "-d",
                                      folder_,
                                      std::to_string(port_),
                                      folder_ + "key",
                                      folder_ + "certificate"};
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ASSERT_EQ(::posix_spawnp(&pid_, "nghttpd", nullptr, nullptr, pointers.data(), environ), 0);
  }

  std::string folder_;
  uint16_t port_ = 0;
  pid_t pid_ = 0;
};

bool has_nghttpd() { return std::system("command -v nghttpd >/dev/null") == 0; }

// More than a window of flow control has, in both directions.
TEST_F(NetworkHttp2, LargeBodiesPassWithNghttpd) {
  if (!has_nghttpd()) GTEST_SKIP() << "nghttpd is not installed";
  const TestFolder folder;
  const std::string large(20 << 20, 'x');
  folder.write("key", own_.key);
  folder.write("certificate", own_.certificate);
  folder.write("large", large);
  Nghttpd server(folder);
  Answer first;
  std::unique_ptr<TestClient> client;
  for (const auto start = std::chrono::steady_clock::now();
       !first.ok() && std::chrono::steady_clock::now() - start < std::chrono::seconds(20);) {
    server.start_again_if_ended();
    Connection connection = connection_to(server.url());
    connection.ca.data = authority_.certificate();
    client = std::make_unique<TestClient>(connection);
    first = client->ask(get("/large"));
  }
  ASSERT_TRUE(first.ok()) << first.error;
  EXPECT_EQ(first.body, large);
  int ended = 0;
  for (int i = 0; i < 8; ++i)
    client->send(
        post("/", std::string(100'000, static_cast<char>('a' + i))), [&, i](Answer answer) {
          EXPECT_EQ(answer.body, std::string(100'000, static_cast<char>('a' + i))) << answer.error;
          if (++ended == 8) client->stop();
        });
  client->run_to_stop();
}

}  // namespace
}  // namespace berth::kube
