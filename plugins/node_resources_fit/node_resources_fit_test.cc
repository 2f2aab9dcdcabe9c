#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using Ints = std::vector<int64_t>;
using Texts = std::vector<std::string>;

constexpr int64_t kMi = int64_t{1} << 20;
constexpr int64_t kGi = int64_t{1} << 30;

// A pod's requests, as both the filter and the score read them.
Columns pod(FakeHost& host, const std::vector<std::pair<std::string, int64_t>>& requests) {
  std::vector<std::vector<uint32_t>> names(1);
  std::vector<Ints> amounts(1);
  for (const auto& [name, amount] : requests) {
    names[0].push_back(host.id(name));
    amounts[0].push_back(amount);
  }
  return {{"pod.request_names", names},
          {"pod.requests", amounts},
          {"pod.scoring_request_names", names},
          {"pod.scoring_requests", amounts}};
}

class FitFilterTest : public ::testing::Test {
 protected:
  // Two nodes: the first has room, the second is nearly full.
  Columns nodes() {
    return {{"node.pods", Ints{10, 10}},
            {"node.allocatable:pods", Ints{110, 110}},
            {"node.allocatable:cpu", Ints{4000, 4000}},
            {"node.requested:cpu", Ints{1000, 3900}},
            {"node.allocatable:memory", Ints{32 * kGi, 32 * kGi}},
            {"node.requested:memory", Ints{kGi, 31 * kGi}},
            {"node.allocatable:ephemeral-storage", Ints{100, 100}},
            {"node.requested:ephemeral-storage", Ints{0, 95}},
            {"node.allocatable:example.com/gpu", Ints{8, 8}},
            {"node.requested:example.com/gpu", Ints{0, 8}},
            {"node.allocatable:hugepages-2Mi", Ints{4 * kMi, 0}},
            {"node.requested:hugepages-2Mi", Ints{0, 0}},
            {"node.allocatable:attachable-volumes-aws-ebs", Ints{1, 1}},
            {"node.requested:attachable-volumes-aws-ebs", Ints{0, 1}},
            {"node.allocatable:unknown.kubernetes.io/thing", Ints{0, 0}},
            {"node.requested:unknown.kubernetes.io/thing", Ints{0, 0}}};
  }
  std::vector<Verdict> filter(Harness& plugin, Columns requests, Columns on) {
    on.merge(requests);
    return plugin.filter(on);
  }
  std::vector<Verdict> filter(const std::vector<std::pair<std::string, int64_t>>& requests,
                              std::string_view arguments = "{}") {
    Harness plugin(host_, arguments);
    const auto verdicts = filter(plugin, pod(host_, requests), nodes());
    inputs_ = plugin.inputs();
    return verdicts;
  }
  static Verdict lacks(const Texts& reasons, berth_code code = BERTH_UNSCHEDULABLE) {
    return {code, reasons};
  }

  FakeHost host_;
  Texts inputs_;
};

const Verdict kFits{};
constexpr berth_code kNever = BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;

TEST_F(FitFilterTest, NothingRequestedNeedsAPlaceOnly) {
  EXPECT_EQ(filter({}), (std::vector{kFits, kFits}));
  EXPECT_EQ(inputs_, (Texts{"node.pods", "node.allocatable:pods"}));
}

TEST_F(FitFilterTest, NumbersAreThoseOfWhatTheNodeLacks) {
  Harness plugin(host_);
  Columns columns = nodes();
  columns.insert_or_assign("node.pods", Ints{110, 10});
  columns.merge(pod(host_, {{"cpu", 300}, {"memory", kGi}, {"example.com/gpu", 1}}));
  const auto numbers = plugin.filter_numbers(columns);
  EXPECT_EQ(numbers[0], Texts{"pods: wanted 1, free 0, requested 110, allocatable 110"});
  EXPECT_EQ(numbers[1], (Texts{"cpu: wanted 300m, free 100m, requested 3900m, allocatable 4000m",
                               "example.com/gpu: wanted 1, free 0, requested 8, allocatable 8"}));
}

