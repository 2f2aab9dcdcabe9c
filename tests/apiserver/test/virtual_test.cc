#include <optional>

#include "tests/apiserver/test/testing.h"
#include "tests/apiserver/virtual/http.h"
#include "tests/apiserver/virtual/target.h"

namespace berth::apiserver::testing {
namespace {

using Action = FaultRule::Action;
using Fate = kube::Answer::Fate;
constexpr Time kMs = std::chrono::milliseconds(1);

class VirtualTime : public ::testing::Test {
 protected:
  explicit VirtualTime(Network network = {.least = kMs, .most = kMs})
      : http(loop, server, network) {}

  uint64_t send(kube::Method method, std::string path, std::string body = {}, Time limit = {}) {
    return http.send({method, std::move(path), "application/json", std::move(body), limit},
                     [this](kube::Answer given) {
                       EXPECT_FALSE(answer);
                       answer = std::move(given);
                       answered_at = loop.now();
                     });
  }
  kube::Answer take() {
    EXPECT_TRUE(answer);
    return *std::exchange(answer, std::nullopt);
  }
  uint64_t create_node(std::string_view name, Time limit = {}) {
    return send(kube::Method::kPost, kNodes,
                "{\"metadata\":{\"name\":\"" + std::string(name) + "\"}}", limit);
  }
  uint64_t watch_nodes() {
    kube::Request request;
    request.path =
        std::string(kNodes) + "?watch=1&resourceVersion=" + std::to_string(server.revision());
    return http.stream(
        std::move(request), [this](std::string_view part) { seen += part; },
        [this](kube::Answer given) { answer = std::move(given); });
  }

