#include "plugins/pod_topology_spread/testing.h"

namespace berth::plugins::testing {
namespace {

using Query = FakeCounts::Query;

constexpr uint32_t kHardPods =
    BERTH_COUNTS_PLACED | BERTH_COUNTS_OVERLAID | BERTH_COUNTS_OVERLAID_TERMINATING;
constexpr uint32_t kSiblings = 8;

const Verdict kFits{};
const Verdict kSkewed{BERTH_UNSCHEDULABLE,
                      {"node(s) didn't match pod topology spread constraints"}};
const Verdict kUnlabelled{
    BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE,
    {"node(s) didn't match pod topology spread constraints (missing required label)"}};

class SpreadFilterTest : public SpreadTest {};

TEST_F(SpreadFilterTest, PreFilterSkipsWithoutHardConstraints) {
  EXPECT_EQ(plugin().pre_filter(columns_).code, BERTH_SKIP);
  pod({{.key = "zone", .when = "ScheduleAnyway", .problem = "bad"}});
  EXPECT_EQ(plugin().pre_filter(columns_).code, BERTH_SKIP);
  pod({{.key = "zone", .when = "ScheduleAnyway"}, {.key = "zone"}});
  EXPECT_EQ(plugin().pre_filter(columns_).code, BERTH_SUCCESS);
}

TEST_F(SpreadFilterTest, PreFilterFailsPodsWithABadSelector) {
  pod({{.key = "zone"}, {.key = "rack", .problem = "\"Foo\" is not a valid operator"}});
  EXPECT_EQ(
      failure([&] { plugin().pre_filter(columns_); }),
      "get constraints from pod: obtaining pod's hard topology spread constraints: \"Foo\" is "
      "not a valid operator");
}

TEST_F(SpreadFilterTest, NoDomainGetsMoreThanMaxSkewAboveTheEmptiest) {
  domains("zone", {1, 2, 3, 1});
  counts(1, {0, 4, 1, 2}, {7, 1, 3});
  pod({{.key = "zone", .max_skew = 1}});
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kSkewed, kFits, kSkewed, kSkewed}));
  pod({{.key = "zone", .max_skew = 2}});
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kSkewed, kFits, kFits, kSkewed}));
  pod({{.key = "zone", .max_skew = 4}});
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kFits, kFits, kFits, kFits}));
  EXPECT_EQ(failure([&] { plugin().filter(columns_, 0); }),
            "reading \"PreFilterPodTopologySpread\" from cycleState: not found");
}

TEST_F(SpreadFilterTest, NumbersOfEachConstraint) {
  domains("zone", {1, 2, 0});
  counts(1, {0, 4, 1}, {7, 1, 2});
  pod({{.key = "zone", .max_skew = 2, .min_domains = 2, .term = 6}});
  const auto numbers = plugin().filter_numbers(columns_);
  EXPECT_EQ(numbers[0], Texts{"zone: selector term 6, count 4, minimum 1, skew 4, maxSkew 2, "
                              "domains 2, minDomains 2, counted pods of node.count:1 0"});
  EXPECT_EQ(numbers[1], Texts{"zone: selector term 6, count 1, minimum 1, skew 1, maxSkew 2, "
                              "domains 2, minDomains 2"});
  EXPECT_EQ(numbers[2], Texts{"zone: selector term 6, label absent"});
}

TEST_F(SpreadFilterTest, APodThatDoesNotMatchItselfMakesNoDomainFuller) {
  domains("zone", {1, 2, 3});
  counts(1, {0, 4, 1, 2}, {7, 1, 3});
  pod({{.key = "zone", .max_skew = 1, .self = 0}});
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kSkewed, kFits, kFits}));
}

TEST_F(SpreadFilterTest, WithTooFewDomainsTheEmptiestIsEmpty) {
  domains("zone", {1, 2});
  counts(1, {0, 2, 1}, {3, 1, 2});
  pod({{.key = "zone", .max_skew = 1, .min_domains = 2}});
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kSkewed, kFits}));
  pod({{.key = "zone", .max_skew = 1, .min_domains = 3}});
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kSkewed, kSkewed}));
  pod({{.key = "zone", .max_skew = 2, .min_domains = 3}});
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kSkewed, kFits}));
}

// No node takes part in counting.
TEST_F(SpreadFilterTest, WithoutAnyDomain) {
  domains("zone", {1, 0});
  counts(1, {0, 0}, {0, 0, 0});
  pod({{.key = "zone"}});
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kFits, kUnlabelled}));
  counts(1, {0, 1}, {0, 0, 0});
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kSkewed, kUnlabelled}));
}

