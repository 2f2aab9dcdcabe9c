#include "engine/kube/writes/body.h"

#include <gtest/gtest.h>

#include "engine/kube/api/time_text.h"

namespace berth::kube {
namespace {

TEST(Body, HasTimesOfTheApi) {
  EXPECT_EQ(time_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(time_text(1'767'323'045'999'999'999), "2026-01-02T03:04:05Z");
  EXPECT_EQ(micro_time_text(1'767'323'045'000'006'999), "2026-01-02T03:04:05.000006Z");
  EXPECT_EQ(micro_time_text(-1'000), "1969-12-31T23:59:59.999999Z");
}

TEST(Body, IsJson) {
  const std::string body = json_body([](document::JsonWriter& json) { json.member("a", "\"\n"); });
  EXPECT_EQ(body, R"({"a":"\"\n"})");
}

}  // namespace
}  // namespace berth::kube
