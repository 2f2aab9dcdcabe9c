#include <cmath>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using Ints = std::vector<int64_t>;
using Texts = std::vector<std::string>;
using Named = std::vector<std::pair<std::string, int64_t>>;

constexpr std::string_view kThree =
    R"({"resources": [{"name": "cpu"}, {"name": "memory", "weight": 1}, {"name": "example.com/gpu"}]})";

class BalancedAllocationTest : public ::testing::Test {
 protected:
  Columns pod(const Named& requests) {
    std::vector<std::vector<uint32_t>> names(1);
    std::vector<Ints> amounts(1);
    for (const auto& [name, amount] : requests) {
      names[0].push_back(host_.id(name));
      amounts[0].push_back(amount);
    }
    return {{"pod.running_request_names", names}, {"pod.running_requests", amounts}};
  }
  Ints score(std::string_view arguments, const Named& requests, Columns nodes) {
    plugin_.emplace(host_, arguments);
    Columns requested = pod(requests);
    nodes.merge(requested);
    return plugin_->score(nodes);
  }
  static Columns nodes(const Ints& cpu, const Ints& cpu_used, const Ints& memory,
                       const Ints& memory_used) {
    return {{"node.allocatable:cpu", cpu},
            {"node.requested:cpu", cpu_used},
            {"node.allocatable:memory", memory},
            {"node.requested:memory", memory_used}};
  }

  FakeHost host_;
  std::optional<Harness> plugin_;
};

TEST_F(BalancedAllocationTest, OneMinusHalfTheDistance) {
  // 0.5 and 0.5; 0.75 and 0.25; 1 (capped) and 0.5.
  EXPECT_EQ(score("{}", {{"cpu", 100}, {"memory", 100}},
                  nodes({1000, 1000, 1000}, {400, 650, 5000}, {1000, 1000, 1000}, {400, 150, 400})),
            (Ints{100, 75, 75}));
  EXPECT_EQ(plugin_->inputs(), (Texts{"node.allocatable:cpu", "node.requested:cpu",
                                      "node.allocatable:memory", "node.requested:memory"}));
}

TEST_F(BalancedAllocationTest, NumbersAreRequestedWithThePodAndAllocatable) {
  plugin_.emplace(host_);
  Columns columns = nodes({1000}, {400}, {1000}, {300});
  columns.merge(pod({{"cpu", 100}, {"memory", 50}}));
  EXPECT_EQ(plugin_->score_numbers(columns)[0],
            (Texts{"cpu: requested 500m, allocatable 1000m",
                   "memory: requested 350 bytes, allocatable 1000 bytes"}));
}

TEST_F(BalancedAllocationTest, HalfOfWhatThePodChanges) {
  host_.run.rules.insert("BalanceOfChange");
  // In use: 0.4 and 0.4, 0.5 and 0.05, nothing, and 0.1 where there is no memory.
  const Columns four =
      nodes({1000, 1000, 1000, 1000}, {400, 500, 0, 100}, {1000, 1000, 1000, 0}, {400, 50, 0, 0});
  EXPECT_EQ(score("{}", {{"cpu", 100}, {"memory", 100}}, four), (Ints{75, 75, 75, 75}));
  EXPECT_EQ(score("{}", {{"cpu", 100}}, four), (Ints{72, 72, 72, 75}));
  EXPECT_EQ(score("{}", {{"memory", 100}}, four), (Ints{72, 77, 72, 75}));
  // One by one, as of a single node, the same.
  EXPECT_EQ(score("{}", {{"memory", 100}}, nodes({1000}, {500}, {1000}, {50})), Ints{77});
}

TEST_F(BalancedAllocationTest, NumbersOfAChangeAreThoseWithAndWithoutThePod) {
  host_.run.rules.insert("BalanceOfChange");
  plugin_.emplace(host_);
  Columns columns = nodes({1000}, {400}, {1000}, {300});
  columns.merge(pod({{"cpu", 100}, {"memory", 50}}));
  EXPECT_EQ(plugin_->score_numbers(columns)[0],
            (Texts{"cpu: requested 500m, before 400m, allocatable 1000m",
                   "memory: requested 350 bytes, before 300 bytes, allocatable 1000 bytes"}));
}

TEST_F(BalancedAllocationTest, AResourceThatTheNodeHasNotIsLeftOut) {
  EXPECT_EQ(score("{}", {{"cpu", 100}}, nodes({1000, 0, 0}, {0, 0, 0}, {0, 1000, 0}, {0, 0, 0})),
            (Ints{100, 100, 100}));
}

