#include "tests/apiserver/net/http/http2.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apiserver/net/testing/fake_host.h"
#include "tests/apiserver/net/testing/fetch.h"
#include "tests/apiserver/net/testing/http2_client.h"
#include "tests/apiserver/net/testing/running_server.h"

namespace berth::apiserver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class Http2 : public testing::Test {
 protected:
  void exchange(size_t step = SIZE_MAX) { apiserver::exchange(client_, *session_, step); }
  Reply& reply(size_t which) { return *host_.replies.at(which); }
  std::string status(int32_t stream) { return client_.answer(stream).headers[":status"]; }
  // Answers the request and returns its stream.
  int32_t answered(const std::string& method, int with, const std::string& body) {
    const int32_t stream = client_.ask(method, "/");
    exchange();
    Reply& reply = *host_.replies.back();
    reply.begin(with, {{"x", "y"}});
    reply.write(body);
    reply.end();
    exchange();
    return stream;
  }
  void expect_refused(int32_t stream, const std::string& with) {
    EXPECT_EQ(status(stream), with);
    EXPECT_EQ(client_.answer(stream).body, "");
    EXPECT_TRUE(client_.answer(stream).closed);
    EXPECT_EQ(client_.answer(stream).error, uint32_t{NGHTTP2_NO_ERROR});
    EXPECT_FALSE(session_->awaits());
  }

  FakeHost host_;
  std::unique_ptr<Http2Session> session_ = std::make_unique<Http2Session>(host_);
  Http2Client client_;
};

TEST_F(Http2, HandsRequestsOn) {
  const int32_t stream =
      client_.ask("PUT", "/a%20b?c=d+e", "body", {{"x-one", "1"}, {"x-one", "2"}});
  exchange(1);  // byte by byte
  ASSERT_EQ(host_.requests.size(), 1u);
  const Request& request = host_.requests[0];
  EXPECT_EQ(request.method, "PUT");
  EXPECT_EQ(request.path, "/a b");
  EXPECT_EQ(request.body, "body");
  EXPECT_THAT(request.query, ElementsAre(Pair("c", "d e")));
  EXPECT_THAT(request.headers, ElementsAre(Pair("host", "server"), Pair("x-one", "1, 2")));
  EXPECT_FALSE(client_.answer(stream).closed);
}

TEST_F(Http2, AnswersAtOnce) {
  const int32_t stream = answered("GET", 201, "text");
  EXPECT_THAT(client_.answer(stream).headers, ElementsAre(Pair(":status", "201"), Pair("x", "y")));
  EXPECT_EQ(client_.answer(stream).body, "text");
  EXPECT_TRUE(client_.answer(stream).closed);
  EXPECT_EQ(client_.answer(stream).error, uint32_t{NGHTTP2_NO_ERROR});
  EXPECT_FALSE(reply(0).open());
}

TEST_F(Http2, AnswersWithoutABody) {
  EXPECT_EQ(client_.answer(answered("GET", 200, "")).body, "");
  for (const int32_t stream : {answered("HEAD", 200, "text"), answered("GET", 204, "text"),
                               answered("GET", 304, "text")}) {
    EXPECT_EQ(client_.answer(stream).body, "");
    EXPECT_TRUE(client_.answer(stream).closed);
    EXPECT_EQ(client_.answer(stream).error, uint32_t{NGHTTP2_NO_ERROR});
  }
}

TEST_F(Http2, StreamsParts) {
  const int32_t stream = client_.ask("GET", "/");
  exchange();
  reply(0).begin(200, {});
  exchange();
  EXPECT_EQ(status(stream), "200");
  std::string body;
  for (const char* part : {"one", "two", "three"}) {
    reply(0).write(part);
    exchange();
    body += part;
    EXPECT_EQ(client_.answer(stream).body, body);
  }
  EXPECT_FALSE(client_.answer(stream).closed);
  reply(0).end();
  exchange();
  EXPECT_TRUE(client_.answer(stream).closed);
  EXPECT_EQ(client_.answer(stream).body, body);
}

TEST_F(Http2, ServesManyStreamsAtOnce) {
  std::vector<int32_t> streams;
  for (int i = 0; i < 1000; ++i) streams.push_back(client_.ask("GET", "/" + std::to_string(i)));
  exchange();
  ASSERT_EQ(host_.requests.size(), 250u);  // the limit; the client keeps the others
  for (size_t i = 0; i < 1000; ++i) {
    reply(i).begin(200, {});
    reply(i).write(host_.requests.at(i).path);
    reply(i).end();
    exchange();
  }
  for (size_t i = 0; i < 1000; ++i)
    EXPECT_EQ(client_.answer(streams[i]).body, "/" + std::to_string(i));
}