TEST_F(FitFilterTest, NumbersOfScoresAreRequestedWithThePodAndAllocatable) {
  Harness plugin(host_);
  Columns columns = nodes();
  columns.insert({"node.nonzero_requested:cpu", Ints{1000, 3900}});
  columns.insert({"node.nonzero_requested:memory", Ints{kGi, 31 * kGi}});
  columns.merge(pod(host_, {{"cpu", 300}, {"memory", kMi}}));
  EXPECT_EQ(plugin.score_numbers(columns)[0],
            (Texts{"cpu: requested 1300m, allocatable 4000m",
                   "memory: requested 1074790400 bytes, allocatable 34359738368 bytes"}));
}

TEST_F(FitFilterTest, ExactlyWhatIsFreeFits) {
  EXPECT_EQ(filter({{"cpu", 100}, {"memory", kGi}}), (std::vector{kFits, kFits}));
  EXPECT_EQ(filter({{"cpu", 101}}), (std::vector{kFits, lacks({"Insufficient cpu"})}));
}

TEST_F(FitFilterTest, TooManyPods) {
  Columns full = nodes();
  full.insert_or_assign("node.pods", Ints{109, 110});
  Harness plugin(host_);
  EXPECT_EQ(filter(plugin, pod(host_, {}), full), (std::vector{kFits, lacks({"Too many pods"})}));
}

TEST_F(FitFilterTest, TooManyPodsIsResolvableEvenWhereNoneIsAllowed) {
  Columns none = nodes();
  none.insert_or_assign("node.allocatable:pods", Ints{0, 0});
  none.insert_or_assign("node.pods", Ints{0, 0});
  Harness plugin(host_);
  EXPECT_EQ(filter(plugin, pod(host_, {}), none),
            (std::vector{lacks({"Too many pods"}), lacks({"Too many pods"})}));
}

TEST_F(FitFilterTest, AllReasonsInTheirOrder) {
  Columns full = nodes();
  full.insert_or_assign("node.pods", Ints{0, 110});
  Harness plugin(host_);
  EXPECT_EQ(filter(plugin,
                   pod(host_, {{"cpu", 200},
                               {"ephemeral-storage", 10},
                               {"example.com/gpu", 1},
                               {"memory", 2 * kGi}}),
                   full),
            (std::vector{
                kFits, lacks({"Too many pods", "Insufficient cpu", "Insufficient memory",
                              "Insufficient ephemeral-storage", "Insufficient example.com/gpu"})}));
}

TEST_F(FitFilterTest, AboveTheWholeNodeNothingHelps) {
  EXPECT_EQ(filter({{"cpu", 4001}}), (std::vector{lacks({"Insufficient cpu"}, kNever),
                                                  lacks({"Insufficient cpu"}, kNever)}));
  // One resource that can never fit, and one that is in use.
  EXPECT_EQ(filter({{"cpu", 200}, {"example.com/gpu", 9}})[1],
            lacks({"Insufficient cpu", "Insufficient example.com/gpu"}, kNever));
}

TEST_F(FitFilterTest, ScalarResources) {
  EXPECT_EQ(filter({{"hugepages-2Mi", 2 * kMi}}),
            (std::vector{kFits, lacks({"Insufficient hugepages-2Mi"}, kNever)}));
  EXPECT_EQ(filter({{"attachable-volumes-aws-ebs", 1}}),
            (std::vector{kFits, lacks({"Insufficient attachable-volumes-aws-ebs"})}));
  const Verdict native = lacks({"Insufficient unknown.kubernetes.io/thing"}, kNever);
  EXPECT_EQ(filter({{"unknown.kubernetes.io/thing", 1}}), (std::vector{native, native}));
  EXPECT_EQ(filter({{"example.com/gpu", 0}, {"cpu", 0}}), (std::vector{kFits, kFits}));
}

TEST_F(FitFilterTest, NamesThatAreNoResourcesOfNodesDoNotCount) {
  EXPECT_EQ(filter({{"gpu", 5},
                    {"pods", 500},
                    {"storage", 7},
                    {"requests.example.com/x", 1},
                    {"Not Qualified/x", 1}}),
            (std::vector{kFits, kFits}));
}

