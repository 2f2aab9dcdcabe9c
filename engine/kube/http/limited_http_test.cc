#include "engine/kube/http/limited_http.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/kube/lease/lease_testing.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using lease_test::Journey;
using lease_test::Machine;
using lease_test::Wire;
using lease_test::World;
using testing::ElementsAre;
using testing::IsEmpty;

// All answers take 2 ms.
class Limited : public testing::Test {
 protected:
  Answer answer(const Request& request) {
    came.emplace_back(request.path, world.now() - 1ms);
    if (script.empty()) return {.status = 200, .body = request.body};
    Answer next = script.front();
    script.erase(script.begin());
    return next;
  }
  static Answer refusal(int status, std::optional<Time> retry_after) {
    Answer refused;
    refused.status = status;
    refused.retry_after = retry_after;
    return refused;
  }
  Http::Done ended(const std::string& name) {
    return [this, name](const Answer& answer) {
      const bool unsent = answer.fate == Answer::Fate::kNotSent;
      ends.push_back(name + " " + (unsent ? "unsent" : std::to_string(answer.status)) + " at " +
                     std::to_string(world.now() / 1ms));
    };
  }
  uint64_t send(LimitedHttp& http, const std::string& name, Time limit = {}) {
    return http.send(request(name, limit), ended(name));
  }
  static Request request(const std::string& name, Time limit = {}) {
    Request request;
    request.path = name;
    request.body = "body of " + name;
    request.limit = limit;
    return request;
  }
  // The times at which requests were sent, in milliseconds.
  std::vector<int64_t> sent() const {
    std::vector<int64_t> times;
    for (const auto& [name, time] : came) times.push_back(time / 1ms);
    return times;
  }

  World world;
  Machine machine{world};
  Wire wire{world, machine, [this](const Request& request) { return answer(request); }};
  std::vector<Answer> script;
  std::vector<std::pair<std::string, Time>> came;
  std::vector<std::string> ends;
};

TEST_F(Limited, SendsABurstAndThenAtTheRate) {
  LimitedHttp http(wire, machine, 50, 100);
  for (int i = 0; i < 250; ++i) send(http, std::to_string(i));
  world.run(1h);
  ASSERT_EQ(came.size(), 250u);
  for (int i = 0; i < 250; ++i) {
    EXPECT_EQ(came[i].first, std::to_string(i));
    EXPECT_EQ(came[i].second, i < 100 ? 0ms : (i - 99) * 20ms);
  }
  EXPECT_EQ(ends.size(), 250u);
}

TEST_F(Limited, TheBucketFillsUpWithTime) {
  LimitedHttp http(wire, machine, 10, 3);
  for (int i = 0; i < 3; ++i) send(http, "a");
  world.run(250ms);  // two tokens and a half
  for (int i = 0; i < 3; ++i) send(http, "b");
  world.run(10s);  // no more than three
  for (int i = 0; i < 4; ++i) send(http, "c");
  world.run(1h);
  EXPECT_THAT(sent(), ElementsAre(0, 0, 0, 250, 250, 300, 10000, 10000, 10000, 10100));
}

TEST_F(Limited, WithoutARateNothingWaits) {
  LimitedHttp http(wire, machine, 0, 0);
  for (int i = 0; i < 1000; ++i) send(http, "a");
  world.run(1ms);
  EXPECT_EQ(came.size(), 1000u);
}

TEST_F(Limited, StreamsTakeNoToken) {
  LimitedHttp http(wire, machine, 10, 1);
  std::string data;
  http.stream(
      request("w"), [&](std::string_view part) { data += part; }, ended("w"));
  send(http, "a");
  send(http, "b");
  http.stream(
      request("v"), [](std::string_view) {}, ended("v"));
  const uint64_t cancelled = http.stream(
      request("u"), [](std::string_view) {}, ended("u"));
  http.cancel(cancelled);
  world.run(1h);
  EXPECT_THAT(came, ElementsAre(std::pair("w", 0ms), std::pair("a", 0ms), std::pair("v", 0ms),
                                std::pair("u", 0ms), std::pair("b", 100ms)))
      << "also what was cancelled arrives";
  EXPECT_EQ(data, "body of w");
  EXPECT_THAT(ends, ElementsAre("w 200 at 2", "a 200 at 2", "v 200 at 2", "b 200 at 102"));
}

TEST_F(Limited, ACancelledRequestTakesNoToken) {
  LimitedHttp http(wire, machine, 10, 1);
  const uint64_t first = send(http, "a");
  const uint64_t second = send(http, "b", 5s);
  send(http, "c");
  http.cancel(first);  // was sent, so its token is gone
  http.cancel(second);
  http.cancel(second);
  http.cancel(0);
  world.run(1h);
  EXPECT_THAT(sent(), ElementsAre(0, 100));
  EXPECT_THAT(ends, ElementsAre("c 200 at 102"));
}