TEST_F(Http2, CutsAtEachByte) {
  const int32_t other = client_.ask("GET", "/");
  exchange();
  reply(0).begin(200, {});
  for (size_t at = 0; at <= 40; ++at) {
    const int32_t stream = client_.ask("GET", "/");
    exchange();
    reply(0).write(".");
    Reply& cut = *host_.replies.back();
    cut.begin(200, {});
    cut.write(pattern(at).substr(0, at / 2));
    if (at % 2 == 0) exchange();
    cut.write(pattern(at).substr(at / 2));
    cut.cut();
    exchange();
    EXPECT_EQ(status(stream), "200");
    EXPECT_EQ(client_.answer(stream).body, pattern(at));
    EXPECT_EQ(client_.answer(stream).error, uint32_t{NGHTTP2_INTERNAL_ERROR});
    EXPECT_FALSE(cut.open());
  }
  EXPECT_EQ(client_.answer(other).body, std::string(41, '.'));
  EXPECT_FALSE(client_.answer(other).closed);
}

TEST_F(Http2, CutsBeforeItBegins) {
  const int32_t stream = client_.ask("GET", "/");
  exchange();
  reply(0).cut();
  exchange();
  EXPECT_TRUE(client_.answer(stream).headers.empty());
  EXPECT_EQ(client_.answer(stream).error, uint32_t{NGHTTP2_INTERNAL_ERROR});
}

TEST_F(Http2, ClientsGo) {
  const int32_t stream = client_.ask("GET", "/");
  client_.ask("GET", "/");
  client_.ask("GET", "/");
  exchange();
  reply(0).begin(200, {});
  reply(1).begin(200, {});
  client_.reset(stream);
  EXPECT_TRUE(reply(0).open());
  exchange();
  EXPECT_FALSE(reply(0).open());
  EXPECT_TRUE(reply(1).open());
  EXPECT_TRUE(reply(2).open());
  session_.reset();
  EXPECT_FALSE(reply(1).open());
  EXPECT_FALSE(reply(2).open());
  for (const auto& gone : host_.replies) gone->write("is passed over");
  reply(2).begin(200, {});
}

TEST_F(Http2, ClientsSayGoodbye) {
  answered("GET", 200, "text");
  EXPECT_FALSE(session_->finished());
  client_.goodbye();
  exchange();
  EXPECT_TRUE(session_->finished());
}

TEST_F(Http2, AwaitsTheRestOfARequest) {
  EXPECT_TRUE(session_->awaits());  // the preface and settings
  exchange();
  EXPECT_FALSE(session_->awaits());
  const int32_t stream = client_.ask("PUT", "/", std::string(2 << 20, 'x'));  // two windows
  size_t awaited = 0;
  FakeHost& host = host_;
  while (host.requests.empty()) {
    exchange(1000);
    awaited += session_->awaits() ? 1 : 0;
    ASSERT_LT(awaited, 10u);
  }
  EXPECT_FALSE(session_->awaits());
  EXPECT_EQ(host_.requests[0].body.size(), size_t{2 << 20});
  EXPECT_FALSE(client_.answer(stream).closed);
}

TEST_F(Http2, RefusesWhatItDoesNotTake) {
  host_.options_.header_bytes = 2000;
  host_.options_.body_bytes = 1000;
  const std::string much(2000, 'm');
  const int32_t headers = client_.ask("GET", "/", "", {{"x", much}});
  const int32_t headers_and_body = client_.ask("PUT", "/", much, {{"x", much}});
  const int32_t body = client_.ask("PUT", "/", std::string(3 << 20, 'x'));
  const int32_t target = client_.ask("GET", "/%zz");
  const int32_t target_and_body = client_.ask("PUT", "/?%", "body");
  exchange();
  expect_refused(headers, "431");
  expect_refused(headers_and_body, "431");
  expect_refused(body, "413");
  expect_refused(target, "400");
  expect_refused(target_and_body, "400");
  EXPECT_EQ(host_.requests.size(), 0u);
  client_.ask("PUT", "/", std::string(1000, 'x'), {{"x", std::string(1700, 'm')}});
  exchange();
  EXPECT_EQ(host_.requests.size(), 1u);
}

