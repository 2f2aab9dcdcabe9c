#include "engine/base/text/printable.h"

#include <gtest/gtest.h>

#include <string>

namespace berth {
namespace {

TEST(Printable, KeepsText) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("web-0 \"a\\b\""), "web-0 \"a\\b\"");
  EXPECT_EQ(printable("caf\u00e9 \u65e5\u672c \U0001f680 \u00a0"),
            "caf\u00e9 \u65e5\u672c \U0001f680 \u00a0");
}

TEST(Printable, StaysOnOneLine) {
  EXPECT_EQ(printable("a\nberth: b\r\tc"), "a\\nberth: b\\r\\tc");
  EXPECT_EQ(printable("a\u2028b\u2029c\u0085d"), "a\\u2028b\\u2029c\\u0085d");
}

TEST(Printable, EscapesControlCharacters) {
  for (int c = 0; c < 0x20; ++c) {
    const std::string escaped = printable(std::string(1, static_cast<char>(c)));
    EXPECT_GE(escaped.size(), 2u) << c;
    EXPECT_EQ(escaped[0], '\\') << c;
  }
  EXPECT_EQ(printable("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(printable(std::string("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(printable("\u0080\u009b\u009f"), "\\u0080\\u009b\\u009f");
}

TEST(Printable, EscapesBidirectionalControls) {
  EXPECT_EQ(printable("\u061c\u200e\u200f"), "\\u061c\\u200e\\u200f");
  EXPECT_EQ(printable("\u202a\u202b\u202c\u202d\u202e"), "\\u202a\\u202b\\u202c\\u202d\\u202e");
  EXPECT_EQ(printable("\u2066\u2067\u2068\u2069"), "\\u2066\\u2067\\u2068\\u2069");
  EXPECT_EQ(printable("\u200d\u2027\u202f\u2065\u206a"), "\u200d\u2027\u202f\u2065\u206a");
}

TEST(Printable, EscapesBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");                    // overlong
  EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80");                    // cut off
  EXPECT_EQ(printable("\xe2\x80z\xff"), "\\xe2\\x80z\\xff");
}

TEST(Printable, ChangesNothingTheSecondTime) {
  const std::string once = printable("\x1b\n\u202e\xff\\ caf\u00e9");
  EXPECT_EQ(printable(once), once);
}

// In memory of the caller, as in the handler of a signal.
TEST(Printable, IntoMemoryOfTheCaller) {
  const auto printed = [](std::string_view text, size_t room) {
    std::string out(room, '#');
    out.resize(printable(text, std::span(out.data(), room)));
    return out;
  };
  EXPECT_EQ(printed("web\x1b[2J\n\xff", 64), "web\\x1b[2J\\n\\xff");
  EXPECT_EQ(printed("a long name", 6), "a long");
  EXPECT_EQ(printed("ab\x1b", 5), "ab");  // not a part of what stands for a character
  EXPECT_EQ(printed("ab\x1b", 6), "ab\\x1b");
  EXPECT_EQ(printed("ab\u00e9", 3), "ab");
  EXPECT_EQ(printed("ab\u00e9z", 4), "ab\u00e9");
  EXPECT_EQ(printed("", 0), "");
}

}  // namespace
}  // namespace berth
