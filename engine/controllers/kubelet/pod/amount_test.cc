#include "engine/controllers/kubelet/pod/amount.h"

#include <gtest/gtest.h>

namespace berth::controllers::kubelet {
namespace {

std::string printed(std::string_view text) { return Amount::parse(text).value().to_string(); }

TEST(Amounts, PrintAsKubernetesDoes) {
  EXPECT_EQ(printed("1024Mi"), "1Gi");
  EXPECT_EQ(printed("1.5Gi"), "1536Mi");
  EXPECT_EQ(printed("1000Ki"), "1000Ki");
  EXPECT_EQ(printed("1000M"), "1G");
  EXPECT_EQ(printed("100k"), "100k");
  EXPECT_EQ(printed("1073741824"), "1073741824");
  EXPECT_EQ(printed("0.5"), "500m");
  EXPECT_EQ(printed("1e3"), "1e3");
  EXPECT_EQ(printed("0Gi"), "0");
  EXPECT_EQ(Amount::bytes(1000).to_string(), "1k");  // below 1024
  EXPECT_EQ(Amount::bytes(1024).to_string(), "1Ki");
  EXPECT_EQ(Amount::bytes(-2048).to_string(), "-2Ki");
  EXPECT_EQ(Amount::count(2048).to_string(), "2048");
  EXPECT_FALSE(Amount::parse("1GB"));
}

TEST(Amounts, ASumPrintsAsItsFirstPart) {
  Amount sum;
  sum += *Amount::parse("1Gi");
  sum += *Amount::parse("1073741824");
  EXPECT_EQ(sum.to_string(), "2Gi");
}

}  // namespace
}  // namespace berth::controllers::kubelet
