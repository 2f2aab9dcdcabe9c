#include "engine/explain/order.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace berth::explain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Missing = std::vector<std::pair<const char*, int64_t>>;

// A node that a filter refuses for each of the reasons, and that fits with the missing amounts.
Explanation::Node refused(std::string name, const std::vector<std::string>& reasons,
                          const Missing& missing) {
  Explanation::Node node;
  node.name = std::move(name);
  for (const std::string& reason : reasons)
    node.filters.push_back({.plugin = "Of" + reason,
                            .code = BERTH_UNSCHEDULABLE,
                            .reasons = {reason},
                            .reported = node.filters.empty(),
                            .numbers = {}});
  node.change.emplace();
  for (const auto& [column, amount] : missing)
    node.change->push_back({column, std::to_string(amount) + " more", amount});
  return node;
}

Explanation ordered(std::vector<Explanation::Node> nodes) {
  Explanation explanation;
  explanation.nodes = std::move(nodes);
  order(explanation);
  return explanation;
}

std::vector<std::string> names(const Explanation& explanation) {
  std::vector<std::string> names;
  for (const Explanation::Node& node : explanation.nodes) names.push_back(node.name);
  return names;
}

TEST(Order, TheClosestNodesComeFirst) {
  Explanation::Node hopeless = refused("hopeless", {"a"}, {});
  hopeless.change.reset();
  Explanation::Node outside = refused("outside", {}, {});
  outside.outside = "another name";
  Explanation::Node feasible;
  feasible.name = "feasible";
  feasible.feasible = true;
  EXPECT_THAT(names(ordered({refused("twice", {"a", "b"}, {{"cpu", 1}}), outside, hopeless,
                             refused("two changes", {"a"}, {{"cpu", 1}, {"memory", 1}}),
                             refused("much", {"a"}, {{"cpu", 900}}),
                             refused("little", {"b"}, {{"cpu", 20}}),
                             refused("also little", {"b"}, {{"cpu", 20}}), feasible})),
              ElementsAre("feasible", "also little", "little", "much", "two changes", "hopeless",
                          "twice", "outside"));
}

// Bytes are many and milli-CPU few, so neither amount is compared with the other as it is.
TEST(Order, AmountsOfSeveralResourcesCountBySharesOfTheLargest) {
  EXPECT_THAT(names(ordered({refused("cpu", {"a"}, {{"cpu", 1000}, {"memory", 1 << 20}}),
                             refused("both", {"a"}, {{"cpu", 500}, {"memory", 1 << 29}}),
                             refused("memory", {"a"}, {{"cpu", 1000}, {"memory", 1 << 30}})})),
              ElementsAre("both", "cpu", "memory"));
}

TEST(Order, EqualRefusalsAreOneGroupWhateverIsMissing) {
  const Explanation explanation =
      ordered({refused("n3", {"a"}, {{"cpu", 3}}), refused("n2", {"b"}, {{"cpu", 2}}),
               refused("n1", {"a"}, {{"cpu", 1}}), refused("n4", {"a", "b"}, {{"cpu", 1}})});
  EXPECT_THAT(names(explanation), ElementsAre("n1", "n2", "n3", "n4"));
  ASSERT_EQ(explanation.groups.size(), 3u);
  EXPECT_THAT(explanation.groups[0].nodes, ElementsAre(0, 2));
  EXPECT_THAT(explanation.groups[1].nodes, ElementsAre(1));
  EXPECT_EQ(explanation.nodes[2].group, 0u);
  EXPECT_EQ(explanation.nodes[3].group, 2u);
}

TEST(Order, AReasonThatLooksLikeTwoIsOne) {
  Explanation::Node one = refused("one", {"x"}, {}), two = one;
  two.name = "two";
  one.filters[0].reasons = {"a1:b"};
  two.filters[0].reasons = {"a", "b"};
  EXPECT_EQ(ordered({one, two}).groups.size(), 2u);
}

TEST(Order, APageHasFewNodesOfEachGroupAndWideHasAll) {
  std::vector<Explanation::Node> nodes;
  for (size_t i = 0; i < 20'000; ++i)
    nodes.push_back(refused("n" + std::to_string(i), {std::to_string(i % 20)},
                            {{"cpu", static_cast<int64_t>(i + 1)}}));
  const Explanation explanation = ordered(std::move(nodes));
  const std::string page = to_text(explanation);
  EXPECT_LT(std::count(page.begin(), page.end(), '\n'), 80);
  EXPECT_THAT(page, HasSubstr("Refused: 20,000 of 20,000 nodes, in 20 groups of equal refusals"));
  EXPECT_THAT(page, HasSubstr("\n1,000 nodes\n  Of0   Unschedulable   0 <- reported\n"
                              "  n0    would fit: 1 more\n  n20   would fit: 21 more\n"
                              "  n40   would fit: 41 more\n  and 997 more: -o wide lists all\n"));
  EXPECT_THAT(page, HasSubstr("\nand 10 more groups with 10,000 nodes: -o wide lists all\n"));
  const std::string all = to_text(explanation, Extent::kAll);
  EXPECT_EQ(all.find("-o wide"), std::string::npos);
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 3 + 20 * 3 + 20'000);
  EXPECT_NE(all.find("\n  n19999   would fit: 20000 more\n"), std::string::npos);
}

TEST(Order, APageHasTheTenBestNodes) {
  std::vector<Explanation::Node> nodes(5000);
  for (size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].name = fmt::format("n{:04}", i);
    nodes[i].feasible = nodes[i].searched = true;
    nodes[i].scores.resize(1);
    nodes[i].total = static_cast<int64_t>(i);
  }
  nodes[7].won = true;
  Explanation explanation = ordered(std::move(nodes));
  explanation.score_plugins = {{"Score", 1, false}};
  const std::string page = to_text(explanation);
  EXPECT_EQ(std::count(page.begin(), page.end(), '\n'), 14);
  EXPECT_THAT(page, HasSubstr("\nn0007   won"));
  EXPECT_THAT(page, HasSubstr("\nn4991   feasible"));
  EXPECT_THAT(page, HasSubstr("\nand 4,990 more: -o wide lists all\n"));
}

TEST(Order, JsonHasGroupsAndEveryNode) {
  std::vector<Explanation::Node> nodes;
  for (size_t i = 0; i < 30; ++i)
    nodes.push_back(refused("n" + std::to_string(i), {"x"}, {{"cpu", 5}}));
  const std::string json = to_json(ordered(std::move(nodes)));
  EXPECT_THAT(json, HasSubstr("\"groups\": [\n    {\n      \"nodes\": 30,\n"
                              "      \"closest\": \"n0\",\n      \"refusals\": ["));
  EXPECT_THAT(json, HasSubstr("\"name\": \"n29\""));
  EXPECT_THAT(json, HasSubstr("\"group\": 0"));
  EXPECT_THAT(json, HasSubstr("\"missing\": 5"));
}

}  // namespace
}  // namespace berth::explain
