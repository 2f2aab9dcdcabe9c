#include "engine/kube/api/status.h"

#include <gtest/gtest.h>

#include <chrono>

namespace berth::kube {
namespace {

using std::chrono::seconds;

constexpr Asked kAsked{Method::kGet, "pods", "web-0"};

Status status(int code, std::string body, std::optional<Time> retry_after = {}) {
  return status_of({Answer::Fate::kAnswered, code, std::move(body), retry_after}, kAsked);
}
Status refusal(int code, const std::string& message) {
  return status(code, R"({"kind":"Status","status":"Failure","message":")" + message + "\"}");
}

TEST(Status, IsRead) {
  const Status conflict = status(
      409, R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":)"
           R"("pod a is already assigned to node \"n\"","reason":"Conflict","code":409})");
  EXPECT_EQ(conflict.code, 409);
  EXPECT_EQ(conflict.reason, "Conflict");
  EXPECT_EQ(conflict.message, "pod a is already assigned to node \"n\"");
  EXPECT_EQ(conflict.retry_after, std::nullopt);
  EXPECT_TRUE(conflict.is_conflict());
  EXPECT_FALSE(conflict.may_pass());
  EXPECT_EQ(conflict.text(), "409 Conflict: pod a is already assigned to node \"n\"");
}

TEST(Status, IsAText) {
  const Status busy = status(429, "Too many requests, please try again later.\n", seconds(1));
  EXPECT_TRUE(busy.is_too_many_requests());
  EXPECT_TRUE(busy.may_pass());
  EXPECT_EQ(busy.retry_after, seconds(1));
  EXPECT_EQ(busy.text(),
            "429 TooManyRequests: the server has received too many requests and has asked us to "
            "try again later (get pods web-0)");
}

TEST(Status, IsAsClientGoSaysItWithoutOne) {
  EXPECT_EQ(status(503, "").reason, "ServiceUnavailable");
  EXPECT_EQ(status(502, " bad gateway\n").message,
            "an error on the server (\"bad gateway\") has prevented the request from succeeding "
            "(get pods web-0)");
  EXPECT_EQ(status(502, "").reason, "InternalError");
  EXPECT_EQ(status(403, "no\n").text(), "403 Forbidden: no (get pods web-0)");
  EXPECT_EQ(status(418, "").text(),
            "418: the server responded with the status code 418 but did not return more "
            "information (get pods web-0)");
  EXPECT_EQ(status(409, "").reason, "Conflict");
  EXPECT_EQ(status_of({Answer::Fate::kAnswered, 409, "", {}}, {Method::kPost, "pods"}).text(),
            "409 AlreadyExists: the server reported a conflict (post pods)");
  EXPECT_TRUE(status(404, "").is_not_found());
  EXPECT_TRUE(status(403, "").is_forbidden());
  EXPECT_TRUE(status(401, "").is_unauthorized());
}

// Neither a Status of success nor another object says why.
TEST(Status, MayBeAnyText) {
  for (const char* body : {R"({"kind":"Status","status":"Success","message":"x"})",
                           R"({"kind":"Pod"})", R"({"kind":"Status")"})
    EXPECT_EQ(status(503, body).text(),
              "503 ServiceUnavailable: the server is currently unable to handle the request (get "
              "pods web-0)");
  EXPECT_EQ(status(403, "a\nb\x1b").text(), "403 Forbidden: a\\nb\\x1b (get pods web-0)");
}

TEST(Status, IsWhyThereIsNoAnswer) {
  const Status lost = status_of({Answer::Fate::kLost, 0, "", {}, "reset"}, kAsked);
  EXPECT_EQ(lost.code, 0);
  EXPECT_EQ(lost.message, "reset");
  EXPECT_TRUE(lost.may_pass());
}

