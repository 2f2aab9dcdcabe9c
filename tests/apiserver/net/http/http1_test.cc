#include "tests/apiserver/net/http/http1.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apiserver/net/testing/fake_host.h"
#include "tests/apiserver/net/testing/fetch.h"
#include "tests/apiserver/net/testing/raw_client.h"
#include "tests/apiserver/net/testing/running_server.h"

namespace berth::apiserver {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr std::string_view kGet = "GET /a?b=c HTTP/1.1\r\nHost: h\r\n\r\n";

class Http1 : public testing::Test {
 protected:
  void answer(size_t which, std::string_view body) {
    host_.replies.at(which)->begin(200, {{"x", "y"}});
    host_.replies.at(which)->write(body);
    host_.replies.at(which)->end();
  }

  FakeHost host_;
  std::unique_ptr<Http1Session> session_ = std::make_unique<Http1Session>(host_);
};

TEST_F(Http1, AnswersOneRequestAfterTheOther) {
  for (size_t i = 0; i < 3; ++i) {
    session_->receive(kGet);
    EXPECT_EQ(produced(*session_), "");
    answer(i, "body");
    EXPECT_EQ(produced(*session_), "HTTP/1.1 200 OK\r\nx: y\r\ncontent-length: 4\r\n\r\nbody");
    EXPECT_FALSE(host_.replies[i]->open());
  }
  EXPECT_EQ(host_.requests[2].method, "GET");
  EXPECT_EQ(host_.requests[2].path, "/a");
  EXPECT_THAT(host_.requests[2].query, ElementsAre(Pair("b", "c")));
  EXPECT_THAT(host_.requests[2].headers, ElementsAre(Pair("host", "h")));
  EXPECT_FALSE(session_->finished());
  EXPECT_FALSE(session_->awaits());
}

TEST_F(Http1, TakesBytesOneByOne) {
  const std::string_view request =
      "POST /x HTTP/1.1\r\nX-One: 1\r\nContent-Length: 5\r\n\r\nhello"
      "PUT /y HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n"
      "0\r\nTrailer: t\r\n\r\n";
  size_t answered = 0;
  for (const char c : request) {
    session_->receive({&c, 1});
    if (host_.replies.size() > answered) {
      EXPECT_FALSE(session_->awaits());
      answer(answered++, "ok");
      EXPECT_NE(produced(*session_), "");
    } else {
      EXPECT_TRUE(session_->awaits());
    }
  }
  ASSERT_EQ(host_.requests.size(), 2u);
  EXPECT_EQ(host_.requests[0].method, "POST");
  EXPECT_EQ(host_.requests[0].body, "hello");
  EXPECT_THAT(host_.requests[0].headers, testing::Contains(Pair("x-one", "1")));
  EXPECT_EQ(host_.requests[1].path, "/y");
  EXPECT_EQ(host_.requests[1].body, "abc0123456789");
}

TEST_F(Http1, StreamsInChunks) {
  session_->receive(kGet);
  Reply& reply = *host_.replies[0];
  reply.begin(200, {});
  EXPECT_EQ(produced(*session_), "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
  reply.write("one");
  reply.write("0123456789abcdef");
  EXPECT_EQ(produced(*session_), "13\r\none0123456789abcdef\r\n");
  EXPECT_EQ(produced(*session_), "");
  reply.write("x");
  reply.end();
  EXPECT_EQ(produced(*session_), "1\r\nx\r\n0\r\n\r\n");
}

TEST_F(Http1, ProducesNoMoreThanIsAskedFor) {
  session_->receive(kGet);
  answer(0, std::string(1000, 'x'));
  std::string all, part;
  while (!(part = produced(*session_, 100)).empty()) {
    EXPECT_LE(part.size(), 100u);
    all += part;
  }
  EXPECT_TRUE(all.ends_with("content-length: 1000\r\n\r\n" + std::string(1000, 'x')));
}

TEST_F(Http1, PipelinedRequestsAreAnsweredInOrder) {
  session_->receive(std::string(kGet) + "GET /second HTTP/1.1\r\n\r\nGET /thi");
  ASSERT_EQ(host_.requests.size(), 1u);
  answer(0, "first");
  EXPECT_TRUE(produced(*session_).ends_with("first"));
  ASSERT_EQ(host_.requests.size(), 2u);
  session_->receive("rd HTTP/1.1\r\n\r\n");
  answer(1, "second");
  EXPECT_TRUE(produced(*session_).ends_with("second"));
  ASSERT_EQ(host_.requests.size(), 3u);
  EXPECT_EQ(host_.requests[2].path, "/third");
}

TEST_F(Http1, ReadsNoMoreAheadThanALimit) {
  session_->receive(kGet);
  EXPECT_TRUE(session_->reads());
  for (int i = 0; i < 64; ++i) session_->receive(std::string(1024, 'G'));
  EXPECT_FALSE(session_->reads());
}

TEST_F(Http1, TellsAClientThatWaitsToContinue) {
  session_->receive("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(produced(*session_), "HTTP/1.1 100 Continue\r\n\r\n");
  session_->receive("a");
  EXPECT_EQ(produced(*session_), "");
  session_->receive("b");
  ASSERT_EQ(host_.requests.size(), 1u);
  EXPECT_EQ(host_.requests[0].body, "ab");
}

TEST_F(Http1, AnswersWithoutABody) {
  session_->receive("HEAD / HTTP/1.1\r\n\r\n");
  answer(0, "body");
  EXPECT_EQ(produced(*session_), "HTTP/1.1 200 OK\r\nx: y\r\ncontent-length: 4\r\n\r\n");
  session_->receive(kGet);
  host_.replies[1]->begin(204, {});
  host_.replies[1]->end();
  EXPECT_EQ(produced(*session_), "HTTP/1.1 204 No Content\r\n\r\n");
}

TEST_F(Http1, ClosesWhereTheClientAsks) {
  session_->receive("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  answer(0, "bye");
  EXPECT_FALSE(session_->finished());
  EXPECT_EQ(produced(*session_),
            "HTTP/1.1 200 OK\r\nx: y\r\ncontent-length: 3\r\nconnection: close\r\n\r\nbye");
  EXPECT_TRUE(session_->finished());
}

TEST_F(Http1, CutsBehindWhatWasWritten) {
  session_->receive(kGet);
  host_.replies[0]->begin(200, {});
  host_.replies[0]->write("half");
  host_.replies[0]->cut();
  EXPECT_EQ(produced(*session_),
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n");
  EXPECT_TRUE(session_->finished());
}

TEST_F(Http1, CutsBeforeItBegins) {
  session_->receive(kGet);
  host_.replies[0]->cut();
  EXPECT_EQ(produced(*session_), "");
  EXPECT_TRUE(session_->finished());
}

TEST_F(Http1, SlowRepliesEnd) {
  host_.options_.unsent_bytes = 10;
  session_->receive(kGet);
  Reply& reply = *host_.replies[0];
  reply.begin(200, {});
  reply.write("0123456789");
  session_->end_slow_replies();
  EXPECT_TRUE(reply.open());
  reply.write("x");
  session_->end_slow_replies();
  EXPECT_FALSE(reply.open());
  reply.write("is passed over");
  EXPECT_TRUE(produced(*session_).ends_with("\r\n0123456789x"));
  EXPECT_FALSE(session_->finished());
}

TEST_F(Http1, AReplyThatHasEndedIsNotSlow) {
  host_.options_.unsent_bytes = 10;
  session_->receive(kGet);
  answer(0, "0123456789abcdef");
  session_->end_slow_replies();
  EXPECT_TRUE(produced(*session_).ends_with("0123456789abcdef"));
}

TEST_F(Http1, RepliesOutliveTheSession) {
  session_->receive(kGet);
  host_.replies[0]->begin(200, {});
  EXPECT_TRUE(host_.replies[0]->open());
  session_.reset();
  EXPECT_FALSE(host_.replies[0]->open());
  host_.replies[0]->write("is passed over");
  host_.replies[0]->end();
}

TEST_F(Http1, RefusesWhatItCannotRead) {
  host_.options_.header_bytes = 1000;
  host_.options_.body_bytes = 1000;
  const std::string much(2000, 'm');
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"garbage\r\n\r\n", "400 Bad Request"},
      {std::string("\0\x16\x03\r\n\r\n", 7), "400 Bad Request"},
      {"GET http://h/ HTTP/1.1\r\n\r\n", "400 Bad Request"},
      {"GET /%zz HTTP/1.1\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/1.1\r\nno colon\r\n\r\n", "400 Bad Request"},
      {"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400 Bad Request"},
      {"PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "400 Bad Request"},
      {"GET / HTTP/1.0\r\n\r\n", "505 HTTP Version Not Supported"},
      {"GET / HTTP/1.1\r\nX: " + much, "431 Request Header Fields Too Large"},
      {"GET /" + much, "431 Request Header Fields Too Large"},
      {"PUT / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n", "413 Payload Too Large"},
      {"PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n", "413 Payload Too Large"},
      {"PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;" + much,
       "431 Request Header Fields Too Large"},
  };
  for (const auto& [request, status] : cases) {
    Http1Session session(host_);
    session.receive(request);
    EXPECT_EQ(produced(session),
              "HTTP/1.1 " + status + "\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
        << request;
    EXPECT_TRUE(session.finished());
  }
  EXPECT_EQ(host_.requests.size(), 0u);
}

TEST(Http1Connection, CutsAtEachByte) {
  RunningServer server;
  for (size_t at = 0; at <= 40; ++at) {
    RawClient client(server.port());
    client.send("GET /cut?at=" + std::to_string(at) + " HTTP/1.1\r\n\r\n");
    char size[8];
    std::snprintf(size, sizeof size, "%zx", at);
    const std::string chunk = size + ("\r\n" + pattern(at)) + "\r\n";
    EXPECT_EQ(client.read_all(),
              "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + (at == 0 ? "" : chunk));
  }
  RawClient client(server.port());
  client.send("GET /never HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client.read_all(), "");
}

TEST(Http1Connection, IsKept) {
  RunningServer server;
  RawClient client(server.port());
  for (const char* name : {"/first", "/second"}) {
    client.send(std::string("GET ") + name + " HTTP/1.1\r\n\r\n");
    const std::string body = std::string("GET ") + name + "\n\n";
    EXPECT_TRUE(client.read_until(body).ends_with("\r\n\r\n" + body));
  }
}

TEST(Http1Connection, ServesLibcurl) {
  RunningServer server;
  FetchOptions options;
  options.http2 = false;
  Fetched fetched = fetch(server.port(), "/parts?count=3", options);
  EXPECT_EQ(fetched.code, CURLE_OK);
  EXPECT_EQ(fetched.version, CURL_HTTP_VERSION_1_1);
  EXPECT_EQ(fetched.body, "part 0\npart 1\npart 2\n");
  options.method = "POST";
  options.body = pattern(2 << 20);  // libcurl then waits to be told to continue
  fetched = fetch(server.port(), "/echo?a=b", options);
  EXPECT_EQ(fetched.code, CURLE_OK);
  EXPECT_EQ(fetched.body, "POST /echo\na=b\n\n" + options.body);
  EXPECT_TRUE(fetched.head.starts_with("HTTP/1.1 100 Continue\r\n")) << fetched.head;
}

TEST(Http1Connection, TellsTheHandlerThatTheClientWent) {
  RunningServer server;
  {
    RawClient client(server.port());
    client.send("GET /until HTTP/1.1\r\n\r\n");
    client.read_until("\r\n\r\n");
  }
  soon(server.handler().went());
}

}  // namespace
}  // namespace berth::apiserver
