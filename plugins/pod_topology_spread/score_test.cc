#include "plugins/pod_topology_spread/score.h"

#include <cmath>
#include <limits>

#include "plugins/pod_topology_spread/kernel.h"
#include "plugins/pod_topology_spread/testing.h"

namespace berth::plugins::testing {
namespace {

using Query = FakeCounts::Query;

constexpr uint32_t kScoreSiblings = 8;
constexpr std::string_view kHost = "kubernetes.io/hostname";
constexpr std::string_view kZone = "topology.kubernetes.io/zone";

TEST(TopologyWeight, IsGosLogarithm) {
  EXPECT_EQ(topology_weight(0), 0.6931471805599453);
  EXPECT_EQ(topology_weight(1), 1.0986122886681096);  // the C library gives ...098
  EXPECT_EQ(topology_weight(2), 1.3862943611198906);
  EXPECT_EQ(topology_weight(3), 1.6094379124341003);
  EXPECT_EQ(topology_weight(5), 1.9459101490553132);
  EXPECT_EQ(topology_weight(5000), 8.517593111437565);
}

TEST(TopologyWeight, IsTheLogarithmToTheLastPlace) {
  for (int64_t domains = 1; domains <= 100'000; ++domains) {
    const double right = std::log(static_cast<double>(domains + 2));
    const double found = topology_weight(domains);
    const double place = std::nextafter(right, std::numeric_limits<double>::infinity()) - right;
    ASSERT_LE(std::abs(found - right), place) << domains;
  }
}

TEST(SpreadKernel, RoundsHalfAwayFromZero) {
  const std::vector<double> scores = {0,    0.49999999999999994, 0.5,  1.5,
                                      2.5,  2.4999999999999996,  -0.5, -0.49999999999999994,
                                      -1.5, 1e9 + 0.5,           7};
  Ints rounded(scores.size(), 77);
  round_all(scores.data(), rounded.data(), scores.size());
  EXPECT_EQ(rounded, (Ints{0, 0, 1, 2, 3, 2, -1, 0, -2, 1'000'000'001, 7}));
}

TEST(SpreadKernel, AddsNothingWithoutALabel) {
  const Bytes has_label = {1, 0, 1};
  const Ints counts = {5, 3, 100};
  std::vector<double> scores = {1, 1, 1};
  add_topology(has_label.data(), counts.data(), 0.5, 4, scores.data(), 3);
  EXPECT_EQ(scores, (std::vector<double>{7.5, 1, 55}));
}

TEST(SpreadWeights, LiveAsLongAsSomeStateHasThem) {
  WeightsByTemplate weights;
  const auto constraints = [](uint32_t term) {
    PodConstraints made;
    made.all.push_back({.key = 1, .term = term});
    return made;
  };
  const std::shared_ptr<SpreadWeights> kept = weights.of(constraints(7));
  for (uint32_t term = 8; term < 10'000; ++term) {
    weights.of(constraints(term));
    ASSERT_LE(weights.size(), 128u);
  }
  EXPECT_EQ(weights.of(constraints(7)), kept);
}

class SpreadScoreTest : public SpreadTest {
 protected:
  // Sets soft constraints of the pod.
  void soft(std::vector<TestConstraint> all) {
    for (TestConstraint& one : all) one.when = "ScheduleAnyway";
    pod(all);
  }
  // Query 2 is by rack, all others are by zone.
  void counts(uint32_t query, const Ints& by_domain) {
    node_counts(query, query == 2 ? "rack" : "zone", by_domain);
  }
  Ints scores(const Bytes& feasible = {}, std::string_view arguments = "{}") {
    plugin(arguments);
    EXPECT_EQ(plugin_->pre_score(columns_, feasible), BERTH_SUCCESS);
    EXPECT_TRUE(plugin_->changed());
    return plugin_->score(columns_);
  }
};

TEST_F(SpreadScoreTest, PreScoreSkipsWithoutSoftConstraints) {
  domains("zone", {1, 2});
  EXPECT_EQ(plugin().pre_score(columns_), BERTH_SKIP);
  pod({{.key = "zone"}});
  EXPECT_EQ(plugin().pre_score(columns_), BERTH_SKIP);
  soft({{.key = "zone"}});
  counts(1, {0, 0, 0});
  EXPECT_EQ(failure([&] { plugin().score(columns_, 0); }),
            "error reading \"PreScorePodTopologySpread\" from cycleState: not found");
}

TEST_F(SpreadScoreTest, ABadSelectorFailsThePod) {
  const std::string text =
      "calculating preScoreState: obtaining pod's soft topology spread constraints: bad";
  soft({{.key = "zone", .problem = "bad"}});
  domains("zone", {1, 2});
  EXPECT_EQ(failure([&] { plugin().pre_score(columns_); }), text);
  EXPECT_EQ(failure([&] { plugin().score(columns_, 0); }), text);
  // PreFilter reports the error of a hard constraint.
  pod({{.key = "zone", .problem = "bad"}});
  EXPECT_EQ(plugin().pre_score(columns_), BERTH_SKIP);
}

// 1000 pods make the weight visible: ln 3, ln 4, ln 5 for one, two, three domains.
TEST_F(SpreadScoreTest, ADomainCountsTheMoreTheMoreThereAre) {
  soft({{.key = "zone", .max_skew = 3}});
  domains("zone", {1, 2, 3, 3});
  counts(1, {0, 1000, 10, 0});
  EXPECT_EQ(scores(), (Ints{1611, 18, 2, 2}));
  EXPECT_EQ(scores({1, 0, 1, 1})[0], 1388);
  EXPECT_EQ(scores({1, 0, 0, 0})[0], 1101);
  EXPECT_EQ(scores({1, 0, 0, 1})[3], 2);
  EXPECT_EQ(plugin_->table<berth_score>(BERTH_SCORE)->normalise, BERTH_NORMALISE_SPREAD);
  EXPECT_EQ(plugin_->table<berth_score>(BERTH_SCORE)->hook->depends, BERTH_DEPENDS_FEASIBLE);
}

// Templates with equal constraints share the weights, but each keeps scores of its own.
TEST_F(SpreadScoreTest, WhatOnePodChangesIsNewsToTheOthers) {
  soft({{.key = "zone"}});
  domains("zone", {1, 2, 3});
  plugin();
  EXPECT_EQ(plugin_->pre_score(columns_), BERTH_SUCCESS);
  EXPECT_TRUE(plugin_->changed());
  set("pod.tolerations", Ids{10});
  EXPECT_EQ(plugin_->pre_score(columns_), BERTH_SUCCESS);
  EXPECT_TRUE(plugin_->changed());
}

TEST_F(SpreadScoreTest, HostnamesAreNodes) {
  soft({{.key = std::string(kHost), .max_skew = 1, .term = 6}});
  domains(kHost, {1, 2, 3, 0});
  set("node.count:1", Ints{1000, 10, 0, 50});
  // Three of the four feasible nodes have the label.
  EXPECT_EQ(scores(), (Ints{1609, 16, 0, BERTH_NOT_SCORED}));
  EXPECT_EQ(scores({1, 1, 0, 1})[0], 1386);
  EXPECT_EQ(host_.counts.queries, std::vector{(Query{.terms = {6}, .pods = BERTH_COUNTS_PLACED})});
}

TEST_F(SpreadScoreTest, ScoresOfConstraintsAddUp) {
  soft({{.key = "zone", .max_skew = 1}, {.key = "rack", .max_skew = 2}});
  domains("zone", {1, 2});
  domains("rack", {1, 1});
  counts(1, {0, 100, 10});
  counts(2, {0, 20});
  // 100 ln 4 + (20 ln 3 + 1), 10 ln 4 + (20 ln 3 + 1)
  EXPECT_EQ(scores(), (Ints{162, 37}));
}

TEST_F(SpreadScoreTest, NodesWithoutAllLabelsAreIgnored) {
  soft({{.key = "zone"}, {.key = "rack"}});
  domains("zone", {1, 2, 3, 0});
  domains("rack", {1, 1, 0, 1});
  counts(1, {0, 1000, 0, 0});
  counts(2, {0, 0});
  // Zone 3 has only a node without a rack, so it is not a domain.
  EXPECT_EQ(scores(), (Ints{1386, 0, BERTH_NOT_SCORED, BERTH_NOT_SCORED}));
  EXPECT_EQ(host_.counts.queries, (std::vector{Query{.key = host_.id("zone"),
                                                     .terms = {5},
                                                     .participants = both_keys(),
                                                     .pods = BERTH_COUNTS_PLACED},
                                               Query{.key = host_.id("rack"),
                                                     .terms = {5},
                                                     .participants = both_keys(),
                                                     .pods = BERTH_COUNTS_PLACED}}));
}

TEST_F(SpreadScoreTest, ASelectorOfAllPodsCountsNone) {
  soft({{.key = "zone", .selects_all = 1}});
  domains("zone", {1, 2});
  counts(1, {0, 0, 0});
  EXPECT_EQ(scores(), (Ints{0, 0}));
  EXPECT_EQ(host_.counts.queries.at(0).pods, 0u);
}

class SpreadDefaultsTest : public SpreadScoreTest {
 protected:
  SpreadDefaultsTest() {
    pod({}, kScoreSiblings);
    domains(kHost, {1, 2, 3});
    domains(kZone, {1, 2, 0});
    set("node.count:1", Ints{0, 1000, 0});
    node_counts(2, std::string(kZone), {500, 0, 1000});
  }
};

// The system defaults: skew 3 by hostname, 5 by zone. Nodes without a zone are scored by hostname
// alone and form one zone together.
TEST_F(SpreadDefaultsTest, OfTheSystem) {
  // 1000 (ln 5 by hostname, ln 5 by zone) + 2 + 4
  EXPECT_EQ(scores(), (Ints{6, 3225, 2}));
  EXPECT_EQ(host_.counts.queries,
            (std::vector{Query{.terms = {kScoreSiblings}, .pods = BERTH_COUNTS_PLACED},
                         Query{.key = host_.id(kZone),
                               .terms = {kScoreSiblings},
                               .pods = BERTH_COUNTS_PLACED,
                               .flags = BERTH_COUNTS_UNLABELLED}}));
  // Two feasible zones and two feasible nodes.
  EXPECT_EQ(scores({1, 1, 0})[1], 2779);
  EXPECT_EQ(scores({0, 1, 1})[1], 2779);
  // A zone label with an empty value is the same domain as no label.
  set("node.label:" + std::string(kZone), Ids{host_.id(""), host_.id("v2"), 0});
  EXPECT_EQ(scores()[1], 3002);
}

TEST_F(SpreadDefaultsTest, OfAListIgnoreNodesWithoutALabel) {
  domains("zone", {1, 2, 0});
  counts(1, {0, 0, 1000});
  EXPECT_EQ(scores({}, R"({"defaultingType": "List", "defaultConstraints": [
              {"maxSkew": 2, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"}]})"),
            (Ints{1, 1387, BERTH_NOT_SCORED}));
}

TEST_F(SpreadDefaultsTest, AreNotForPodsWithConstraintsOrWithoutSiblings) {
  EXPECT_EQ(plugin(R"({"defaultingType": "List"})").pre_score(columns_), BERTH_SKIP);
  pod({{.key = "rack"}}, kScoreSiblings);
  EXPECT_EQ(plugin().pre_score(columns_), BERTH_SKIP);
  pod({}, 0);
  EXPECT_EQ(plugin().pre_score(columns_), BERTH_SKIP);
}

}  // namespace
}  // namespace berth::plugins::testing