TEST(Http2Slow, RepliesEnd) {
  FakeHost host;
  host.options_.unsent_bytes = 1000;
  Http2Session session(host);
  Http2Client client(false);
  const int32_t watch = client.ask("GET", "/"), whole = client.ask("GET", "/");
  exchange(client, session);
  Reply &slow = *host.replies.at(0), &ended = *host.replies.at(1);
  std::string body;
  const auto write = [&](Reply& reply, size_t bytes) {
    reply.write(std::string(bytes, 'x'));
    exchange(client, session);
    session.end_slow_replies();
  };
  slow.begin(200, {});
  ended.begin(200, {});
  write(slow, NGHTTP2_INITIAL_WINDOW_SIZE);  // what HTTP/2 lets go
  write(slow, 1000);
  EXPECT_TRUE(slow.open());
  write(slow, 1);
  EXPECT_FALSE(slow.open());
  slow.write("is passed over");
  // What is complete is not slow, however much it is.
  ended.write(std::string(5000, 'y'));
  ended.end();
  session.end_slow_replies();
  EXPECT_TRUE(ended.open());
  EXPECT_FALSE(client.answer(watch).closed);
  for (int i = 0; i < 3; ++i) {
    client.read();
    exchange(client, session);
  }
  EXPECT_EQ(client.answer(watch).body, std::string(NGHTTP2_INITIAL_WINDOW_SIZE + 1001, 'x'));
  EXPECT_EQ(client.answer(whole).body, std::string(5000, 'y'));
  for (const int32_t stream : {watch, whole}) {
    EXPECT_TRUE(client.answer(stream).closed);
    EXPECT_EQ(client.answer(stream).error, uint32_t{NGHTTP2_NO_ERROR});
  }
}

TEST(Http2Connection, ServesLibcurl) {
  RunningServer server;
  FetchOptions options;
  options.headers = {"X-One: 1", "X-Remote-User: admin"};
  Fetched fetched = fetch(server.port(), "/a%20b?c=d+e", options);
  EXPECT_EQ(fetched.code, CURLE_OK);
  EXPECT_EQ(fetched.version, CURL_HTTP_VERSION_2_0);
  EXPECT_EQ(fetched.status, 200);
  EXPECT_EQ(fetched.body, "GET /a b\nc=d e\nx-one: 1\n\n");
  EXPECT_THAT(fetched.head, HasSubstr("content-type: text/plain\r\n"));
  EXPECT_EQ(fetch(server.port(), "/parts?count=3").body, "part 0\npart 1\npart 2\n");
  options.method = "HEAD";
  fetched = fetch(server.port(), "/echo", options);
  EXPECT_EQ(fetched.code, CURLE_OK);
  EXPECT_EQ(fetched.status, 200);
  EXPECT_EQ(fetched.body, "");
}

TEST(Http2Connection, CarriesLargeBodies) {
  RunningServer server;
  RawClient socket(server.port());
  Http2Client client;
  const int32_t stream = client.ask("GET", "/large?bytes=20000000");
  exchange(client, socket, stream);
  EXPECT_EQ(client.answer(stream).body, pattern(20'000'000));
  EXPECT_EQ(client.answer(stream).error, uint32_t{NGHTTP2_NO_ERROR});
  FetchOptions options;
  options.method = "PUT";
  options.body = pattern(4 << 20);  // the limit
  EXPECT_EQ(fetch(server.port(), "/length", options).body, "4194304");
  options.body += 'x';
  EXPECT_EQ(fetch(server.port(), "/length", options).status, 413);
}

TEST(Http2Connection, CutsAtEachByte) {
  RunningServer server;
  RawClient socket(server.port());
  Http2Client client;
  for (size_t at = 0; at <= 40; ++at) {
    const int32_t stream = client.ask("GET", "/cut?at=" + std::to_string(at));
    exchange(client, socket, stream);
    EXPECT_EQ(client.answer(stream).body, pattern(at));
    EXPECT_EQ(client.answer(stream).error, uint32_t{NGHTTP2_INTERNAL_ERROR});
  }
  EXPECT_EQ(fetch(server.port(), "/cut?at=10").code, CURLE_HTTP2_STREAM);
  EXPECT_EQ(fetch(server.port(), "/never").code, CURLE_HTTP2_STREAM);
}

TEST(Http2Connection, TellsTheHandlerThatTheClientWent) {
  RunningServer server;
  {
    const std::unique_ptr<CURL, FreeWith<curl_easy_cleanup>> easy(curl_easy_init());
    const std::string url = "http://127.0.0.1:" + std::to_string(server.port()) + "/until";
    curl_easy_setopt(easy.get(), CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy.get(), CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy.get(), CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE});
    // Ends the transfer at the first header field.
    const auto refuse = +[](char*, size_t, size_t, void*) { return size_t{0}; };
    curl_easy_setopt(easy.get(), CURLOPT_HEADERFUNCTION, refuse);
    EXPECT_EQ(curl_easy_perform(easy.get()), CURLE_WRITE_ERROR);
  }
  soon(server.handler().went());
}

}  // namespace
}  // namespace berth::apiserver
