#include "engine/base/text/beginning.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Beginning, EndsBetweenCharacters) {
  EXPECT_EQ(beginning("abc", 3), "abc");
  EXPECT_EQ(beginning("abc", 2), "ab");
  EXPECT_EQ(beginning("a\xC3\xA9z", 2), "a");
  EXPECT_EQ(beginning("a\xC3\xA9z", 3), "a\xC3\xA9");
  EXPECT_EQ(beginning("\xF0\x9F\x98\x80", 3), "");
  EXPECT_EQ(beginning("a\x80\x80\x80\x80\x80", 5).size(), 2u);  // not UTF-8: three at most go
}

}  // namespace
}  // namespace berth
