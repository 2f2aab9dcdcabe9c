#include "engine/kube/http/network.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <future>

#include "engine/kube/http/testing/client.h"
#include "engine/kube/http/testing/test_server.h"

namespace berth::kube {
namespace {

using Fate = Answer::Fate;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

// Waits until the client closes.
void wait_for_close(Peer& peer) { peer.read(1); }

TEST(Network, SendsWhatIsAsked) {
  TestServer server(echo);
  TestClient client(server.url() + "/prefix", {.user_agent = "berth/test"});
  const std::string host = "Host: 127.0.0.1:" + std::to_string(server.port()) + "\r\n";
  EXPECT_EQ(client.ask(get("/api/v1/pods?limit=5&x=a%20b")).body,
            "GET /prefix/api/v1/pods?limit=5&x=a%20b HTTP/1.1\r\n" + host +
                "User-Agent: berth/test\r\nAccept-Encoding: gzip\r\n"
                "Accept: application/json\r\n\r\n");
  EXPECT_EQ(client.ask(post("/a/../b", "{}")).body,
            "POST /prefix/a/../b HTTP/1.1\r\n" + host +
                "User-Agent: berth/test\r\nAccept-Encoding: gzip\r\n"
                "Accept: application/json\r\nContent-Type: application/json\r\n"
                "Content-Length: 2\r\n\r\n{}");
  EXPECT_EQ(server.connections(), 1);
}

TEST(Network, HasEveryMethodWithAndWithoutABody) {
  TestServer server(echo);
  TestClient client(server.url());
  for (const Method method : {Method::kPost, Method::kPut, Method::kPatch, Method::kDelete}) {
    const std::string name(method_name(method));
    const std::string with =
        client.ask({method, "/x", "application/merge-patch+json", "{\"a\":1}", Time(0)}).body;
    EXPECT_TRUE(with.starts_with(name + " /x HTTP/1.1\r\n")) << with;
    EXPECT_EQ(header_in(with, "Content-Type"), "application/merge-patch+json");
    EXPECT_TRUE(with.ends_with("\r\n\r\n{\"a\":1}")) << with;
    const std::string without = client.ask({method, "/y", {}, {}, Time(0)}).body;
    EXPECT_TRUE(without.starts_with(name + " /y HTTP/1.1\r\n")) << without;
    EXPECT_EQ(header_in(without, "Content-Type"), "(none)");
    EXPECT_TRUE(without.ends_with("\r\n\r\n")) << without;
    EXPECT_TRUE(client.ask(get("/z")).body.starts_with("GET /z HTTP/1.1\r\n"));
  }
  const std::string large(3 << 20, 'x');
  EXPECT_TRUE(client.ask(post("/", large)).body.ends_with("\r\n\r\n" + large));
}

TEST(Network, GivesStatusBodyAndTheWishedWait) {
  const auto wait_of = [](const std::string& headers) {
    TestServer server(each_request([&](Peer& peer, const std::string&) {
      peer.answer("no", "429 Too Many Requests", headers);
    }));
    TestClient client(server.url());
    const Answer answer = client.ask(get("/"));
    EXPECT_EQ(answer.fate, Fate::kAnswered);
    EXPECT_EQ(answer.status, 429);
    EXPECT_EQ(answer.body, "no");
    EXPECT_FALSE(answer.ok());
    return answer.retry_after;
  };
  EXPECT_EQ(wait_of(""), std::nullopt);
  EXPECT_EQ(wait_of("Retry-After: 0\r\n"), seconds(0));
  EXPECT_EQ(wait_of("retry-after: 17\r\n"), seconds(17));
  EXPECT_EQ(wait_of("Retry-After: 99999999999999999999\r\n"), seconds(UINT32_MAX));
  EXPECT_EQ(wait_of("Retry-After: soon\r\n"), std::nullopt);
  EXPECT_EQ(wait_of("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n"), seconds(0));
  char date[64] = {};
  const time_t later = std::time(nullptr) + 3600;
  tm parts{};
  std::strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&later, &parts));
  const std::optional<Time> wait = wait_of("Retry-After: " + std::string(date) + "\r\n");
  ASSERT_TRUE(wait);
  EXPECT_LE(*wait, seconds(3600));
  EXPECT_GE(*wait, seconds(3600 - 60));
}

TEST(Network, FollowsNoRedirectAndSkipsInterimAnswers) {
  TestServer server(each_request([](Peer& peer, const std::string&) {
    peer.write("HTTP/1.1 103 Early Hints\r\nRetry-After: 5\r\n\r\n");
    peer.answer("there", "302 Found", "Location: /other\r\n");
  }));
  TestClient client(server.url());
  const Answer answer = client.ask(get("/"));
  EXPECT_EQ(answer.status, 302);
  EXPECT_EQ(answer.body, "there");
  EXPECT_EQ(answer.retry_after, std::nullopt);
}

