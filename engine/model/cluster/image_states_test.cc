// The states of images that nodes hold: sizes and numbers of nodes.

#include <gtest/gtest.h>

#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/model/cluster/cluster.h"

namespace berth::model {
namespace {

using Sizes = std::map<std::string, int64_t>;
struct State {
  int64_t size = 0, nodes = 0;
  bool operator==(const State&) const = default;
};
void PrintTo(const State& state, std::ostream* to) { *to << state.size << " on " << state.nodes; }

class ImageStates : public ::testing::Test {
 protected:
  void put(const std::string& name, const Sizes& images) {
    Node node;
    node.name = name;
    for (const auto& [image, size] : images) node.images.push_back({{image + ":1"}, size});
    cluster_.put_node(node);
  }
  // Adds a pod that runs on the node.
  PodId run(const std::string& name, const std::string& node) {
    Pod pod;
    pod.namespace_name = "default";
    pod.name = name;
    const PodId id = cluster_.add_pod(pod);
    cluster_.place(id, node);
    return id;
  }
  // The image states that the columns show to a decision.
  State state(const std::string& name, const std::string& image) {
    const Row row = cluster_.nodes().row_of(cluster_.nodes().find(cluster_.strings().find(name)));
    const auto list = [&]<typename T>(const char* id, T) {
      const std::span<const T> found = cluster_.column(cluster_.find_column(id)).list_at<T>(row);
      return std::vector<T>(found.begin(), found.end());
    };
    const auto codes = list("node.images", uint32_t{});
    const auto sizes = list("node.image_state_sizes", int64_t{});
    const auto nodes = list("node.image_state_nodes", int64_t{});
    EXPECT_EQ(codes.size(), sizes.size());
    EXPECT_EQ(codes.size(), nodes.size());
    for (size_t i = 0; i < codes.size(); ++i)
      if (cluster_.text(cluster_.images().name(codes[i])) == image + ":1")
        return {sizes[i], nodes[i]};
    return {};
  }
  State decided(const std::string& name, const std::string& image = "a") {
    cluster_.order_rows();
    return state(name, image);
  }

  Cluster cluster_;
};

TEST_F(ImageStates, TheFirstNodeToReportSetsTheSize) {
  put("first", {{"a", 100}});
  put("second", {{"a", 300}, {"b", 7}});
  EXPECT_EQ(decided("first"), (State{100, 2}));
  EXPECT_EQ(decided("second"), (State{100, 2}));
  EXPECT_EQ(decided("second", "b"), (State{7, 1}));
}

TEST_F(ImageStates, TheSizeStaysUntilNoNodeHasTheImage) {
  put("first", {{"a", 100}});
  put("second", {{"a", 300}});
  cluster_.remove_node("first");
  put("third", {{"a", 500}});
  EXPECT_EQ(decided("third"), (State{100, 2}));
  cluster_.remove_node("second");
  cluster_.remove_node("third");
  put("fourth", {{"a", 500}});
  EXPECT_EQ(decided("fourth"), (State{500, 1}));
}

// The cache takes the images of an updated node out before it adds them again.
TEST_F(ImageStates, TheOnlyNodeReportsItsOwnSizeWithEveryUpdate) {
  put("first", {{"a", 100}});
  put("second", {{"a", 300}});
  put("first", {});
  EXPECT_EQ(decided("second"), (State{100, 1}));
  put("second", {{"a", 300}});  // as it is
  EXPECT_EQ(decided("second"), (State{300, 1}));
  put("second", {{"a", 400}});
  EXPECT_EQ(decided("second"), (State{400, 1}));
}

TEST_F(ImageStates, AnUpdateOfASharedImageDoesNotChangeItsSize) {
  put("first", {{"a", 100}});
  put("second", {{"a", 300}});
  put("first", {{"a", 200}});
  EXPECT_EQ(decided("first"), (State{100, 2}));
}

TEST_F(ImageStates, ANodeIsCopiedWhenSomethingHappensToIt) {
  put("old", {{"a", 100}});
  put("other", {{"a", 100}});
  EXPECT_EQ(decided("old"), (State{100, 2}));
  put("new", {{"a", 100}});
  EXPECT_EQ(decided("new"), (State{100, 3}));
  EXPECT_EQ(decided("old"), (State{100, 2}));
  const PodId pod = run("pod", "old");
  EXPECT_EQ(decided("old"), (State{100, 3}));
  EXPECT_EQ(decided("other"), (State{100, 2}));
  put("other", {{"a", 100}});
  EXPECT_EQ(decided("other"), (State{100, 3}));
  cluster_.remove_node("new");
  EXPECT_EQ(decided("old"), (State{100, 3}));
  cluster_.touch_node_of(pod);
  EXPECT_EQ(decided("old"), (State{100, 2}));
  cluster_.remove_node("other");
  cluster_.remove_pod(pod);
  EXPECT_EQ(decided("old"), (State{100, 1}));
}

// The copy is taken at the decision, not at the event.
TEST_F(ImageStates, WhatHappensUntilTheDecisionCounts) {
  put("old", {{"a", 100}});
  EXPECT_EQ(decided("old"), (State{100, 1}));
  run("pod", "old");
  put("new", {{"a", 300}});
  EXPECT_EQ(state("old", "a"), (State{100, 1}));
  EXPECT_EQ(decided("old"), (State{100, 2}));
}

TEST_F(ImageStates, FollowNodesToTheirRows) {
  for (const char* name : {"a", "b", "c"}) put(name, {{"a", 100}});
  EXPECT_EQ(decided("c"), (State{100, 3}));
  cluster_.remove_node("a");
  EXPECT_EQ(decided("c"), (State{100, 3}));
  EXPECT_EQ(decided("b"), (State{100, 3}));
  put("a", {{"b", 5}});
  EXPECT_EQ(decided("a", "b"), (State{5, 1}));
  EXPECT_EQ(decided("a"), State{});
}

// Only nodes that were told of are looked at, and only values that differ are logged.
TEST_F(ImageStates, NothingIsWrittenWhereNothingDiffers) {
  put("n", {{"a", 100}});
  decided("n");
  const uint64_t log = cluster_.log().end();
  put("n", {{"a", 100}});
  decided("n");
  EXPECT_EQ(cluster_.log().end(), log);
}

TEST_F(ImageStates, AsReportedEachNodeHasItsOwnSizeAndTheCurrentCount) {
  cluster_.set_image_rule(ImageRule::kReported);
  put("first", {{"a", 100}});
  put("second", {{"a", 300}});
  EXPECT_EQ(decided("first"), (State{100, 2}));
  EXPECT_EQ(decided("second"), (State{300, 2}));
  put("third", {{"a", 300}});
  EXPECT_EQ(decided("first"), (State{100, 3}));
  cluster_.remove_node("second");
  EXPECT_EQ(decided("first"), (State{100, 2}));
}

TEST_F(ImageStates, OfTwoEntriesTheCacheTakesTheFirst) {
  Node node;
  node.name = "n";
  node.images = {{{"a:1"}, 100}, {{"a:1"}, 300}};
  cluster_.put_node(node);
  EXPECT_EQ(decided("n"), (State{100, 1}));
  Cluster reported;
  reported.set_image_rule(ImageRule::kReported);
  reported.put_node(node);
  EXPECT_EQ(reported.nodes().node(0).image_state_sizes, std::vector<int64_t>{300});
}

}  // namespace
}  // namespace berth::model