TEST_F(BalancedAllocationTest, ThreeResources) {
  Columns three = nodes({4000}, {1000}, {1000}, {300});
  three.insert_or_assign("node.allocatable:example.com/gpu", Ints{8});
  three.insert_or_assign("node.requested:example.com/gpu", Ints{6});
  const double fractions[] = {1100.0 / 4000.0, 350.0 / 1000.0, 7.0 / 8.0};
  const double mean = (fractions[0] + fractions[1] + fractions[2]) / 3;
  double sum = 0;
  for (const double fraction : fractions) sum += (fraction - mean) * (fraction - mean);
  EXPECT_EQ(score(kThree, {{"cpu", 100}, {"memory", 50}, {"example.com/gpu", 1}}, three),
            Ints{static_cast<int64_t>((1 - std::sqrt(sum / 3)) * 100)});
  // For a pod that does not request the scalar resource, the other two count.
  EXPECT_EQ(score(kThree, {{"cpu", 1000}}, three), Ints{static_cast<int64_t>((1 - 0.1) * 100)});
  // For a node that lacks one of the three resources, the other two count.
  three.insert_or_assign("node.allocatable:example.com/gpu", Ints{0});
  EXPECT_EQ(score(kThree, {{"cpu", 1000}, {"example.com/gpu", 1}}, three),
            Ints{static_cast<int64_t>((1 - 0.1) * 100)});
}

TEST_F(BalancedAllocationTest, PodsThatRequestNothingAreNotScored) {
  Harness plugin(host_);
  EXPECT_EQ(plugin.pre_score(pod({})), BERTH_SKIP);
  EXPECT_EQ(plugin.pre_score(pod({{"example.com/gpu", 1}})), BERTH_SKIP);
  EXPECT_EQ(plugin.pre_score(pod({{"memory", 1}})), BERTH_SUCCESS);
  // The same score if PreScore is disabled.
  EXPECT_EQ(score("{}", {{"example.com/gpu", 1}}, nodes({10}, {9}, {10}, {0})), Ints{0});
  EXPECT_TRUE(plugin_->passed());
}

TEST_F(BalancedAllocationTest, TheVectorPathEqualsTheOther) {
  EXPECT_TRUE(rc::check("two resources", [this] {
    const bool of_change = *rc::gen::arbitrary<bool>();
    host_.run.rules.clear();
    if (of_change) host_.run.rules.insert("BalanceOfChange");
    const auto amount =
        rc::gen::oneOf(rc::gen::inRange<int64_t>(0, 10), rc::gen::inRange<int64_t>(0, 1'000'000),
                       rc::gen::inRange<int64_t>((int64_t{1} << 52) - 3, (int64_t{1} << 52) + 3),
                       rc::gen::inRange<int64_t>(0, INT64_MAX / 2));
    const size_t rows = *rc::gen::inRange<size_t>(1, 50);
    const auto column = [&] { return *rc::gen::container<Ints>(rows, amount); };
    const Ints cpu = column(), cpu_used = column(), memory = column(), memory_used = column();
    const Ints raw =
        score("{}", {{"cpu", 3}, {"memory", 5}}, nodes(cpu, cpu_used, memory, memory_used));
    for (size_t i = 0; i < rows; ++i) {
      const auto fraction = [](int64_t used, int64_t all) {
        return std::min(1.0, static_cast<double>(used) / static_cast<double>(all));
      };
      const auto evenness = [&](int64_t of_cpu, int64_t of_memory) {
        const double a = fraction(cpu_used[i] + of_cpu, cpu[i]);
        const double b = fraction(memory_used[i] + of_memory, memory[i]);
        const double deviation = cpu[i] == 0 || memory[i] == 0 ? 0 : std::fabs((a - b) / 2);
        return static_cast<int64_t>((1 - deviation) * 100);
      };
      const int64_t with_pod = evenness(3, 5);
      RC_ASSERT(raw[i] == (of_change ? 50 + (50 + with_pod - evenness(0, 0)) / 2 : with_pod));
    }
  }));
}

TEST(BalancedAllocationArguments, Checked) {
  EXPECT_EQ(Harness::validate("{}"), Texts{});
  EXPECT_EQ(Harness::validate(kThree), Texts{});
  EXPECT_EQ(Harness::validate(
                R"({"resources": [{"name": "cpu", "weight": 2}, {"name": "cpu"}], "x": 1})"),
            (Texts{"resources[0].weight: Invalid value: 2: must be 1",
                   "resources[1].name: Duplicate value: \"cpu\"", "x: unknown field"}));
  EXPECT_EQ(Harness::validate(R"({"resources": [{"name": "cpu", "weight": "1"}]})"),
            Texts{"resources[0].weight: must be a whole number"});
}

}  // namespace
}  // namespace berth::plugins::testing