// A variable of the environment while it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(Network, AsksTheProxyOfTheConnectionButNoneForThisMachine) {
  TestServer server(echo);
  Connection connection = connection_to("http://kube.test");
  connection.proxy_url = server.url();
  const Variable none("no_proxy", "kube.test");
  EXPECT_TRUE(TestClient(connection)
                  .ask(get("/x"))
                  .body.starts_with("GET http://kube.test/x HTTP/1.1\r\n"));
  const Variable proxy("http_proxy", "http://127.0.0.1:1");
  EXPECT_TRUE(TestClient(server.url()).ask(get("/x")).body.starts_with("GET /x HTTP/1.1\r\n"));
}

TEST(Network, UnpacksWhatIsCompressedIfItMayBe) {
  static const std::string kHello(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05\x00"
      "\x00\x00",
      25);
  TestServer server(each_request([](Peer& peer, const std::string& request) {
    if (header_in(request, "Accept-Encoding") == "gzip") {
      peer.answer(kHello, "200 OK", "Content-Encoding: gzip\r\n");
    } else {
      peer.answer("plain");
    }
  }));
  TestClient client(server.url());
  EXPECT_EQ(client.ask(get("/")).body, "hello");
  EXPECT_EQ(client.ask(get("/?watch=true")).body, "plain");
  Connection connection = connection_to(server.url());
  connection.compression = false;
  EXPECT_EQ(TestClient(connection).ask(get("/")).body, "plain");
}

// Each part of an answer, from nothing to the whole, and then the end of the connection.
TEST(Network, AnAnswerThatIsCutAnywhereIsLost) {
  const std::string whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: y\r\n\r\nhello";
  TestServer server([&](Peer& peer, int number) {
    peer.read_request();
    peer.write(whole.substr(0, static_cast<size_t>(number)));
  });
  TestClient client(server.url());
  for (size_t size = 0; size < whole.size(); ++size) {
    const Answer answer = client.ask(get("/"));
    EXPECT_EQ(answer.fate, Fate::kLost) << size;
    EXPECT_EQ(answer.body, "") << size;
    EXPECT_NE(answer.error, "") << size;
    EXPECT_FALSE(answer.ok());
  }
  const Answer answer = client.ask(get("/"));
  EXPECT_EQ(answer.fate, Fate::kAnswered);
  EXPECT_EQ(answer.body, "hello");
}

TEST(Network, AStreamThatIsCutAnywhereIsLost) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string whole = head + "5\r\nhello\r\n3\r\nyou\r\n0\r\n\r\n";
  TestServer server([&](Peer& peer, int number) {
    peer.read_request();
    peer.write(whole.substr(0, static_cast<size_t>(number)));
  });
  TestClient client(server.url());
  // The very last line break tells nothing more, and libcurl does not wait for it.
  for (size_t size = 0; size < whole.size() - 1; ++size) {
    std::string data;
    const Answer answer = client.watch(get("/?watch=1"), data);
    EXPECT_EQ(answer.fate, Fate::kLost) << size;
    EXPECT_TRUE(std::string_view("helloyou").starts_with(data)) << data;
  }
  std::string data;
  const Answer answer = client.watch(get("/?watch=1"), data);
  EXPECT_EQ(answer.fate, Fate::kAnswered);
  EXPECT_EQ(answer.body, "");
  EXPECT_EQ(data, "helloyou");
}

TEST(Network, AStreamComesAsItIsSent) {
  std::promise<void> other_seen;
  TestServer server([&](Peer& peer, int) {
    const std::string request = peer.read_request();
    if (request.starts_with("GET /other")) {
      peer.answer("");
      other_seen.set_value();
      return;
    }
    peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n");
    // Goes on only after the client has acted upon the first part.
    other_seen.get_future().wait_for(seconds(20));
    peer.write("1\r\n!\r\n0\r\n\r\n");
  });
  TestClient client(server.url());
  std::vector<std::string> seen;
  client.stream(
      get("/?watch=1"),
      [&](std::string_view part) {
        seen.emplace_back(part);
        if (part == "{}") client.send(get("/other"), [&](Answer) { seen.push_back("other"); });
      },
      [&](Answer answer) {
        EXPECT_EQ(answer.fate, Fate::kAnswered);
        client.stop();
      });
  client.run_to_stop();
  std::sort(seen.begin(), seen.end());  // the other answer may come last
  EXPECT_THAT(seen, ElementsAre("!", "other", "{}"));
}