TEST_F(Limited, TheLimitCountsFromTheCall) {
  LimitedHttp http(wire, machine, 10, 1);
  wire.journey = [](const Request& request) { return Journey{.answer_lost = request.path == "c"}; };
  send(http, "a");
  send(http, "b", 99ms);
  send(http, "c", 150ms);  // sent at 100 ms, for 50 ms
  send(http, "d");
  world.run(1h);
  EXPECT_THAT(sent(), ElementsAre(0, 100, 200));
  EXPECT_THAT(ends, ElementsAre("a 200 at 2", "b unsent at 99", "c 0 at 150", "d 200 at 202"));
}

TEST_F(Limited, ALateLoopEndsNothingWithinACall) {
  LimitedHttp http(wire, machine, 10, 1);
  send(http, "a");
  send(http, "b", 50ms);
  world.jump(1s);
  send(http, "c");
  EXPECT_THAT(ends, IsEmpty());
  world.run(1h);
  EXPECT_THAT(ends, ElementsAre("b unsent at 1000", "a 200 at 1001", "c 200 at 1002"));
}

TEST_F(Limited, SendsARefusedRequestAgain) {
  LimitedHttp http(wire, machine, 1000, 100);
  script = {refusal(429, 1s), refusal(503, 2s)};
  send(http, "a");
  world.run(1h);
  EXPECT_THAT(sent(), ElementsAre(0, 1002, 3004));
  EXPECT_THAT(ends, ElementsAre("a 200 at 3006"));
}

TEST_F(Limited, ARequestThatIsSentAgainTakesItsTurn) {
  LimitedHttp http(wire, machine, 10, 1);
  script = {refusal(429, 0s)};
  send(http, "a");
  send(http, "b");
  world.run(1h);
  EXPECT_THAT(came, ElementsAre(std::pair("a", 0ms), std::pair("b", 100ms), std::pair("a", 200ms)));
}

TEST_F(Limited, GivesUpAfterTenRetries) {
  LimitedHttp http(wire, machine, 0, 0);
  script.assign(20, refusal(429, 1s));
  send(http, "a");
  world.run(1h);
  EXPECT_EQ(came.size(), 11u);
  EXPECT_THAT(ends, ElementsAre("a 429 at 10022"));
}

TEST_F(Limited, HandsOnOtherAnswers) {
  LimitedHttp http(wire, machine, 0, 0);
  script = {refusal(429, std::nullopt), refusal(500, std::nullopt), refusal(409, 1s),
            refusal(404, std::nullopt)};
  for (int i = 0; i < 4; ++i) send(http, std::to_string(i));
  script.push_back(refusal(429, 1s));
  http.stream(
      request("w"), [](std::string_view) {}, ended("w"));
  world.run(1h);
  EXPECT_EQ(came.size(), 5u);
  EXPECT_THAT(ends,
              ElementsAre("0 429 at 2", "1 500 at 2", "2 409 at 2", "3 404 at 2", "w 429 at 2"));
}

TEST_F(Limited, AWaitBeyondTheLimitIsNotBegun) {
  LimitedHttp http(wire, machine, 0, 0);
  script = {refusal(429, 1s), refusal(429, 1s), refusal(429, Time::max())};
  send(http, "a", 2s);
  world.run(10s);
  send(http, "b", 2s);
  world.run(1h);
  EXPECT_THAT(ends, ElementsAre("a 429 at 1004", "b 429 at 10002"));
}

TEST_F(Limited, WithoutASecondTurnTheFirstAnswerCounts) {
  LimitedHttp http(wire, machine, 1, 1);
  script = {refusal(503, 500ms)};
  send(http, "a", 900ms);
  world.run(1h);
  EXPECT_THAT(ends, ElementsAre("a 503 at 900"));
}

TEST_F(Limited, AWriteIsNotSentAgain) {
  LimitedHttp http(wire, machine, 0, 0);
  script = {refusal(503, 1s)};
  Request write = request("a");
  write.method = Method::kPost;
  http.send(write, ended("a"));
  world.run(1h);
  EXPECT_THAT(sent(), ElementsAre(0));
  EXPECT_THAT(ends, ElementsAre("a 503 at 2"));
}

TEST_F(Limited, EndsQuietly) {
  {
    LimitedHttp http(wire, machine, 10, 2);
    script = {refusal(429, 1s)};
    send(http, "a");
    world.run(10ms);
    send(http, "b");
    send(http, "c", 50ms);
    http.stream(
        request("w"), [](std::string_view) {}, ended("w"));
  }
  EXPECT_EQ(wire.waiting(), 0u);
  world.run(1h);
  EXPECT_THAT(ends, IsEmpty());
  EXPECT_THAT(sent(), ElementsAre(0, 10, 10));
}

}  // namespace
}  // namespace berth::kube
