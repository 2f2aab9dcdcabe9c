#include "engine/base/error.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Error, SaysWhereAndWhat) {
  const Error error(Place{.file = "pods.yaml", .line = 3, .column = 7, .field = "spec"},
                    "is wrong");
  EXPECT_STREQ(error.what(), "pods.yaml:3:7: spec: is wrong");
}

TEST(Error, CommandsTheTerminalNothing) {
  const Error error(Place{.file = "f", .field = "pod \x1b[31m"}, "b\x07\x7f \u202e");
  EXPECT_STREQ(error.what(), "f: pod \\x1b[31m: b\\x07\\x7f \\u202e");
}

TEST(Error, IsOneLineWithoutDetails) {
  const Error error(Place{.file = "f", .field = "a\nberth: b"}, "found \"c\nberth: d\"");
  EXPECT_STREQ(error.what(), "f: a\\nberth: b: found \"c\\nberth: d\"");
  EXPECT_EQ(error.message(), "found \"c\nberth: d\"");
}

TEST(Error, HasALineForEachDetail) {
  const Error error(Place{}, "holds several:", {"one", "two\nberth: three"});
  EXPECT_STREQ(error.what(), "holds several:\n  one\n  two\\nberth: three");
}

}  // namespace
}  // namespace berth