TEST(Network, ARefusedStreamHasItsBodyInTheAnswer) {
  TestServer server([](Peer& peer, int number) {
    peer.read_request();
    peer.answer(number == 0 ? std::string("gone") : std::string((1 << 20) + 1, 'x'), "410 Gone");
  });
  TestClient client(server.url());
  std::string data;
  Answer answer = client.watch(get("/?watch=1"), data);
  EXPECT_EQ(answer.fate, Fate::kAnswered);
  EXPECT_EQ(answer.status, 410);
  EXPECT_EQ(answer.body, "gone");
  answer = client.watch(get("/?watch=1"), data);
  EXPECT_EQ(answer.fate, Fate::kLost);
  EXPECT_EQ(answer.status, 410);
  EXPECT_THAT(answer.error, HasSubstr("more than 1"));
  EXPECT_EQ(data, "");
}

TEST(Network, ABodyIsBoundedButNotAStream) {
  TestServer server(
      each_request([](Peer& peer, const std::string&) { peer.answer("hello world"); }));
  TestClient client(server.url(), {.most_body = 10});
  const Answer answer = client.ask(get("/"));
  EXPECT_EQ(answer.fate, Fate::kLost);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.error, server.url() + ": the answer has more than 10 B");
  std::string data;
  EXPECT_TRUE(client.watch(get("/"), data).ok());
  EXPECT_EQ(data, "hello world");
  TestClient other(server.url(), {.most_body = 11});
  EXPECT_EQ(other.ask(get("/")).body, "hello world");
}