TEST_F(SpreadFilterTest, TheFirstConstraintThatRefusesSaysWhy) {
  pod({{.key = "zone"}, {.key = "rack"}});
  domains("zone", {1, 1, 0, 2, 2, 0});
  domains("rack", {1, 0, 1, 0, 1, 0});
  counts(1, {0, 5, 0}, {5, 0, 2});
  counts(2, {0, 0}, {0, 0, 1});
  EXPECT_EQ(plugin().filter(columns_),
            (std::vector{kSkewed, kSkewed, kUnlabelled, kUnlabelled, kFits, kUnlabelled}));
  counts(2, {0, 7}, {7, 0, 2});
  EXPECT_EQ(plugin().filter(columns_)[4], kSkewed);
  EXPECT_EQ(plugin_->inputs(),
            (Texts{"node.has_label:zone", "node.count:1", "count_minimum:1", "count_domains:1",
                   "node.has_label:rack", "node.count:2", "count_minimum:2", "count_domains:2"}));
}

TEST_F(SpreadFilterTest, OnlyHardConstraintsRefuse) {
  set("node.name", host_.ids({"a", "b"}));
  pod({{.key = "zone", .when = "ScheduleAnyway"}});
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kFits, kFits}));
}

// The queries that filtering a pod with these constraints makes.
class SpreadQueryTest : public SpreadTest {
 protected:
  std::vector<Query> asked(std::string_view arguments = "{}") {
    for (const std::string_view key : {"zone", "rack"}) domains(key, {1});
    for (const uint32_t query : {1u, 2u}) counts(query, {0, 0}, {0, 0, 1});
    host_.counts.queries.clear();
    plugin(arguments).filter(columns_);
    return host_.counts.queries;
  }
  uint32_t zone() { return host_.id("zone"); }
};

TEST_F(SpreadQueryTest, CountsWhereAllHardKeysAre) {
  pod({{.key = "zone", .term = 5},
       {.key = "disk", .when = "ScheduleAnyway", .term = 6},
       {.key = "rack", .term = 7}});
  EXPECT_EQ(asked(),
            (std::vector{
                Query{.key = zone(), .terms = {5}, .participants = both_keys(), .pods = kHardPods},
                Query{.key = host_.id("rack"),
                      .terms = {7},
                      .participants = both_keys(),
                      .pods = kHardPods}}));
}

TEST_F(SpreadQueryTest, NodesThatThePodCannotUseTakePartByPolicy) {
  const auto participants = [&](const std::string& affinity, const std::string& taints) {
    pod({{.key = "zone", .affinity_policy = affinity, .taints_policy = taints}});
    set("pod.node_selector", Ids{3});
    set("pod.affinity", Ids{4});
    return asked().at(0).participants;
  };
  EXPECT_EQ(participants("", ""), (Texts{"node.matches:3", "node.matches:4"}));
  EXPECT_EQ(participants("Honor", "Ignore"), (Texts{"node.matches:3", "node.matches:4"}));
  EXPECT_EQ(participants("Ignore", ""), Texts{});
  EXPECT_EQ(participants("Ignore", "Honor"), Texts{"node.tolerated:9"});
}

TEST_F(SpreadQueryTest, ASelectorOfAllPodsCountsNoPlacedOne) {
  pod({{.key = "zone", .selects_all = 1}});
  EXPECT_EQ(asked().at(0).pods, kHardPods & ~BERTH_COUNTS_PLACED);
}

constexpr std::string_view kList = R"({"defaultingType": "List", "defaultConstraints": [
  {"maxSkew": 3, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"},
  {"maxSkew": 1, "topologyKey": "rack", "whenUnsatisfiable": "ScheduleAnyway"}]})";

TEST_F(SpreadQueryTest, DefaultsSpreadTheSiblingsOfPodsWithoutConstraints) {
  pod({}, kSiblings);
  EXPECT_EQ(asked(kList),
            std::vector{(Query{.key = zone(), .terms = {kSiblings}, .pods = kHardPods})});
  EXPECT_EQ(plugin_->pre_filter(columns_).code, BERTH_SUCCESS);
  counts(1, {0, 3}, {3, 0, 1});
  EXPECT_EQ(plugin_->filter(columns_), std::vector{kSkewed});
  pod({}, kSiblings, 0);
  EXPECT_EQ(plugin_->filter(columns_), std::vector{kFits});

  pod({});  // no other pod belongs with it
  EXPECT_EQ(asked(kList), std::vector<Query>{});
  pod({{.key = "disk", .when = "ScheduleAnyway"}}, kSiblings);
  EXPECT_EQ(asked(kList), std::vector<Query>{});
  EXPECT_EQ(plugin_->pre_filter(columns_).code, BERTH_SKIP);
  // The system defaults are soft constraints.
  pod({}, kSiblings);
  EXPECT_EQ(asked(), std::vector<Query>{});
}

