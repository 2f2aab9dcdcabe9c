#include "engine/kube/writes/api_error.h"

#include <gtest/gtest.h>

#include "engine/kube/writes/writes_testing.h"

namespace berth::kube {
namespace {

using testing::answer_of;

ApiError error_of(const Answer& answer) {
  return api_error(answer, Method::kPost, "pods", "web-0");
}

TEST(ApiError, IsTheStatusOfTheServer) {
  const ApiError error =
      error_of(testing::refusal_answer(404, "NotFound", R"(pods \"web-0\" not found)"));
  EXPECT_EQ(error.code, 404);
  EXPECT_EQ(error.reason, "NotFound");
  EXPECT_EQ(error.message, "pods \"web-0\" not found");
}

TEST(ApiError, IsAsClientGoSaysItWithoutOne) {
  EXPECT_EQ(error_of(answer_of(429, "Too many requests, please try again later.\n")).message,
            "the server has received too many requests and has asked us to try again later (post "
            "pods web-0)");
  EXPECT_EQ(error_of(answer_of(503)).reason, "ServiceUnavailable");
  EXPECT_EQ(error_of(answer_of(502, " bad gateway\n")).message,
            "an error on the server (\"bad gateway\") has prevented the request from succeeding "
            "(post pods web-0)");
  EXPECT_EQ(error_of(answer_of(502)).reason, "InternalError");
  EXPECT_EQ(error_of(answer_of(403, "no")).message, "no (post pods web-0)");
  EXPECT_EQ(error_of(answer_of(418)).message,
            "the server responded with the status code 418 but did not return more information "
            "(post pods web-0)");
  // Neither a Status of success nor another object says why.
  EXPECT_EQ(
      error_of(answer_of(503, R"({"kind":"Status","status":"Success","message":"x"})")).reason,
      "ServiceUnavailable");
  EXPECT_EQ(error_of(answer_of(503, R"({"kind":"Pod"})")).reason, "ServiceUnavailable");
  EXPECT_EQ(error_of(answer_of(503, R"({"kind":"Status")")).reason, "ServiceUnavailable");
}

TEST(ApiError, IsWhyThereIsNoAnswer) {
  const ApiError error = error_of(testing::lost_answer("reset"));
  EXPECT_EQ(error.code, 0);
  EXPECT_EQ(error.message, "reset");
}

TEST(ApiError, IsBounded) {
  EXPECT_EQ(
      error_of(testing::refusal_answer(400, "BadRequest", std::string(9000, 'x'))).message.size(),
      4096u);
  EXPECT_LT(error_of(answer_of(500, std::string(100'000, 'x'))).message.size(), 2200u);
}

TEST(ApiError, KnowsWhatIsTriedAgain) {
  const auto retriable = [](const Answer& answer) {
    return is_retriable(answer, error_of(answer));
  };
  EXPECT_TRUE(retriable(testing::unsent_answer()));
  EXPECT_TRUE(retriable(answer_of(500)));
  EXPECT_TRUE(retriable(answer_of(503)));
  EXPECT_FALSE(retriable(answer_of(504)));
  EXPECT_FALSE(retriable(answer_of(429)));
  EXPECT_FALSE(retriable(testing::lost_answer()));
  for (const int code : {429, 500, 503, 504}) EXPECT_TRUE(may_pass(error_of(answer_of(code))));
  EXPECT_TRUE(may_pass(error_of(testing::lost_answer())));
  for (const int code : {400, 401, 403, 404, 409, 422})
    EXPECT_FALSE(may_pass(error_of(answer_of(code))));
}

TEST(ApiError, KnowsAnotherUid) {
  EXPECT_TRUE(is_other_uid(error_of(testing::refusal_answer(
      409, "Conflict",
      "Operation cannot be fulfilled on pods: StorageError: invalid object, Code: 4, Key: x, "
      "AdditionalErrorMsg: Precondition failed: UID in precondition: a, UID in object meta: b"))));
  EXPECT_TRUE(is_other_uid(error_of(testing::refusal_answer(
      409, "Conflict",
      "Operation cannot be fulfilled on Pod: the UID in the precondition (a) does not match the "
      "UID "
      "in record (b). The object might have been deleted and then recreated"))));
  EXPECT_TRUE(is_other_uid(error_of(testing::refusal_answer(
      422, "Invalid", "Pod is invalid: metadata.uid: Invalid value: field is immutable"))));
  EXPECT_FALSE(is_other_uid(error_of(testing::refusal_answer(409, "Conflict", "modified"))));
  EXPECT_FALSE(is_other_uid(error_of(testing::refusal_answer(422, "Invalid", "spec"))));
}

}  // namespace
}  // namespace berth::kube
