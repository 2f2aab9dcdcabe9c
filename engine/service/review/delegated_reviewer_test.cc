#include "engine/service/review/delegated_reviewer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "engine/service/review/testing.h"

namespace berth::service {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using testing::PlayedHttp;
using testing::PlayedLoop;
using Kind = Verdict::Kind;
using Fate = kube::Answer::Fate;

constexpr char kValid[] =
    R"({"kind":"TokenReview","status":{"authenticated":true,"user":{"username":"jane","uid":"1",)"
    R"("groups":["ops"],"extra":{"k":["v","w"]}}}})";
constexpr char kInvalid[] = R"({"kind":"TokenReview","status":{"authenticated":false}})";
constexpr char kAllowed[] = R"({"kind":"SubjectAccessReview","status":{"allowed":true}})";
constexpr char kRefused[] =
    R"({"kind":"SubjectAccessReview","status":{"allowed":false,"reason":"no rule"}})";

class DelegatedReviewerTest : public ::testing::Test {
 protected:
  Asked asked(std::string token, std::string path = "/metrics") {
    return {.by_certificate = std::nullopt,
            .bad_certificate = false,
            .token = std::move(token),
            .path = std::move(path),
            .verb = "get"};
  }
  void ask(Asked what) {
    reviewer->review(std::move(what), [this](Verdict verdict) { verdicts.push_back(verdict); });
  }
  std::vector<Kind> kinds() const {
    std::vector<Kind> kinds;
    for (const Verdict& verdict : verdicts) kinds.push_back(verdict.kind);
    return kinds;
  }