Texts said_of_constraint(const std::string& constraint) {
  return Harness::validate(R"({"defaultingType": "List", "defaultConstraints": [{)" + constraint +
                           "}]}");
}

TEST(SpreadArguments, OfOneConstraint) {
  const std::string at = "defaultConstraints[0].";
  const std::string good =
      R"("maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway")";
  EXPECT_EQ(said_of_constraint(good), Texts{});
  EXPECT_EQ(said_of_constraint(good + R"(, "minDomains": 2, "nodeAffinityPolicy": "Ignore",
      "nodeTaintsPolicy": "Honor", "matchLabelKeys": ["a"], "labelSelector": null)"),
            Texts{});
  EXPECT_EQ(said_of_constraint(""),
            (Texts{at + "maxSkew: Invalid value: 0: not in valid range (0, inf)",
                   at + "topologyKey: Required value: can not be empty",
                   at + "whenUnsatisfiable: Required value: can not be empty"}));
  EXPECT_EQ(
      said_of_constraint(R"("maxSkew": -1, "topologyKey": "zone", "whenUnsatisfiable": "Maybe")"),
      (Texts{at + "maxSkew: Invalid value: -1: not in valid range (0, inf)",
             at + "whenUnsatisfiable: Unsupported value: \"Maybe\": supported values: "
                  "\"DoNotSchedule\", \"ScheduleAnyway\""}));
  EXPECT_EQ(said_of_constraint(good + R"(, "labelSelector": {"matchLabels": {"a": "b"}})"),
            Texts{at + "labelSelector: Forbidden: constraint must not define a selector, as they "
                       "deduced for each pod"});
  EXPECT_EQ(said_of_constraint(good + R"(, "skew": 1)"), Texts{at + "skew: unknown field"});
  const Texts key = said_of_constraint(
      R"("maxSkew": 1, "topologyKey": "a/b/c", "whenUnsatisfiable": "ScheduleAnyway")");
  ASSERT_EQ(key.size(), 1u);
  EXPECT_EQ(key[0].find(at + "topologyKey: Invalid value: \"a/b/c\": a qualified name must"), 0u)
      << key[0];
}

// With default constraints, other pods decide about each pod.
TEST(SpreadArguments, DefaultsKeepPodsFromBeingCompared) {
  const auto signing = [](std::string_view arguments) {
    FakeHost host;
    const Harness plugin(host, arguments);
    return host.run.signing;
  };
  EXPECT_EQ(signing("{}"), std::nullopt);
  EXPECT_EQ(signing(kList), std::nullopt);
  EXPECT_EQ(signing(R"({"defaultingType": "List"})"),
            (FakeRun::Signing{0, BERTH_PART_SPREAD_CONSTRAINTS}));
}

TEST(SpreadArguments, OfDefaulting) {
  const auto list = [](const std::string& type, const std::string& more) {
    return Harness::validate("{" + type + R"("defaultConstraints": [
      {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"})" +
                             more + "]}");
  };
  const std::string not_empty =
      "defaultingType: Invalid value: \"System\": when .defaultConstraints are not empty";
  EXPECT_EQ(Harness::validate("{}"), Texts{});
  EXPECT_EQ(Harness::validate(R"({"defaultingType": "System"})"), Texts{});
  EXPECT_EQ(Harness::validate(R"({"defaultingType": "List"})"), Texts{});
  EXPECT_EQ(Harness::validate(kList), Texts{});
  EXPECT_EQ(list("", ""), Texts{not_empty});
  EXPECT_EQ(list(R"("defaultingType": "System", )", ""), Texts{not_empty});
  EXPECT_EQ(list(R"("defaultingType": "Some", )", ""),
            Texts{"defaultingType: Unsupported value: \"Some\": supported values: \"List\", "
                  "\"System\""});
  const std::string other =
      R"(, {"maxSkew": 2, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"})";
  EXPECT_EQ(list(R"("defaultingType": "List", )", other), Texts{});
  EXPECT_EQ(list(R"("defaultingType": "List", )", other + other),
            Texts{"defaultConstraints[2]: Duplicate value: \"{zone, DoNotSchedule}\""});
  EXPECT_EQ(Harness::validate(R"({"kind": "InterPodAffinityArgs"})").size(), 1u);
}

}  // namespace
}  // namespace berth::plugins::testing
