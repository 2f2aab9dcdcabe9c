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
  const Error error(Place{.file = "f", .field = "pod \x1b[31m"}, "b\x07\x7f\nnext");
  EXPECT_STREQ(error.what(), "f: pod \\x1b[31m: b\\x07\\x7f\nnext");
  const Error forged(Place{.file = "f", .field = "a\nberth: b"}, "c");
  EXPECT_STREQ(forged.what(), "f: a\\nberth: b: c");
  EXPECT_EQ(printable("caf\xc3\xa9"), "caf\xc3\xa9");
}

}  // namespace
}  // namespace berth
