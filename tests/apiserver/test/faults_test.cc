#include "tests/apiserver/api/faults.h"

#include <algorithm>

#include "tests/apiserver/test/testing.h"

namespace berth::apiserver::testing {
namespace {

using Action = FaultRule::Action;

TEST(Patterns, HaveStars) {
  EXPECT_TRUE(matches_pattern("/api/*/pods/*/binding", "/api/v1/namespaces/d/pods/a/binding"));
  EXPECT_FALSE(matches_pattern("/api/*/binding", "/api/v1/pods"));
  EXPECT_TRUE(matches_pattern("*", ""));
  EXPECT_FALSE(matches_pattern("", "x"));
  EXPECT_TRUE(matches_pattern("a*b*c", "abxbxc"));
}

class FaultsByScript : public Server {
 protected:
  std::string bind_path(std::string_view pod) {
    return std::string(kPods) + "/" + std::string(pod) + "/binding";
  }
};

TEST_F(FaultsByScript, StrikeWhatMatchesSoManyTimes) {
  server->faults().add(
      {.action = Action::kTooManyRequests, .method = "GET", .path = "*/pods", .count = 2});
  EXPECT_EQ(call("GET", kNodes).status, 200);
  const Recorded refused = call("GET", kPods);
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.body, "Too many requests, please try again later.\n");
  EXPECT_EQ(refused.headers.at("content-type"), "text/plain; charset=utf-8");
  EXPECT_EQ(refused.headers.at("retry-after"), "1");
  EXPECT_EQ(call("GET", kPods).status, 429);
  EXPECT_EQ(call("GET", kPods).status, 200);
}

TEST_F(FaultsByScript, BreakConnectionsBeforeAndAfter) {
  add_pod("a");
  const std::string body = R"({"target":{"name":"n"}})";
  server->faults().add({.action = Action::kCutBefore, .method = "POST", .count = 1});
  const auto before = start("POST", bind_path("a"), body);
  EXPECT_TRUE(before->broken);
  EXPECT_EQ(before->status, 0);
  EXPECT_EQ(find(get(std::string(kPods) + "/a"), "spec.nodeName"), nullptr);
  server->faults().add({.action = Action::kCutAfter, .method = "POST", .count = 1});
  const auto after = start("POST", bind_path("a"), body);
  EXPECT_TRUE(after->broken);
  EXPECT_EQ(after->status, 0);
  EXPECT_EQ(text_at(get(std::string(kPods) + "/a"), "spec.nodeName"), "n");
}

TEST_F(FaultsByScript, BreakAWatch) {
  server->faults().add({.action = Action::kCutAnswer, .watch = true, .bytes = 10});
  EXPECT_EQ(call("GET", kNodes).status, 200);
  const auto seen = watch(kNodes);
  EXPECT_FALSE(seen->broken);
  add_node("n");
  EXPECT_TRUE(seen->broken);
  EXPECT_EQ(seen->body, R"({"type":"A)");
  add_node("m");
  EXPECT_EQ(server->open_watches(), 0u);
}

TEST_F(FaultsByScript, DelayAndFail) {
  server->faults().add({.action = Action::kDelay, .count = 1, .delay = kSecond});
  server->faults().add({.action = Action::kServerError, .count = 1});
  const auto answer = start("GET", kNodes);
  clock.pass(kSecond - 1);
  EXPECT_EQ(answer->status, 0);
  clock.pass(1);
  EXPECT_EQ(problem_of(*answer), "500 InternalError: Internal error occurred: a fault was ordered");
}

TEST_F(FaultsByScript, AnswerErrorsForWhatWasDone) {
  server->faults().add({.action = Action::kErrorAfter, .method = "POST", .count = 1});
  const Recorded slow = call("POST", kNodes, R"({"metadata":{"name":"n"}})");
  EXPECT_EQ(slow.status, 500);
  EXPECT_EQ(slow.headers.at("retry-after"), "1");
  EXPECT_EQ(call("GET", std::string(kNodes) + "/n").status, 200);
  server->faults().add({.action = Action::kConflict, .method = "POST"});
  EXPECT_EQ(call("POST", kNodes, R"({"metadata":{"name":"m"}})").status, 409);
  EXPECT_EQ(call("GET", std::string(kNodes) + "/m").status, 404);
}

TEST_F(FaultsByScript, SpareThoseAroundTheClient) {
  server->faults().add({.action = Action::kServerError});
  const auto reply = std::make_shared<Recorded>();
  Request request;
  request.method = "GET";
  request.path = kNodes;
  server->handle_without_faults(request, reply);
  EXPECT_EQ(reply->status, 200);
}

TEST_F(FaultsByScript, ForgetTheHistory) {
  const std::string from = "resourceVersion=" + std::to_string(server->revision());
  add_node("n");
  server->faults().add({.action = Action::kCompact, .watch = true, .count = 1});
  EXPECT_NE(watch(kNodes, from)->body.find("\"code\":410"), std::string::npos);
}

TEST_F(FaultsByScript, DrawTheirShareBySeed) {
  const auto struck = [&](uint64_t seed) {
    Faults faults(seed);
    faults.add({.action = Action::kCutBefore, .share = 0.25});
    std::string made;
    for (int i = 0; i < 1000; ++i) made += faults.draw({}).action ? '1' : '0';
    return made;
  };
  const std::string one = struck(1);
  EXPECT_EQ(one, struck(1));
  EXPECT_NE(one, struck(2));
  EXPECT_NEAR(static_cast<double>(std::ranges::count(one, '1')), 250, 50);
}

}  // namespace
}  // namespace berth::apiserver::testing
