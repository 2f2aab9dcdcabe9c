#include "engine/service/endpoint/pages.h"

#include <gtest/gtest.h>

#include "engine/service/endpoint/bearer.h"

namespace berth::service {
namespace {

class PlayedAnswers : public Answers {
 public:
  std::string metrics() override { return "m 1\n"; }
  std::string configuration() override { return "{}"; }
  std::vector<Check> checks() const override { return list; }

  std::vector<Check> list = {
      {.name = "leaderElection", .in_healthz = true, .in_readyz = true},
      {.name = "sched-handler-sync", .in_readyz = true, .failure = "not yet"}};
};

class Pages : public ::testing::Test {
 protected:
  // "STATUS BODY".
  std::string page(std::string_view target) {
    const Page page = page_of(target, answers_);
    return std::to_string(page.status) + " " + page.body;
  }
  PlayedAnswers answers_;
};

TEST_F(Pages, OfHealthAreShortUnlessAskedOrWrong) {
  EXPECT_EQ(page("/healthz"), "200 ok");
  EXPECT_EQ(page("/healthz?verbose"), "200 [+]leaderElection ok\nhealthz check passed\n");
  EXPECT_EQ(page("/healthz?a=b&verbose=true"), "200 [+]leaderElection ok\nhealthz check passed\n");
  EXPECT_EQ(page("/livez?verbose"), "200 [+]ping ok\nlivez check passed\n");
  EXPECT_EQ(page("/readyz"),
            "500 [+]leaderElection ok\n[-]sched-handler-sync failed: reason withheld\nreadyz check "
            "failed\n");
}

TEST_F(Pages, OfHealthLeaveOutChecks) {
  EXPECT_EQ(page("/readyz?exclude=sched-handler-sync"), "200 ok");
  EXPECT_EQ(
      page("/readyz?verbose&exclude=sched-handler-sync&exclude=b&exclude=a"),
      "200 [+]leaderElection ok\n[+]sched-handler-sync excluded: ok\nwarn: some health checks "
      "cannot be excluded: no matches for \"a\",\"b\"\nreadyz check passed\n");
}

TEST_F(Pages, OfSingleChecksHaveTheReason) {
  EXPECT_EQ(page("/livez/ping"), "200 ok");
  EXPECT_EQ(page("/healthz/leaderElection"), "200 ok");
  EXPECT_EQ(page("/readyz/sched-handler-sync"), "500 internal server error: not yet\n");
  EXPECT_EQ(page("/healthz/sched-handler-sync"), "404 404 page not found\n");
  EXPECT_EQ(page("/readyz/ping"), "404 404 page not found\n");
}

TEST_F(Pages, AreOfTheAnswers) {
  EXPECT_EQ(page("/metrics?x"), "200 m 1\n");
  EXPECT_EQ(page_of("/metrics", answers_).content_type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(page("/configz"), "200 {}");
  EXPECT_EQ(page_of("/configz", answers_).content_type, "application/json");
}

TEST_F(Pages, OfOtherPathsAreNotThere) {
  for (const char* target :
       {"/", "", "/healthzz", "/healthz/", "/metrics/", "/%6detrics", "/debug/pprof/", "metrics"})
    EXPECT_EQ(page(target), "404 404 page not found\n") << target;
}

TEST(RefusalPage, IsThatOfAnApiServer) {
  const Page unknown = refusal_page(
      {.kind = Verdict::Kind::kUnauthenticated, .user = {}, .reason = {}}, "/metrics", "get");
  EXPECT_EQ(unknown.status, 401u);
  EXPECT_EQ(unknown.content_type, "application/json");
  EXPECT_EQ(unknown.body, R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
                          R"("message":"Unauthorized","reason":"Unauthorized","code":401})"
                          "\n");
  const Page forbidden =
      refusal_page({.kind = Verdict::Kind::kForbidden, .user = "<jane>", .reason = "no rule"},
                   "/metrics?x", "get");
  EXPECT_EQ(forbidden.status, 403u);
  EXPECT_EQ(forbidden.body,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":)"
            R"("forbidden: User \"&lt;jane&gt;\" cannot get path \"/metrics\": no rule",)"
            R"("reason":"Forbidden","details":{},"code":403})"
            "\n");
  const Page failed = refusal_page(
      {.kind = Verdict::Kind::kFailed, .user = {}, .reason = "no <server>"}, "/metrics?x", "get");
  EXPECT_EQ(failed.status, 500u);
  EXPECT_EQ(failed.body, "Internal Server Error: \"/metrics?x\": no &lt;server&gt;\n");
}

TEST(BearerToken, IsTheSecondWord) {
  EXPECT_EQ(bearer_token("Bearer abc"), "abc");
  EXPECT_EQ(bearer_token("  bEARER abc def "), "abc");
  for (const char* none : {"", " ", "Bearer", "Bearer ", "Bearer  abc", "Basic abc", "Bearerabc"})
    EXPECT_EQ(bearer_token(none), "") << none;
}

}  // namespace
}  // namespace berth::service