TEST_F(FitFilterTest, IgnoredResourcesAndGroups) {
  EXPECT_EQ(filter({{"example.com/gpu", 9}}, R"({"ignoredResources": ["example.com/gpu"]})"),
            (std::vector{kFits, kFits}));
  EXPECT_EQ(filter({{"example.com/gpu", 9}}, R"({"ignoredResourceGroups": ["example.com"]})"),
            (std::vector{kFits, kFits}));
  const Verdict refused = lacks({"Insufficient example.com/gpu"}, kNever);
  EXPECT_EQ(
      filter({{"example.com/gpu", 9}},
             R"({"ignoredResources": ["example.com/fpga"], "ignoredResourceGroups": ["com"]})"),
      (std::vector{refused, refused}));
  // Only extended resources can be ignored.
  EXPECT_EQ(filter({{"hugepages-2Mi", 2 * kMi}}, R"({"ignoredResources": ["hugepages-2Mi"]})")[1],
            lacks({"Insufficient hugepages-2Mi"}, kNever));
}

// A reason is a bit set if there are enough bits; otherwise its texts are computed again.
TEST_F(FitFilterTest, AnyNumberOfResources) {
  for (const int count : {1, 29, 30, 31, 32, 80}) {
    std::vector<std::pair<std::string, int64_t>> requests;
    // The first node lacks every resource, the second only the last; the third lacks only a pod
    // slot.
    Columns wide = {{"node.pods", Ints{0, 0, 1}}, {"node.allocatable:pods", Ints{1, 1, 1}}};
    Texts reasons;
    for (int i = 0; i < count; ++i) {
      const std::string name = "example.com/r" + std::to_string(100 + i);
      requests.emplace_back(name, 2);
      wide.emplace("node.allocatable:" + name, Ints{2, 2, 2});
      wide.emplace("node.requested:" + name, Ints{1, i == count - 1 ? 2 : 0, 0});
      reasons.push_back("Insufficient " + name);
    }
    Harness plugin(host_);
    EXPECT_EQ(filter(plugin, pod(host_, requests), wide),
              (std::vector{lacks(reasons), lacks({reasons.back()}), lacks({"Too many pods"})}))
        << count;
  }
}

TEST_F(FitFilterTest, WithoutPreFilterEveryNodeIsAnError) {
  Harness plugin(host_);
  Columns columns = nodes();
  Columns requests = pod(host_, {{"cpu", 1}});
  columns.merge(requests);
  EXPECT_EQ(plugin.filter(columns, 0), (std::vector<Verdict>(2, {BERTH_ERROR, {}})));
  EXPECT_EQ(plugin.error(),
            "error reading \"PreFilterNodeResourcesFit\" from cycleState: not found");
}

TEST_F(FitFilterTest, OtherPointsGoOn) {
  Harness plugin(host_);
  EXPECT_EQ(plugin.pre_filter({}).code, BERTH_SUCCESS);
  EXPECT_EQ(plugin.pre_score({}), BERTH_SUCCESS);
}

class FitScoreTest : public ::testing::Test {
 protected:
  std::vector<int64_t> score(std::string_view arguments,
                             const std::vector<std::pair<std::string, int64_t>>& requests,
                             Columns nodes) {
    Harness plugin(host_, arguments);
    Columns requested = pod(host_, requests);
    nodes.merge(requested);
    const auto raw = plugin.score(nodes);
    inputs_ = plugin.inputs();
    return raw;
  }
  // A node with cpu and memory.
  static Columns node(int64_t cpu, int64_t cpu_used, int64_t memory, int64_t memory_used) {
    return {{"node.allocatable:cpu", Ints{cpu}},
            {"node.nonzero_requested:cpu", Ints{cpu_used}},
            {"node.allocatable:memory", Ints{memory}},
            {"node.nonzero_requested:memory", Ints{memory_used}}};
  }
  static std::string strategy(std::string_view type, std::string_view resources = "[]") {
    return R"({"scoringStrategy": {"type": ")" + std::string(type) + R"(", "resources": )" +
           std::string(resources) + "}}";
  }

  FakeHost host_;
  Texts inputs_;
};

TEST_F(FitScoreTest, LeastAllocatedIsTheDefault) {
  // (4000-1000-500)*100/4000 = 62, (10000-5000-1000)*100/10000 = 40: their mean is 51.
  EXPECT_EQ(score("{}", {{"cpu", 500}, {"memory", 1000}}, node(4000, 1000, 10000, 5000)), Ints{51});
  EXPECT_EQ(inputs_, (Texts{"node.allocatable:cpu", "node.nonzero_requested:cpu",
                            "node.allocatable:memory", "node.nonzero_requested:memory"}));
}

