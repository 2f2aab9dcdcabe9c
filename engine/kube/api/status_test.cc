#include "engine/kube/api/status.h"

#include <gtest/gtest.h>

#include <chrono>

namespace berth::kube {
namespace {

using std::chrono::seconds;

Status status(int code, std::string body, std::optional<Time> retry_after = {}) {
  return status_of({Answer::Fate::kAnswered, code, std::move(body), retry_after});
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
  EXPECT_EQ(busy.text(), "429: Too many requests, please try again later.");
}

TEST(Status, MayBeNothingButACode) {
  for (const char* body : {"", " \n"}) EXPECT_EQ(status(503, body).text(), "503");
  EXPECT_TRUE(status(503, "").may_pass());
  EXPECT_FALSE(status(404, "").may_pass());
  EXPECT_TRUE(status(404, "").is_not_found());
  EXPECT_TRUE(status(403, "").is_forbidden());
  EXPECT_TRUE(status(401, "").is_unauthorized());
}

TEST(Status, MayBeAnyText) {
  EXPECT_EQ(status(500, R"({"kind":"Pod"})").text(), R"(500: {"kind":"Pod"})");
  EXPECT_EQ(status(500, "{\"kind\":").text(), "500: {\"kind\":");
  EXPECT_EQ(status(500, "a\nb\x1b").text(), "500: a\\nb\\x1b");
}

TEST(Status, IsBounded) {
  const Status cut = status(500, std::string(Status::kMostMessage - 1, 'a') + "\xc3\xa4");
  EXPECT_EQ(cut.message, std::string(Status::kMostMessage - 1, 'a'));
  EXPECT_EQ(status(500, std::string(size_t{8} << 20, '{')).message.size(), Status::kMostMessage);
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
  EXPECT_EQ(failure_text({Answer::Fate::kNotSent, 0, "", {}, "connection refused"}),
            "the server was not reached: connection refused");
  EXPECT_EQ(failure_text({Answer::Fate::kLost, 200, "", {}, "reset\nby peer"}),
            "the connection was lost: reset\\nby peer");
  EXPECT_EQ(failure_text({Answer::Fate::kLost, 200, "", {}, ""}), "the connection was lost");
  EXPECT_EQ(failure_text({Answer::Fate::kAnswered, 503, "down", {}, ""}), "503: down");
}

}  // namespace
}  // namespace berth::kube
