#include "engine/framework/batches/signatures.h"

#include <gtest/gtest.h>

#include "berth/abi/signing.h"
#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using testing::FakeWorld;

class SignaturesTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kAll = 0xff;

  std::optional<std::string> of(const model::Pod& pod, uint64_t parts = kAll, uint64_t without = 0,
                                std::vector<std::string> columns = {}) {
    PodSignatures signatures(world_.cluster(), {parts, without, std::move(columns)});
    return signatures.of(world_.cluster().record_of(pod));
  }
  // True if a change shows in a part, and in nothing else.
  template <typename Change>
  void expect_in(uint64_t part, Change&& change) {
    const model::Pod before = full();
    model::Pod after = before;
    change(after.spec);
    EXPECT_NE(of(before), of(after));
    EXPECT_NE(of(before, part), of(after, part));
    EXPECT_EQ(of(before, kAll & ~part), of(after, kAll & ~part));
  }
  template <typename Change>
  void expect_in_none(Change&& change) {
    const model::Pod before = full();
    model::Pod after = before;
    change(after.spec);
    EXPECT_EQ(of(before), of(after));
  }
  static model::Pod full() {
    model::Pod pod = FakeWorld::pod("p");
    model::PodSpec& spec = pod.spec;
    spec.labels = {{"app", "a"}};
    spec.containers.resize(2);
    spec.containers[0].image = "registry:5000/a";
    spec.containers[1].image = "b:v1";
    spec.containers[0].requests = {{"cpu", model::Quantity::from_milli(100)}};
    spec.containers[0].ports = {{"", "TCP", 80}};
    spec.tolerations = {{"k", "Equal", "v", "", {}}, {"a", "Exists", "", "", 5}};
    spec.node_selector = {{"disk", "ssd"}};
    spec.has_node_selector = true;
    const model::Requirement one = {"zone", "In", {"a", "b"}}, two = {"rack", "Exists", {}};
    model::NodeSelector& required = spec.affinity.node_required.emplace();
    required.terms.resize(2);
    required.terms[0].match_expressions = {one, two};
    required.terms[1].match_expressions = {two};
    spec.volumes.resize(1);
    spec.volumes[0].is_claim = true;
    spec.volumes[0].claim = "c";
    return pod;
  }

  FakeWorld world_{1};
};

TEST_F(SignaturesTest, EachPartShows) {
  expect_in(BERTH_PART_LABELS, [](auto& spec) { spec.labels = {{"app", "b"}}; });
  expect_in(BERTH_PART_TOLERATIONS, [](auto& spec) { spec.tolerations[1].seconds = 6; });
  expect_in(BERTH_PART_NODE_SELECTION, [](auto& spec) { spec.node_selector[0].second = "hdd"; });
  expect_in(BERTH_PART_NODE_SELECTION,
            [](auto& spec) { spec.affinity.node_required->terms.pop_back(); });
  expect_in(BERTH_PART_NODE_SELECTION, [](auto& spec) {
    spec.affinity.node_preferred = {{3, spec.affinity.node_required->terms[0]}};
  });
  expect_in(BERTH_PART_NODE_NAME, [](auto& spec) { spec.node_name = "n"; });
  expect_in(BERTH_PART_HOST_PORTS, [](auto& spec) { spec.containers[1].ports = {{"", "", 81}}; });
  expect_in(BERTH_PART_IMAGES, [](auto& spec) { spec.containers[1].image = "b:v2"; });
  expect_in(BERTH_PART_VOLUMES, [](auto& spec) { spec.volumes[0].claim = "d"; });
  expect_in(BERTH_PART_REQUESTS, [](auto& spec) {
    spec.containers[1].requests = {{"cpu", model::Quantity::from_milli(1)}};
  });
  expect_in(BERTH_PART_REQUESTS, [](auto& spec) {
    spec.containers[1].requests = {{"example.com/gpu", model::Quantity::from_units(0)}};
  });
}

TEST_F(SignaturesTest, OrderAndWhatNobodyComparesDoNotShow) {
  expect_in_none([](auto& spec) { std::swap(spec.tolerations[0], spec.tolerations[1]); });
  expect_in_none([](auto& spec) {
    auto& terms = spec.affinity.node_required->terms;
    std::swap(terms[0], terms[1]);
    std::swap(terms[1].match_expressions[0], terms[1].match_expressions[1]);
    std::swap(terms[1].match_expressions[1].values[0], terms[1].match_expressions[1].values[1]);
  });
  // The set of images with their tags; the numbers of host ports alone.
  expect_in_none([](auto& spec) { spec.containers[0].image += ":latest"; });
  expect_in_none([](auto& spec) {
    spec.init_containers.resize(1);
    spec.init_containers[0].image = "b:v1";
  });
  expect_in_none([](auto& spec) { spec.containers[1].ports = {{"10.0.0.1", "UDP", 80}}; });
  expect_in_none([](auto& spec) {
    spec.containers[1].requests = {{"memory", model::Quantity::from_units(0)}};
  });
  expect_in_none([](auto& spec) { spec.priority = 7; });
}

TEST_F(SignaturesTest, SomePodsCannotBeCompared) {
  model::Pod affine = full();
  affine.spec.affinity.pod_anti_affinity.emplace();
  EXPECT_TRUE(of(affine, kAll));
  EXPECT_FALSE(of(affine, kAll, BERTH_PART_POD_AFFINITY));
  EXPECT_TRUE(of(affine, kAll, BERTH_PART_SPREAD_CONSTRAINTS));
  model::Pod spread = full();
  spread.spec.topology_spread_constraints.resize(1);
  spread.spec.topology_spread_constraints[0].topology_key = "zone";
  EXPECT_FALSE(of(spread, kAll, BERTH_PART_SPREAD_CONSTRAINTS));
  EXPECT_TRUE(of(full(), kAll, BERTH_PART_POD_AFFINITY | BERTH_PART_SPREAD_CONSTRAINTS));
}

TEST_F(SignaturesTest, ColumnsShow) {
  model::Pod other = full();
  other.spec.priority = 7;
  EXPECT_EQ(of(full(), 0), of(other, 0));
  EXPECT_NE(of(full(), 0, 0, {"pod.priority"}), of(other, 0, 0, {"pod.priority"}));
}

// A plugin that takes part in the choice of the node and says nothing, however little it does.
TEST(ProfileSigning, IsWhatAllPluginsSay) {
  FakeWorld world(1);
  testing::FakePlugin first("First"), second("Second"), elsewhere("Elsewhere");
  first.filter = [](const testing::FakeCall&, size_t) -> uint8_t { return BERTH_SUCCESS; };
  second.score = [](const testing::FakeCall&, size_t) -> int64_t { return 1; };
  elsewhere.permit = [](const testing::FakeCall&, int64_t&) -> uint8_t { return BERTH_SUCCESS; };
  first.signing = {BERTH_PART_IMAGES, BERTH_PART_POD_AFFINITY, {}};
  EXPECT_EQ(world.profile({&first, &second, &elsewhere})->signing(), std::nullopt);
  second.signing = {BERTH_PART_LABELS, 0, {"pod.priority"}};
  const auto profile = world.profile({&first, &second, &elsewhere});
  ASSERT_TRUE(profile->signing());
  EXPECT_EQ(profile->signing()->parts, BERTH_PART_IMAGES | BERTH_PART_LABELS);
  EXPECT_EQ(profile->signing()->without, BERTH_PART_POD_AFFINITY);
  EXPECT_EQ(profile->signing()->columns, std::vector<std::string>{"pod.priority"});
}

}  // namespace
}  // namespace berth::framework
