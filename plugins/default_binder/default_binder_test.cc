#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

class DefaultBinderTest : public ::testing::Test {
 protected:
  using Written = std::vector<std::pair<uint64_t, uint32_t>>;

  Columns placements() {
    return {{"pod.handle", std::vector<uint64_t>{11, 12, 13, 14}},
            {"node.name", host_.ids({"a", "b", "a", "c"})}};
  }

  FakeHost host_;
  Harness plugin_{host_};
};

TEST_F(DefaultBinderTest, BindsABatchWithOneWrite) {
  EXPECT_EQ(plugin_.bind(placements()), (std::vector<uint8_t>(4, BERTH_SUCCESS)));
  EXPECT_EQ(host_.writes, 1u);
  EXPECT_EQ(
      host_.bindings,
      (Written{
          {11, host_.id("a")}, {12, host_.id("b")}, {13, host_.id("a")}, {14, host_.id("c")}}));
}

TEST_F(DefaultBinderTest, LeavesWhatAnotherPluginBound) {
  const uint64_t mask = 0b1011;
  const auto codes = plugin_.bind(placements(), &mask);
  EXPECT_EQ(codes[0], BERTH_SUCCESS);
  EXPECT_EQ(codes[3], BERTH_SUCCESS);
  EXPECT_EQ(host_.bindings,
            (Written{{11, host_.id("a")}, {12, host_.id("b")}, {14, host_.id("c")}}));
}

TEST_F(DefaultBinderTest, ARefusedPodDoesNotHoldUpTheOthers) {
  host_.refused_pod = 12;
  EXPECT_EQ(plugin_.bind(placements()),
            (std::vector<uint8_t>{BERTH_SUCCESS, BERTH_ERROR, BERTH_SUCCESS, BERTH_SUCCESS}));
  EXPECT_EQ(plugin_.error(), "the host could not write the binding");
  EXPECT_EQ(host_.bindings.size(), 3u);
}

TEST_F(DefaultBinderTest, AFailedWriteIsAnErrorOfThosePods) {
  host_.binding_code = BERTH_ERROR;
  EXPECT_EQ(plugin_.bind(placements()), (std::vector<uint8_t>(4, BERTH_ERROR)));
  EXPECT_EQ(plugin_.error(), "the host could not write the binding");
}

TEST(DefaultBinder, SaysWhichServiceItMisses) {
  FakeHost host;
  host.missing_service = BERTH_BINDINGS_SERVICE;
  try {
    const Harness plugin(host);
    FAIL() << "started without bindings";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "this host has no service berth.bindings/0");
  }
}

}  // namespace
}  // namespace berth::plugins::testing