TEST_F(FitScoreTest, MoreThanThereIsScoresNothing) {
  EXPECT_EQ(score("{}", {{"cpu", 500}, {"memory", 1000}}, node(1000, 600, 10000, 0)), Ints{45});
  EXPECT_EQ(
      score(strategy("MostAllocated"), {{"cpu", 500}, {"memory", 1000}}, node(1000, 600, 10000, 0)),
      Ints{55});
}

TEST_F(FitScoreTest, AResourceThatTheNodeHasNotIsLeftOut) {
  EXPECT_EQ(score("{}", {{"cpu", 500}, {"memory", 1000}}, node(0, 0, 10000, 0)), Ints{90});
  EXPECT_EQ(score("{}", {{"cpu", 500}, {"memory", 1000}}, node(0, 0, 0, 0)), Ints{0});
}

TEST_F(FitScoreTest, Weights) {
  const std::string arguments =
      strategy("MostAllocated", R"([{"name": "cpu", "weight": 3}, {"name": "memory"}])");
  EXPECT_EQ(score(arguments, {{"cpu", 500}, {"memory", 1000}}, node(1000, 0, 10000, 0)),
            Ints{(3 * 50 + 10) / 4});
}

TEST_F(FitScoreTest, ScalarResourcesCountForPodsThatRequestThem) {
  const std::string arguments = strategy(
      "MostAllocated",
      R"([{"name": "cpu"}, {"name": "example.com/gpu"}, {"name": "pods"}, {"name": "ephemeral-storage"}])");
  Columns nodes = {{"node.allocatable:cpu", Ints{1000, 1000}},
                   {"node.nonzero_requested:cpu", Ints{0, 0}},
                   {"node.allocatable:example.com/gpu", Ints{8, 0}},
                   {"node.requested:example.com/gpu", Ints{3, 0}},
                   {"node.allocatable:ephemeral-storage", Ints{100, 100}},
                   {"node.requested:ephemeral-storage", Ints{50, 50}}};
  EXPECT_EQ(score(arguments, {{"cpu", 100}, {"example.com/gpu", 1}}, nodes),
            (Ints{(10 + 50 + 50) / 3, (10 + 50) / 2}));
  EXPECT_EQ(score(arguments, {{"cpu", 100}}, nodes), (Ints{(10 + 50) / 2, (10 + 50) / 2}));
}

constexpr std::string_view kRatio = R"({"scoringStrategy": {"type": "RequestedToCapacityRatio",
  "resources": [{"name": "cpu", "weight": 1}, {"name": "memory", "weight": 2}],
  "requestedToCapacityRatio": {"shape": [
    {"utilization": 10, "score": 1}, {"utilization": 50, "score": 5}, {"utilization": 80, "score": 0}]}}})";

TEST_F(FitScoreTest, RequestedToCapacityRatioFollowsItsShape) {
  const auto both = [&](int64_t percent) {
    return score(kRatio, {{"cpu", 0}, {"memory", 0}}, node(100, percent, 100, percent))[0];
  };
  EXPECT_EQ(both(0), 10);
  EXPECT_EQ(both(10), 10);
  EXPECT_EQ(both(33), 33);
  EXPECT_EQ(both(50), 50);
  EXPECT_EQ(both(57), 50 - 50 * 7 / 30);
  EXPECT_EQ(both(80), 0);
  EXPECT_EQ(both(500), 0);
}

TEST_F(FitScoreTest, RequestedToCapacityRatioRoundsAndLeavesOutZeroes) {
  // cpu 20 with weight 1, memory 31 with weight 2: 82 / 3 = 27.33; and 21, 31: 83 / 3 = 27.67.
  EXPECT_EQ(score(kRatio, {}, node(100, 20, 100, 31)), Ints{27});
  EXPECT_EQ(score(kRatio, {}, node(100, 21, 100, 31)), Ints{28});
  // Memory is at 100 % and scores 0, so cpu alone counts.
  EXPECT_EQ(score(kRatio, {}, node(100, 20, 100, 100)), Ints{20});
}