TEST(Network, NothingIsSentWhereNobodyListens) {
  // Bound, so that nobody else takes the port, and not listening.
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(socket.number(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  TestClient client("http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)));
  const Answer answer = client.ask(post("/", "{}"));
  EXPECT_EQ(answer.fate, Fate::kNotSent);
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.error, HasSubstr("http://127.0.0.1:"));
  EXPECT_THAT(answer.error, HasSubstr("connect"));
}

TEST(Network, AWriteIsNeverSentTwice) {
  std::atomic<int> requests = 0;
  // A connection ends with its second request, without an answer.
  TestServer server([&](Peer& peer, int) {
    if (peer.read_request().empty()) return;
    ++requests;
    peer.answer("first");
    if (!peer.read_request().empty()) ++requests;
  });
  TestClient client(server.url());
  EXPECT_EQ(client.ask(get("/")).body, "first");
  const Answer answer = client.ask(post("/binding", "{}"));
  EXPECT_EQ(answer.fate, Fate::kLost);
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.error, HasSubstr("ended before the answer"));
  EXPECT_EQ(requests, 2);
  EXPECT_EQ(client.ask(get("/")).body, "first");
  EXPECT_EQ(client.ask(get("/")).body, "first");  // a read is sent again
  EXPECT_EQ(requests, 5);
}

TEST(Network, ARequestIsAskedWhetherItMayLeaveWhenItDoes) {
  std::atomic<int> requests = 0;
  TestServer server(each_request([&](Peer& peer, const std::string&) {
    ++requests;
    peer.answer("done");
  }));
  TestClient client(server.url(), {.connections = 1});
  Request write = post("/binding", "{}");
  write.may_leave = [&] { return requests == 0; };
  EXPECT_EQ(client.ask(write).body, "done");
  requests = 0;
  client.send(get("/first"), [](const Answer&) {});
  const Answer answer = client.ask(write);  // waits for the connection
  EXPECT_EQ(answer.fate, Fate::kNotSent);
  EXPECT_EQ(answer.error, server.url() + ": the request may not leave any more");
  EXPECT_EQ(requests, 1);
  EXPECT_EQ(client.ask(get("/")).body, "done");
}

TEST(Network, ALimitEndsARequest) {
  TestServer server([](Peer& peer, int) {
    peer.read_request();
    peer.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel");
    wait_for_close(peer);
  });
  TestClient client(server.url());
  Request request = post("/", "{}");
  request.limit = milliseconds(500);
  const Answer answer = client.ask(request);
  EXPECT_EQ(answer.fate, Fate::kLost);
  EXPECT_EQ(answer.body, "");
  EXPECT_EQ(answer.error, server.url() + ": no complete answer within 500 ms");
}

TEST(Network, ALimitBeforeThereIsAConnectionMeansNotSent) {
  // No TLS is agreed.
  TestServer server([](Peer& peer, int) {
    while (peer.read(1).size() == 1) {
    }
  });
  const std::string url = "https://127.0.0.1:" + std::to_string(server.port());
  TestClient client(url, {.connect_limit = milliseconds(40)});
  Request request = post("/", "{}");
  Answer answer = client.ask(request);
  EXPECT_EQ(answer.fate, Fate::kNotSent);
  EXPECT_EQ(answer.error, url + ": no connection within 40 ms");
  request.limit = milliseconds(20);
  answer = client.ask(request);
  EXPECT_EQ(answer.fate, Fate::kNotSent);
  EXPECT_EQ(answer.error, url + ": no complete answer within 20 ms");
  // Those that wait for the first one's connection end with it, not one after the other.
  int ended = 0;
  for (int i = 0; i < 20; ++i)
    client.send(get("/"), [&](Answer one) {
      EXPECT_EQ(one.fate, Fate::kNotSent);
      if (++ended == 20) client.stop();
    });
  client.run_to_stop();
  EXPECT_EQ(ended, 20);
}

TEST(Network, RequestsBeyondTheConnectionsWait) {
  TestServer server(echo);
  TestClient client(server.url(), {.connections = 2});
  int ended = 0;
  for (int i = 0; i < 20; ++i)
    client.send(get("/"), [&](Answer answer) {
      EXPECT_TRUE(answer.ok());
      if (++ended == 20) client.stop();
    });
  client.run_to_stop();
  EXPECT_LE(server.connections(), 2);
}

TEST(Network, NoFunctionIsCalledWithinACall) {
  TestServer server(echo);
  TestClient client(server.url());
  bool within = true;
  client.send(get("/"), [&](Answer) {
    EXPECT_FALSE(within);
    within = true;
    client.after(Time(0), [&] {
      EXPECT_FALSE(within);
      client.stop();
    });
    within = false;
  });
  client.post([&] { EXPECT_FALSE(within); });
  within = false;
  client.run_to_stop();
}

TEST(Network, ACancelledRequestIsSilentAndItsConnectionEnds) {
  std::promise<void> closed;
  TestServer server([&](Peer& peer, int) {
    peer.read_request();
    peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
    peer.write("1\r\nb\r\n");
    wait_for_close(peer);
    closed.set_value();
  });
  TestClient client(server.url());
  int parts = 0;
  uint64_t number = 0;
  number = client.stream(
      get("/?watch=1"),
      [&](std::string_view) {
        ++parts;
        client.cancel(number);
        client.cancel(number);
        client.after(milliseconds(1), [&] { client.stop(); });
      },
      [](Answer) { ADD_FAILURE(); });
  client.run_to_stop();
  EXPECT_EQ(parts, 1);
  EXPECT_EQ(closed.get_future().wait_for(seconds(20)), std::future_status::ready);
  client.cancel(number);
  client.cancel(0);
}

TEST(Network, ARequestThatHasNotBegunIsCancelled) {
  TestServer server(echo);
  TestClient client(server.url());
  client.cancel(client.send(get("/"), [](Answer) { ADD_FAILURE(); }));
  EXPECT_TRUE(client.ask(get("/")).ok());
}

TEST(Network, OneOfTwoThatEndTogetherCancelsTheOther) {
  TestServer server(echo);
  TestClient client(server.url());
  int ended = 0;
  uint64_t numbers[2] = {};
  for (uint64_t& number : numbers)
    number = client.send(get("/"), [&](Answer) {
      ++ended;
      client.cancel(numbers[0]);
      client.cancel(numbers[1]);
      client.stop();
    });
  client.run_to_stop();
  EXPECT_TRUE(client.ask(get("/")).ok());
  EXPECT_EQ(ended, 1);
}

TEST(Network, WhatIsUnderWayAtTheEndIsSilent) {
  TestServer server([](Peer& peer, int) {
    peer.read_request();
    wait_for_close(peer);
  });
  TestClient client(server.url());
  client.send(get("/"), [](Answer) { ADD_FAILURE(); });
  client.after(milliseconds(1), [&] { client.stop(); });
  client.run_to_stop();
}

TEST(Network, AnUrgentRequestWaitsForNoOther) {
  std::promise<void> urgent_came;
  TestServer server([&](Peer& peer, int) {
    const std::string request = peer.read_request();
    if (request.starts_with("GET /urgent"))
      urgent_came.set_value();
    else
      urgent_came.get_future().wait_for(seconds(20));
    peer.answer("");
  });
  TestClient client(server.url(), {.connections = 1});
  int ended = 0;
  const auto count = [&](const Answer& answer) {
    EXPECT_TRUE(answer.ok()) << answer.error;
    if (++ended == 2) client.stop();
  };
  client.send(get("/holds-the-connection"), count);
  Request urgent = get("/urgent");
  urgent.urgent = true;
  client.send(urgent, count);
  client.run_to_stop();
  EXPECT_EQ(server.connections(), 2);
}

}  // namespace
}  // namespace berth::kube