  VirtualLoop loop{1'700'000'000 * kSecond};
  VirtualClock clock{loop};
  ApiServer server{{}, clock};
  VirtualHttp http;
  std::optional<kube::Answer> answer;
  Time answered_at{};
  std::string seen;
};

TEST_F(VirtualTime, TimersComeInOrder) {
  std::string order;
  loop.at(2 * kMs, [&] { order += 'c'; });
  loop.at(kMs, [&] {
    order += 'a';
    loop.at(Time(), [&] { order += 'b'; });
  });
  const uint64_t cancelled = loop.at(kMs, [&] { order += 'x'; });
  loop.cancel(cancelled);
  loop.cancel(0);
  loop.run_until(5 * kMs);
  EXPECT_EQ(order, "abc");
  EXPECT_EQ(loop.now(), 5 * kMs);
  const Nanoseconds before = clock.now();
  loop.jump(-kSecond);
  EXPECT_EQ(loop.wall(), before - kSecond);
  EXPECT_EQ(clock.now(), before);
}

TEST_F(VirtualTime, AnAnswerTakesBothWays) {
  send(kube::Method::kGet, "/api/v1/pods?fieldSelector=spec.nodeName%3Dn%2D1&limit=5");
  EXPECT_FALSE(answer);
  loop.run_for(kMs * 10);
  EXPECT_EQ(answered_at, 2 * kMs);
  const kube::Answer got = take();
  EXPECT_TRUE(got.ok());
  EXPECT_EQ(text_at(json::parse(got.body), "kind"), "PodList");
  EXPECT_EQ(http.open(), 0u);
}

TEST_F(VirtualTime, AStreamComesAsItGrows) {
  const uint64_t number = watch_nodes();
  create_node("a");
  loop.run_for(10 * kMs);
  EXPECT_EQ(take().status, 201);
  EXPECT_NE(seen.find("\"name\":\"a\""), seen.npos);
  EXPECT_EQ(http.open(), 1u);
  http.cancel(number);
  EXPECT_EQ(http.open(), 0u);
  seen.clear();
  create_node("b");
  loop.run_for(10 * kMs);
  EXPECT_TRUE(seen.empty());
}

TEST_F(VirtualTime, ACancelledRequestIsHandled) {
  http.cancel(create_node("a"));
  loop.run_for(10 * kMs);
  EXPECT_FALSE(answer);
  send(kube::Method::kGet, std::string(kNodes) + "/a");
  loop.run_for(10 * kMs);
  EXPECT_EQ(take().status, 200);
}

TEST_F(VirtualTime, ABrokenAnswerIsLost) {
  server.faults().add({.action = Action::kCutAfter, .count = 1});
  create_node("a");
  loop.run_for(10 * kMs);
  const kube::Answer lost = take();
  EXPECT_EQ(lost.fate, Fate::kLost);
  EXPECT_EQ(lost.status, 0);
  EXPECT_FALSE(lost.error.empty());
  server.faults().add({.action = Action::kTooManyRequests, .count = 1});
  create_node("a");
  loop.run_for(10 * kMs);
  const kube::Answer refused = take();
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.retry_after, Time(kSecond));
  create_node("a");
  loop.run_for(10 * kMs);
  EXPECT_EQ(take().status, 409);
}

TEST_F(VirtualTime, ALimitEndsARequest) {
  server.faults().add({.action = Action::kDelay, .delay = kSecond});
  create_node("a", 5 * kMs);
  loop.run_for(5 * kMs);
  EXPECT_EQ(take().fate, Fate::kLost);
  create_node("b", kMs / 2);
  loop.run_for(5 * kMs);
  EXPECT_EQ(take().fate, Fate::kNotSent);
  loop.run_for(Time(3 * kSecond));
  server.faults().clear();
  send(kube::Method::kGet, kNodes);
  loop.run_for(5 * kMs);
  EXPECT_EQ(names_of(json::parse(take().body)), std::vector<std::string>{"a"});
}

TEST_F(VirtualTime, WithoutConnectionNothingComes) {
  watch_nodes();
  loop.run_for(5 * kMs);
  http.set_connected(false);
  EXPECT_FALSE(answer);
  loop.run_for(Time());
  EXPECT_EQ(take().fate, Fate::kLost);
  create_node("a");
  loop.run_for(5 * kMs);
  EXPECT_EQ(take().fate, Fate::kNotSent);
  http.set_connected(true);
  create_node("a");
  loop.run_for(5 * kMs);
  EXPECT_EQ(take().status, 201);
}

class DrawnNetwork : public VirtualTime {
 protected:
  DrawnNetwork()
      : VirtualTime({.seed = 3, .least = kMs, .most = 9 * kMs, .refused = 0.3, .largest_part = 7}) {
  }
};

TEST_F(DrawnNetwork, KeepsTheOrderOfAStreamAndRefusesSome) {
  kube::Request request;
  request.path = std::string(kNodes) + "?watch=1";
  int refused = 0, made = 0;
  http.stream(
      std::move(request),
      [this](std::string_view part) {
        EXPECT_LE(part.size(), 7u);
        seen += part;
      },
      [](const kube::Answer&) { ADD_FAILURE(); });
  loop.run_for(20 * kMs);
  ASSERT_EQ(server.open_watches(), 1u);
  for (int i = 0; i < 100; ++i) {
    create_node("n" + std::to_string(i));
    loop.run_for(Time(kSecond));
    const kube::Answer got = take();
    refused += got.fate == Fate::kNotSent;
    made += got.status == 201;
  }
  EXPECT_EQ(made + refused, 100);
  EXPECT_GT(refused, 15);
  EXPECT_LT(refused, 45);
  int lines = 0;
  for (size_t at = 0, end; (end = seen.find('\n', at)) != seen.npos; at = end + 1, ++lines) {
    EXPECT_EQ(text_at(json::parse(seen.substr(at, end - at)), "type"), "ADDED");
  }
  EXPECT_EQ(lines, made);
}

TEST(Targets, AreDecoded) {
  std::string path;
  std::map<std::string, std::string> query;
  ASSERT_TRUE(parse_target("/a%2Fb?x=1%2C+2&y&x=3", path, query));
  EXPECT_EQ(path, "/a/b");
  EXPECT_EQ(query, (std::map<std::string, std::string>{{"x", "3"}, {"y", ""}}));
  EXPECT_FALSE(parse_target("/%2", path, query));
  EXPECT_FALSE(parse_target("/%zz", path, query));
}

}  // namespace
}  // namespace berth::apiserver::testing