// kube-scheduler's result, computed in the simplest way.
int64_t plain(bool most, const Ints& allocatable, const Ints& requested, const Ints& weights) {
  int64_t sum = 0;
  int64_t weight = 0;
  for (size_t i = 0; i < allocatable.size(); ++i) {
    if (allocatable[i] == 0) continue;
    const int64_t part = most ? std::min(requested[i], allocatable[i])
                              : std::max<int64_t>(allocatable[i] - requested[i], 0);
    sum += weights[i] * static_cast<int64_t>(static_cast<__int128>(part) * 100 / allocatable[i]);
    weight += weights[i];
  }
  return weight == 0 ? 0 : sum / weight;
}

TEST_F(FitScoreTest, DoublesAreExact) {
  EXPECT_TRUE(rc::check("every row equals integer arithmetic", [this] {
    const bool most = *rc::gen::arbitrary<bool>();
    // Also around the limit of doubles, up to the range of int64 products.
    const auto amount = rc::gen::oneOf(
        rc::gen::inRange<int64_t>(0, 10), rc::gen::inRange<int64_t>(0, 1'000'000),
        rc::gen::inRange<int64_t>((int64_t{1} << 53) / 100 - 3, (int64_t{1} << 53) / 100 + 3),
        rc::gen::inRange<int64_t>(0, INT64_MAX / 200));
    const size_t rows = *rc::gen::inRange<size_t>(1, 400);
    const auto column = [&] { return *rc::gen::container<Ints>(rows, amount); };
    const Ints weights = {*rc::gen::inRange<int64_t>(1, 101), *rc::gen::inRange<int64_t>(1, 101)};
    const Ints cpu = column(), cpu_used = column(), memory = column(), memory_used = column();
    const std::string resources = R"([{"name": "cpu", "weight": )" + std::to_string(weights[0]) +
                                  R"(}, {"name": "memory", "weight": )" +
                                  std::to_string(weights[1]) + "}]";
    const Ints raw = score(strategy(most ? "MostAllocated" : "LeastAllocated", resources),
                           {{"cpu", 7}, {"memory", 9}},
                           {{"node.allocatable:cpu", cpu},
                            {"node.nonzero_requested:cpu", cpu_used},
                            {"node.allocatable:memory", memory},
                            {"node.nonzero_requested:memory", memory_used}});
    for (size_t i = 0; i < rows; ++i)
      RC_ASSERT(raw[i] ==
                plain(most, {cpu[i], memory[i]}, {cpu_used[i] + 7, memory_used[i] + 9}, weights));
  }));
}

TEST(FitArguments, GoodOnes) {
  EXPECT_EQ(Harness::validate("{}"), Texts{});
  EXPECT_EQ(Harness::validate(R"({"apiVersion": "kubescheduler.config.k8s.io/v1",
              "kind": "NodeResourcesFitArgs", "ignoredResources": ["example.com/gpu"],
              "scoringStrategy": {"type": "LeastAllocated", "resources": [{"name": "cpu"}]}})"),
            Texts{});
  EXPECT_EQ(Harness::validate(kRatio), Texts{});
}

TEST(FitArguments, BadOnes) {
  EXPECT_EQ(Harness::validate(R"({"kind": "ImageLocalityArgs"})").size(), 1u);
  EXPECT_EQ(Harness::validate(R"({"scoringStrategy": {"type": "Best"}, "more": 1})"),
            (Texts{"scoringStrategy.type: Unsupported value: \"Best\": supported values: "
                   "\"LeastAllocated\", \"MostAllocated\", \"RequestedToCapacityRatio\"",
                   "more: unknown field"}));
  EXPECT_EQ(Harness::validate(R"({"scoringStrategy": {"resources": []}})")[0],
            "scoringStrategy.type: Unsupported value: \"\": supported values: "
            "\"LeastAllocated\", \"MostAllocated\", \"RequestedToCapacityRatio\"");
  EXPECT_EQ(
      Harness::validate(R"({"scoringStrategy": {"type": "LeastAllocated",
              "resources": [{"name": "cpu", "weight": 101}, {"name": "memory", "weight": -1}]}})"),
      (Texts{"scoringStrategy.resources[0].weight: Invalid value: 101: resource weight of cpu "
             "not in valid range (0, 100]",
             "scoringStrategy.resources[1].weight: Invalid value: -1: resource weight of "
             "memory not in valid range (0, 100]"}));
  EXPECT_EQ(Harness::validate(R"({"scoringStrategy": {"type": 3}})")[0],
            "scoringStrategy.type: must be a string");
}

