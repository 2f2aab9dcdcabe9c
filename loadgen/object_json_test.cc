#include "loadgen/object_json.h"

#include <gtest/gtest.h>

namespace berth::loadgen {
namespace {

TEST(ObjectJson, QuotesTexts) {
  std::string text;
  append_json_text("a \"note\"\n", text);
  EXPECT_EQ(text, "\"a \\\"note\\\"\\n\"");
}

}  // namespace
}  // namespace berth::loadgen