  PlayedLoop loop;
  PlayedHttp users, access;
  std::unique_ptr<DelegatedReviewer> reviewer =
      std::make_unique<DelegatedReviewer>(loop, &users, &access);
  std::vector<Verdict> verdicts;
};

TEST_F(DelegatedReviewerTest, ATokenIsReviewedAndThenItsUser) {
  ask(asked("secret"));
  ASSERT_EQ(users.sent.size(), 1u);
  EXPECT_EQ(users.sent[0].method, kube::Method::kPost);
  EXPECT_EQ(users.sent[0].path, "/apis/authentication.k8s.io/v1/tokenreviews");
  EXPECT_EQ(users.sent[0].content_type, "application/json");
  EXPECT_EQ(users.sent[0].limit, 10s);
  EXPECT_EQ(users.sent[0].body, R"({"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview",)"
                                R"("spec":{"token":"secret"}})");
  users.answer(201, kValid);
  ASSERT_EQ(access.sent.size(), 1u);
  EXPECT_EQ(access.sent[0].path, "/apis/authorization.k8s.io/v1/subjectaccessreviews");
  EXPECT_EQ(access.sent[0].body,
            R"({"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":)"
            R"({"nonResourceAttributes":{"path":"/metrics","verb":"get"},"user":"jane",)"
            R"("groups":["ops","system:authenticated"],"extra":{"k":["v","w"]},"uid":"1"}})");
  EXPECT_TRUE(verdicts.empty());
  access.answer(201, kAllowed);
  EXPECT_THAT(kinds(), ElementsAre(Kind::kAllowed));
}

TEST_F(DelegatedReviewerTest, ARefusalHasTheUserAndTheReason) {
  ask(asked("secret"));
  users.answer(201, kValid);
  access.answer(201, kRefused);
  EXPECT_THAT(verdicts,
              ElementsAre(Verdict{.kind = Kind::kForbidden, .user = "jane", .reason = "no rule"}));
}

TEST_F(DelegatedReviewerTest, AllowedAndDeniedIsDenied) {
  ask(asked(""));
  access.answer(201, R"({"kind":"SubjectAccessReview","status":{"allowed":true,"denied":true}})");
  EXPECT_THAT(kinds(), ElementsAre(Kind::kForbidden));
}

TEST_F(DelegatedReviewerTest, ASenderWithoutCredentialsIsAnonymous) {
  ask(asked(""));
  EXPECT_TRUE(users.sent.empty());
  ASSERT_EQ(access.sent.size(), 1u);
  EXPECT_EQ(access.sent[0].body,
            R"({"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":)"
            R"({"nonResourceAttributes":{"path":"/metrics","verb":"get"},)"
            R"("user":"system:anonymous","groups":["system:unauthenticated"]}})");
}

TEST_F(DelegatedReviewerTest, HealthIsForAllAndSingleChecksAreNot) {
  for (const char* path : {"/healthz", "/livez", "/readyz"}) ask(asked("", path));
  EXPECT_THAT(kinds(), ElementsAre(Kind::kAllowed, Kind::kAllowed, Kind::kAllowed));
  EXPECT_TRUE(access.sent.empty());
  for (const char* path : {"/livez/ping", "/healthz/", "/Healthz"}) ask(asked("", path));
  EXPECT_EQ(access.sent.size(), 3u);
}

TEST_F(DelegatedReviewerTest, BadCredentialsAreRefusedEvenForHealth) {
  ask(asked("wrong", "/healthz"));
  users.answer(201, kInvalid);
  Asked bad = asked("", "/healthz");
  bad.bad_certificate = true;
  ask(bad);
  EXPECT_THAT(kinds(), ElementsAre(Kind::kUnauthenticated, Kind::kUnauthenticated));
}

TEST_F(DelegatedReviewerTest, AValidTokenMakesUpForABadCertificate) {
  Asked both = asked("secret", "/healthz");
  both.bad_certificate = true;
  ask(both);
  users.answer(201, kValid);
  EXPECT_THAT(kinds(), ElementsAre(Kind::kAllowed));
}

TEST_F(DelegatedReviewerTest, ACertificateCountsBeforeAToken) {
  Asked both = asked("secret");
  both.by_certificate = User{.name = "admin", .uid = {}, .groups = {"a"}, .extra = {}};
  ask(both);
  EXPECT_TRUE(users.sent.empty());
  ASSERT_EQ(access.sent.size(), 1u);
  EXPECT_THAT(access.sent[0].body,
              ::testing::HasSubstr(R"("user":"admin","groups":["a","system:authenticated"])"));
}

TEST_F(DelegatedReviewerTest, MastersMayReadAll) {
  Asked master = asked("");
  master.by_certificate =
      User{.name = "admin", .uid = {}, .groups = {"system:masters"}, .extra = {}};
  ask(master);
  EXPECT_THAT(kinds(), ElementsAre(Kind::kAllowed));
  EXPECT_TRUE(access.sent.empty());
}

TEST_F(DelegatedReviewerTest, AnswersAreKeptForTenSeconds) {
  ask(asked("secret"));
  users.answer(201, kValid);
  access.answer(201, kRefused);
  loop.advance(10s - 1ns);
  ask(asked("secret"));
  EXPECT_THAT(kinds(), ElementsAre(Kind::kForbidden, Kind::kForbidden));
  EXPECT_EQ(users.sent.size() + access.sent.size(), 2u);
  loop.advance(1ns);
  ask(asked("secret"));
  EXPECT_EQ(users.sent.size(), 2u);
  users.answer(201, kValid);
  EXPECT_EQ(access.sent.size(), 2u);
}

TEST_F(DelegatedReviewerTest, AnInvalidTokenIsKeptAndAFailureIsNot) {
  ask(asked("wrong"));
  users.answer(201, kInvalid);
  ask(asked("wrong"));
  EXPECT_EQ(users.sent.size(), 1u);
  ask(asked("other"));
  users.answer(201, R"({"kind":"TokenReview","status":{"error":"no keys yet"}})");
  ask(asked("other"));
  EXPECT_EQ(users.sent.size(), 3u);
  EXPECT_EQ(kinds(), std::vector<Kind>(3, Kind::kUnauthenticated));
}

TEST_F(DelegatedReviewerTest, AnUnreachableServerIsAFailureAtOnce) {
  ask(asked("secret"));
  users.answer(testing::unanswered(Fate::kNotSent, "connection refused"));
  ask(asked(""));
  access.answer(testing::unanswered(Fate::kNotSent, "connection refused"));
  EXPECT_THAT(
      verdicts,
      ElementsAre(Verdict{.kind = Kind::kUnauthenticated, .user = {}, .reason = {}},
                  Verdict{.kind = Kind::kFailed, .user = {}, .reason = "connection refused"}));
  EXPECT_EQ(loop.timers(), 0u);
}

TEST_F(DelegatedReviewerTest, AnAnswerThatIsNoReviewIsAFailure) {
  ask(asked(""));
  access.answer(201, kValid);
  ask(asked(""));
  access.answer(403, R"({"kind":"Status","message":"cannot create"})");
  ask(asked(""));
  access.answer(400, "<html>");
  ASSERT_EQ(verdicts.size(), 3u);
  EXPECT_EQ(verdicts[0].reason, "the API server's answer is not the review that was asked for");
  EXPECT_EQ(verdicts[1].reason, "cannot create");
  EXPECT_EQ(verdicts[2].reason, "the API server answered with status 400");
}

TEST_F(DelegatedReviewerTest, WithoutServersTokensAreIgnoredAndTheRestIsForbidden) {
  reviewer = std::make_unique<DelegatedReviewer>(loop, nullptr, nullptr);
  ask(asked("secret", "/healthz"));
  ask(asked("secret"));
  EXPECT_THAT(
      verdicts,
      ElementsAre(Verdict{.kind = Kind::kAllowed, .user = {}, .reason = {}},
                  Verdict{.kind = Kind::kForbidden, .user = "system:anonymous", .reason = {}}));
}

TEST_F(DelegatedReviewerTest, AVerdictMayAskAgain) {
  reviewer->review(asked("", "/healthz"), [this](Verdict) { ask(asked("", "/livez")); });
  EXPECT_THAT(kinds(), ElementsAre(Kind::kAllowed));
}

TEST_F(DelegatedReviewerTest, NothingIsCalledAfterItsEnd) {
  ask(asked("secret"));
  ask(asked(""));
  access.answer(testing::unanswered(Fate::kLost, "cut"));
  EXPECT_EQ(loop.timers(), 1u);
  reviewer.reset();
  EXPECT_EQ(users.open() + access.open() + loop.timers(), 0u);
  EXPECT_TRUE(verdicts.empty());
}

TEST(Posting, TriesAgainWhatMayBeDifferentTheNextTime) {
  PlayedLoop loop;
  PlayedHttp http;
  std::vector<int> statuses;
  const Posting posting(loop, http, "/p", "{}",
                        [&](const kube::Answer& answer) { statuses.push_back(answer.status); });
  http.answer(testing::unanswered(Fate::kLost, "cut"));
  loop.advance(500ms - 1ns);
  EXPECT_EQ(http.open(), 0u);
  loop.advance(1ns);
  EXPECT_EQ(http.open(), 1u);
  EXPECT_EQ(http.sent.back().limit, 9500ms);
  http.answer(500, "");
  loop.advance(750ms);
  http.answer(504, "");
  loop.advance(1125ms);
  http.answer(testing::overloaded(2s));
  loop.advance(2s - 1ns);
  EXPECT_EQ(http.sent.size(), 4u);
  loop.advance(1ns);
  http.answer(500, "");  // the fifth try is the last
  EXPECT_THAT(statuses, ElementsAre(500));
  EXPECT_EQ(http.sent.size(), 5u);
  EXPECT_EQ(loop.timers(), 0u);
}

TEST(Posting, EndsBeforeItsLimit) {
  PlayedLoop loop;
  PlayedHttp http;
  int done = 0;
  const Posting posting(loop, http, "/p", "{}", [&](const kube::Answer&) { ++done; });
  http.answer(testing::overloaded(10s));
  EXPECT_EQ(done, 1);
}

TEST(Expiring, DropsTheLeastRecentlyUsed) {
  Expiring<int> kept(2);
  kept.put("a", 1, 10s);
  kept.put("b", 2, 10s);
  EXPECT_EQ(*kept.find("a", 0s), 1);
  kept.put("c", 3, 10s);
  EXPECT_EQ(kept.find("b", 0s), nullptr);
  kept.put("a", 4, 20s);
  EXPECT_EQ(kept.size(), 2u);
  EXPECT_EQ(*kept.find("a", 10s), 4);
  EXPECT_EQ(kept.find("c", 10s), nullptr);
  EXPECT_EQ(kept.size(), 1u);
}

}  // namespace
}  // namespace berth::service
