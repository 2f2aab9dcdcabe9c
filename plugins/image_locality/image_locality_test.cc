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
  // Images 0..3; no node has image 3. Each node knows of the current number of nodes.
  Ints score(const Codes& wanted, const std::vector<Codes>& images, const std::vector<Ints>& sizes,
             int64_t nodes) {
    std::vector<Ints> nodes_with;
    for (const Codes& on_node : images) {
      nodes_with.emplace_back();
      for (const uint32_t image : on_node)
        nodes_with.back().push_back(
            std::count_if(images.begin(), images.end(), [&](const Codes& other) {
              return std::find(other.begin(), other.end(), image) != other.end();
            }));
    }
    return score(wanted, images, sizes, nodes_with, nodes);
  }
  Ints score(const Codes& wanted, const std::vector<Codes>& images, const std::vector<Ints>& sizes,
             const std::vector<Ints>& nodes_with, int64_t nodes) {
    return plugin_.score({{"pod.images", std::vector<Codes>{wanted}},
                          {"node.images", images},
                          {"node.image_state_sizes", sizes},
                          {"node.image_state_nodes", nodes_with},
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

TEST_F(ImageLocalityTest, ImagesOfVolumesCountOnlyWithTheRule) {
  const Columns columns{
      {"pod.images", std::vector<Codes>{{0}}},
      {"pod.volume_images", std::vector<Codes>{{1, 1, 3}}},
      {"node.images", std::vector<Codes>{{0, 1}, {1}}},
      {"node.image_state_sizes", std::vector<Ints>{{100 * kMiB, 200 * kMiB}, {200 * kMiB}}},
      {"node.image_state_nodes", std::vector<Ints>{{1, 2}, {2}}},
      {"cluster.nodes", Ints{2}}};
  EXPECT_EQ(plugin_.score(columns), (Ints{100 * (50 - 23) / (1000 - 23), 0}));
  host_.run.rules.insert("ImagesOfVolumes");
  Harness with_rule(host_);
  EXPECT_EQ(with_rule.score(columns),
            (Ints{100 * (450 - 23) / (1000 - 23), 100 * (400 - 23) / (1000 - 23)}));
  Columns without_containers = columns;
  without_containers.insert_or_assign("pod.images", std::vector<Codes>{{}});
  EXPECT_EQ(with_rule.score(without_containers)[0], 100);
}

TEST_F(ImageLocalityTest, BoundedBelowAndAbove) {
  EXPECT_EQ(score({0}, {{0}, {0}}, {{23 * kMiB}, {24 * kMiB}}, 2), (Ints{0, 0}));
  EXPECT_EQ(score({0}, {{0}, {0}}, {{999 * kMiB}, {5000 * kMiB}}, 2), (Ints{99, 100}));
}

// Nodes may know different sizes and numbers of nodes.
TEST_F(ImageLocalityTest, EachNodesOwnStateCounts) {
  EXPECT_EQ(score({0}, {{0}, {1, 0}}, {{1000 * kMiB}, {1, 512 * kMiB}}, 2),
            (Ints{100, 100 * (512 - 23) / (1000 - 23)}));
  EXPECT_EQ(score({0}, {{0}, {1, 0}}, {{500 * kMiB}, {1, 500 * kMiB}}, {{2}, {1, 1}}, 2),
            (Ints{100 * (500 - 23) / (1000 - 23), 100 * (250 - 23) / (1000 - 23)}));
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
