#include "engine/kube/writes/body.h"

#include <gtest/gtest.h>

namespace berth::kube {
namespace {

TEST(Body, IsJson) {
  const std::string body = json_body([](document::JsonWriter& json) { json.member("a", "\"\n"); });
  EXPECT_EQ(body, R"({"a":"\"\n"})");
}

}  // namespace
}  // namespace berth::kube
