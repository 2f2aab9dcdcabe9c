#include "engine/config/profiles/equal.h"

#include <gtest/gtest.h>

#include "engine/config/testing.h"

namespace berth::config {
namespace {

TEST(Equal, ComparesMeaning) {
  const auto same = [](const std::string& a, const std::string& b) {
    const document::Document document = testing::parse_document("[" + a + ", " + b + "]");
    auto element = document.roots().front().elements().begin();
    const document::Value left = *element;
    return equal(left, *++element) && equal(*element, left);
  };
  for (const std::string value :
       {"null", "true", "1", "\"a\"", "[1, [2]]", "{\"a\": {\"b\": [1]}}", "[]", "{}"}) {
    EXPECT_TRUE(same(value, value)) << value;
  }
  EXPECT_TRUE(same(R"({"a": 1, "b": 2})", R"({"b": 2, "a": 1})"));
  EXPECT_FALSE(same(R"({"a": 1, "b": 2})", R"({"a": 1})"));
  EXPECT_FALSE(same(R"({"a": 1})", R"({"b": 1})"));
  EXPECT_FALSE(same(R"({"a": 1})", R"({"a": 2})"));
  EXPECT_FALSE(same("[1, 2]", "[2, 1]"));
  EXPECT_FALSE(same("[1]", "[1, 1]"));
  EXPECT_FALSE(same("1", "\"1\""));
  EXPECT_FALSE(same("true", "false"));
  EXPECT_FALSE(same("[]", "{}"));
  EXPECT_FALSE(same("null", "false"));
}

TEST(Equal, AbsentIsNull) {
  const document::Document document = testing::parse_document("[null, 1]");
  auto element = document.roots().front().elements().begin();
  EXPECT_TRUE(equal({}, {}));
  EXPECT_TRUE(equal({}, *element));
  EXPECT_TRUE(equal(*element, {}));
  EXPECT_FALSE(equal({}, *++element));
}

}  // namespace
}  // namespace berth::config