TEST(Status, IsBounded) {
  const Status cut = refusal(500, std::string(Status::kMostMessage - 1, 'a') + "\xc3\xa4");
  EXPECT_EQ(cut.message, std::string(Status::kMostMessage - 1, 'a'));
  EXPECT_LT(status(500, std::string(size_t{8} << 20, '{')).message.size(), 2200u);
  EXPECT_EQ(
      status_of({Answer::Fate::kLost, 0, "", {}, std::string(9000, 'x')}, kAsked).message.size(),
      Status::kMostMessage);
}

TEST(Status, SaysWhetherItMayPass) {
  for (const int code : {429, 500, 503, 504}) EXPECT_TRUE(status(code, "").may_pass()) << code;
  for (const int code : {400, 401, 403, 404, 409, 422})
    EXPECT_FALSE(status(code, "").may_pass()) << code;
}

TEST(Status, KnowsAnotherUid) {
  EXPECT_TRUE(refusal(409,
                      "Operation cannot be fulfilled on pods: StorageError: invalid object, "
                      "Code: 4, Key: x, AdditionalErrorMsg: Precondition failed: UID in "
                      "precondition: a, UID in object meta: b")
                  .is_other_uid());
  EXPECT_TRUE(refusal(409,
                      "Operation cannot be fulfilled on Pod: the UID in the precondition (a) "
                      "does not match the UID in record (b). The object might have been "
                      "deleted and then recreated")
                  .is_other_uid());
  EXPECT_TRUE(refusal(422, "Pod is invalid: metadata.uid: Invalid value: field is immutable")
                  .is_other_uid());
  EXPECT_FALSE(refusal(409, "modified").is_other_uid());
  EXPECT_FALSE(refusal(422, "spec").is_other_uid());
}

TEST(Status, SaysWhenToComeAgain) {
  const std::string body = R"({"kind":"Status","details":{"retryAfterSeconds":7},"code":504})";
  EXPECT_EQ(status(504, body).retry_after, seconds(7));
  EXPECT_EQ(status(504, body, seconds(9)).retry_after, seconds(9)) << "the header counts";
  for (const char* number : {"0", "-1", "86401", "1.5", "\"7\"", "9223372036854775807"})
    EXPECT_EQ(status(504, std::string(R"({"kind":"Status","details":{"retryAfterSeconds":)") +
                              number + "}}")
                  .retry_after,
              std::nullopt)
        << number;
}

TEST(Status, IsExpired) {
  EXPECT_TRUE(status(410, "").is_expired());
  EXPECT_TRUE(status(400, R"({"kind":"Status","reason":"Expired"})").is_expired());
  EXPECT_TRUE(status(400, R"({"kind":"Status","reason":"Gone"})").is_expired());
  EXPECT_FALSE(status(400, R"({"kind":"Status","reason":"Invalid"})").is_expired());
}

TEST(Status, IsOfAnEvent) {
  Diagnostics faults;
  const auto document = document::Document::parse(
      R"+({"kind":"Status","message":"too old resource version: 1 (475)","reason":"Expired",)+"
      R"("code":410} {"kind":"Pod","code":410})",
      "", faults);
  EXPECT_EQ(status_of(document.roots()[0]).text(),
            "410 Expired: too old resource version: 1 (475)");
  EXPECT_EQ(status_of(document.roots()[1]).text(), "an error without a code");
  EXPECT_EQ(status_of(document::Value()).code, 0);
}

TEST(Status, OfEachFateHasAText) {
  const auto text = [](const Answer& answer) { return failure_text(answer, kAsked); };
  EXPECT_EQ(text({Answer::Fate::kNotSent, 0, "", {}, "connection refused"}),
            "the server was not reached: connection refused");
  EXPECT_EQ(text({Answer::Fate::kLost, 200, "", {}, "reset\nby peer"}),
            "the connection was lost: reset\\nby peer");
  EXPECT_EQ(text({Answer::Fate::kLost, 200, "", {}, ""}), "the connection was lost");
  EXPECT_EQ(text({Answer::Fate::kAnswered, 403, "down", {}, ""}),
            "403 Forbidden: down (get pods web-0)");
}

}  // namespace
}  // namespace berth::kube
