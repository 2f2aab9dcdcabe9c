#include "engine/base/text/base64.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Base64, Decodes) {
  EXPECT_EQ(base64_bytes(""), "");
  EXPECT_EQ(base64_bytes("Zg=="), "f");
  EXPECT_EQ(base64_bytes("Zm8="), "fo");
  EXPECT_EQ(base64_bytes("Zm9v"), "foo");
  EXPECT_EQ(base64_bytes("Zm9v\r\nYmFy\n"), "foobar");
  EXPECT_EQ(base64_bytes("+/8A"), std::string("\xFB\xFF\0", 3));
}

TEST(Base64, RefusesOtherTexts) {
  for (const char* text : {"Z", "Zg", "Zg=", "Z===", "====", "Zg==Zg==", "Zg=v", "Zm9v=", "Zm9 v",
                           "Zm-_", "Zm9v\xFF", "-----BEGIN CERTIFICATE-----"})
    EXPECT_EQ(base64_bytes(text), std::nullopt) << text;
  EXPECT_EQ(base64_bytes(std::string_view("Zm9\0", 4)), std::nullopt);
}

}  // namespace
}  // namespace berth
