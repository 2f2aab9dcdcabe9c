#include <algorithm>

#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;
using Ints = std::vector<int64_t>;
using Codes = std::vector<uint32_t>;

class ImageLocalityTest : public ::testing::Test {
 protected:
  // Images 0..3; no node has image 3.
  Ints score(const Codes& wanted, const std::vector<Codes>& images, const std::vector<Ints>& sizes,
             int64_t nodes) {
    Ints nodes_with(4, 0);
    for (const Codes& on_node : images)
      for (uint32_t image = 0; image < 4; ++image)
        nodes_with[image] +=
            std::find(on_node.begin(), on_node.end(), image) != on_node.end() ? 1 : 0;
    return plugin_.score({{"pod.images", std::vector<Codes>{wanted}},
                          {"node.images", images},
                          {"node.image_sizes", sizes},
                          {"image.nodes", nodes_with},
                          {"cluster.nodes", Ints{nodes}}});
  }

  FakeHost host_;
  Harness plugin_{host_};
};

TEST_F(ImageLocalityTest, SizeTimesShareOfNodes) {
  // 250 MiB on two of two nodes, 500 MiB on one of two: both count 250 MiB.
  EXPECT_EQ(score({0}, {{0}, {0}}, {{250 * kMiB}, {250 * kMiB}}, 2),
            (Ints{100 * (250 - 23) / (1000 - 23), 100 * (250 - 23) / (1000 - 23)}));
  EXPECT_EQ(score({0}, {{0}, {}}, {{500 * kMiB}, {}}, 2),
            (Ints{100 * (250 - 23) / (1000 - 23), 0}));
}

TEST_F(ImageLocalityTest, EachContainerCountsAndRaisesTheLimit) {
  EXPECT_EQ(score({0, 0, 3}, {{1, 0}}, {{7, 700 * kMiB}}, 1),
            Ints{100 * (1400 - 23) / (3000 - 23)});
}

TEST_F(ImageLocalityTest, BoundedBelowAndAbove) {
  EXPECT_EQ(score({0}, {{0}, {0}}, {{23 * kMiB}, {24 * kMiB}}, 2), (Ints{0, 0}));
  EXPECT_EQ(score({0}, {{0}, {0}}, {{999 * kMiB}, {5000 * kMiB}}, 2), (Ints{99, 100}));
}

TEST_F(ImageLocalityTest, TheSizeIsTheNodesOwnAndTheLastOfTwo) {
  EXPECT_EQ(score({0}, {{0}, {0, 1, 0}}, {{1000 * kMiB}, {1000 * kMiB, 1, 512 * kMiB}}, 2),
            (Ints{100, 100 * (512 - 23) / (1000 - 23)}));
}

TEST_F(ImageLocalityTest, TruncatesEachImage) {
  // A third of 1,000,000,001 bytes, in doubles like kube-scheduler.
  const auto third = static_cast<int64_t>(1'000'000'001.0 * (1.0 / 3.0));
  EXPECT_EQ(score({0, 0}, {{0}}, {{1'000'000'001}}, 3),
            Ints{100 * (2 * third - 23 * kMiB) / (2000 * kMiB - 23 * kMiB)});
}

TEST_F(ImageLocalityTest, NoImagesNoScore) {
  EXPECT_EQ(score({}, {{0}}, {{1000 * kMiB}}, 1), Ints{0});
  EXPECT_TRUE(plugin_.passed());
  EXPECT_EQ(score({3, 9}, {{0}}, {{1000 * kMiB}}, 1), Ints{0});
}

TEST_F(ImageLocalityTest, RawIsFinal) {
  EXPECT_EQ(plugin_.table<berth_score>(BERTH_SCORE)->normalise, BERTH_NORMALISE_NONE);
}

}  // namespace
}  // namespace berth::plugins::testing