TEST(FitArguments, BadShapes) {
  const Rules rules(KubeVersion::k1_34);
  const auto shape = [&](const std::string& points) {
    return Harness::validate(
        R"({"scoringStrategy": {"type": "RequestedToCapacityRatio", "requestedToCapacityRatio":
           {"shape": )" +
            points + "}}}",
        rules);
  };
  EXPECT_EQ(shape("[]"),
            Texts{"scoringStrategy.shape: Required value: at least one point must be specified"});
  EXPECT_EQ(
      shape(R"([{"utilization": 50, "score": 1}, {"utilization": 50, "score": 11},
                      {"utilization": 101, "score": -1}])"),
      (Texts{"scoringStrategy.shape[1].utilization: Invalid value: 50: values must be sorted "
             "in increasing order",
             "scoringStrategy.shape[1].score: Invalid value: 11: not in valid range [0, 10]",
             "scoringStrategy.shape[2].utilization: Invalid value: 101: not in valid range "
             "[0, 100]",
             "scoringStrategy.shape[2].score: Invalid value: -1: not in valid range [0, 10]"}));
  EXPECT_EQ(
      Harness::validate(R"({"scoringStrategy": {"type": "RequestedToCapacityRatio"}})", rules),
      Texts{"scoringStrategy.requestedToCapacityRatio: Required value: the strategy "
            "RequestedToCapacityRatio needs a shape"});
}

TEST(FitArguments, WithTheRuleAShapeStandsExactlyWithItsStrategy) {
  const Rules rules(KubeVersion::k1_36);
  const auto problems = [&](const std::string& type, const std::string& ratio) {
    return Harness::validate(R"({"scoringStrategy": {"type": ")" + type + "\"" + ratio + "}}",
                             rules);
  };
  const std::string good =
      R"(, "requestedToCapacityRatio": {"shape": [{"utilization": 0, "score": 1}]})";
  EXPECT_EQ(problems("RequestedToCapacityRatio", good), Texts{});
  EXPECT_EQ(problems("MostAllocated", ""), Texts{});
  EXPECT_EQ(problems("RequestedToCapacityRatio", ""),
            Texts{"scoringStrategy.requestedToCapacityRatio: Required value: must be specified "
                  "when type is RequestedToCapacityRatio"});
  EXPECT_EQ(Harness::validate(R"({"scoringStrategy": {"type": "MostAllocated")" + good + "}}",
                              Rules(KubeVersion::k1_34)),
            Texts{});
  EXPECT_EQ(problems("MostAllocated", good),
            Texts{"scoringStrategy.requestedToCapacityRatio: Forbidden: must be nil when type is "
                  "not RequestedToCapacityRatio"});
  EXPECT_EQ(problems("RequestedToCapacityRatio", R"(, "requestedToCapacityRatio": {})"),
            Texts{"scoringStrategy.requestedToCapacityRatio.shape: Required value: at least one "
                  "point must be specified"});
  EXPECT_EQ(problems("RequestedToCapacityRatio", R"(, "requestedToCapacityRatio": null)").size(),
            1u);
  EXPECT_EQ(problems("RequestedToCapacityRatio",
                     R"(, "requestedToCapacityRatio": {"shape": [{"utilization": 101}]})"),
            Texts{"scoringStrategy.requestedToCapacityRatio.shape[0].utilization: Invalid value: "
                  "101: not in valid range [0, 100]"});
}

TEST(FitArguments, BadNames) {
  const Texts problems =
      Harness::validate(R"({"ignoredResources": ["-x"], "ignoredResourceGroups": ["a/b"]})");
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0],
            "ignoredResources[0]: Invalid value: \"-x\": name part must consist of alphanumeric "
            "characters, '-', '_' or '.', and must start and end with an alphanumeric character "
            "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
            "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')");
  EXPECT_EQ(problems[1],
            "ignoredResourceGroups[0]: Invalid value: \"a/b\": resource group name can't contain "
            "'/'");
}

}  // namespace
}  // namespace berth::plugins::testing
