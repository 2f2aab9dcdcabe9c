#include <optional>

#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using Bytes = std::vector<uint8_t>;
using Ids = std::vector<uint32_t>;
using Ints = std::vector<int64_t>;
using Texts = std::vector<std::string>;

constexpr berth_code kNever = BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
const Verdict kFits{};
const Verdict kEnforced{kNever, {"node(s) didn't match scheduler-enforced node affinity"}};
const Verdict kPod{kNever, {"node(s) didn't match Pod's node affinity/selector"}};

constexpr std::string_view kAdded = R"({"addedAffinity": {
  "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []},
  "preferredDuringSchedulingIgnoredDuringExecution": [
    {"weight": 5, "preference": {"matchExpressions": [{"key": "a", "operator": "Exists"}]}},
    {"weight": 0, "preference": {"matchExpressions": [{"key": "b", "operator": "Exists"}]}},
    {"weight": 7, "preference": {}},
    {"weight": 9, "preference": {"matchFields": [
      {"key": "c", "operator": "In", "values": ["d"]}]}}]}})";

// A pod without any affinity.
Columns plain_pod() {
  return {{"pod.has_node_selector", Bytes{0}},
          {"pod.node_selector", Ids{0}},
          {"pod.affinity", Ids{0}},
          {"pod.affinity_terms", Ids{0}},
          {"pod.affinity_names_nodes", Bytes{0}},
          {"pod.affinity_node_names", std::vector<Ids>{{}}},
          {"pod.has_preferred", Bytes{0}},
          {"pod.preferred", std::vector<Ids>{{}}},
          {"pod.preferred_weights", std::vector<Ints>{{}}}};
}

class NodeAffinityTest : public ::testing::Test {
 protected:
  // A plugin whose configuration adds nothing, or all of kAdded.
  Harness& plugin(bool added = false) {
    if (added) host_.selectors_of_config = {required_, soft_, softer_};
    plugin_.emplace(host_, added ? kAdded : "{}");
    return *plugin_;
  }
  void set(std::string_view id, Values values) {
    columns_.insert_or_assign(std::string(id), std::move(values));
  }
  void match(uint32_t selector, Bytes matches) { set(host_.match_column(selector), matches); }

  FakeHost host_;
  const uint32_t required_ = host_.add_selector();
  const uint32_t soft_ = host_.add_selector();
  const uint32_t softer_ = host_.add_selector();
  const uint32_t selector_ = host_.add_selector();
  const uint32_t affinity_ = host_.add_selector();
  Columns columns_ = plain_pod();
  std::optional<Harness> plugin_;
};

TEST_F(NodeAffinityTest, PreFilterSkipsWhatNothingIsAskedOf) {
  EXPECT_EQ(plugin().pre_filter(columns_).code, BERTH_SKIP);
  EXPECT_EQ(plugin(true).pre_filter(columns_).code, BERTH_SUCCESS);
  // An empty selector differs from an absent one.
  set("pod.has_node_selector", Bytes{1});
  EXPECT_EQ(plugin().pre_filter(columns_).code, BERTH_SUCCESS);
}

TEST_F(NodeAffinityTest, PreFilterNarrowsToNamedNodes) {
  set("pod.affinity", Ids{affinity_});
  set("pod.affinity_terms", Ids{2});
  set("pod.affinity_names_nodes", Bytes{1});
  set("pod.affinity_node_names", std::vector<Ids>{host_.ids({"a", "b"})});
  const PreFilterAnswer answer = plugin().pre_filter(columns_);
  EXPECT_EQ(answer.code, BERTH_SUCCESS);
  EXPECT_TRUE(answer.narrows);
  EXPECT_EQ(answer.node_names, host_.ids({"a", "b"}));
}

TEST_F(NodeAffinityTest, PreFilterRefusesAConflict) {
  set("pod.affinity", Ids{affinity_});
  set("pod.affinity_terms", Ids{1});
  set("pod.affinity_names_nodes", Bytes{1});
  const PreFilterAnswer answer = plugin().pre_filter(columns_);
  EXPECT_EQ(answer.code, kNever);
  EXPECT_EQ(answer.reasons, Texts{"pod affinity terms conflict"});
}

TEST_F(NodeAffinityTest, PreFilterDoesNotNarrowWhereATermNamesNoNode) {
  set("pod.affinity", Ids{affinity_});
  set("pod.affinity_terms", Ids{2});
  EXPECT_FALSE(plugin().pre_filter(columns_).narrows);
  EXPECT_EQ(plugin().pre_filter(columns_).code, BERTH_SUCCESS);
  // Without terms nothing narrows the search; the filter refuses every node.
  set("pod.affinity_terms", Ids{0});
  set("pod.affinity_names_nodes", Bytes{1});
  EXPECT_EQ(plugin().pre_filter(columns_).code, BERTH_SUCCESS);
}

TEST_F(NodeAffinityTest, FilterWantsSelectorAndAffinity) {
  set("pod.node_selector", Ids{selector_});
  set("pod.affinity", Ids{affinity_});
  match(selector_, {1, 0, 1, 0});
  match(affinity_, {1, 1, 0, 0});
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kFits, kPod, kPod, kPod}));
  EXPECT_EQ(plugin_->inputs(),
            (Texts{host_.match_column(selector_), host_.match_column(affinity_)}));
  // The same answer if PreFilter is disabled.
  EXPECT_EQ(plugin().filter(columns_, 0), (std::vector{kFits, kPod, kPod, kPod}));
}

TEST_F(NodeAffinityTest, FilterWantsTheConfigurationsFirst) {
  set("pod.affinity", Ids{affinity_});
  match(required_, {1, 0, 1, 0});
  match(affinity_, {1, 1, 0, 0});
  EXPECT_EQ(plugin(true).filter(columns_), (std::vector{kFits, kEnforced, kPod, kEnforced}));
}

TEST_F(NodeAffinityTest, FilterPassesWithoutAnything) {
  set("node.name", host_.ids({"a", "b"}));
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kFits, kFits}));
  EXPECT_TRUE(plugin_->passed());
}

TEST_F(NodeAffinityTest, PreScoreSkipsWithoutPreferences) {
  EXPECT_EQ(plugin().pre_score(columns_), BERTH_SKIP);
  EXPECT_EQ(plugin(true).pre_score(columns_), BERTH_SUCCESS);
  set("pod.has_preferred", Bytes{1});
  EXPECT_EQ(plugin().pre_score(columns_), BERTH_SUCCESS);
}

TEST_F(NodeAffinityTest, ScoreAddsWeightsOfMatchingTerms) {
  set("pod.has_preferred", Bytes{1});
  set("pod.preferred", std::vector<Ids>{{selector_, affinity_}});
  set("pod.preferred_weights", std::vector<Ints>{{1, 50}});
  match(selector_, {1, 0, 1, 0});
  match(affinity_, {1, 1, 0, 0});
  EXPECT_EQ(plugin().score(columns_), (Ints{51, 50, 1, 0}));
  EXPECT_EQ(plugin().score(columns_, 0), (Ints{51, 50, 1, 0}));
  EXPECT_EQ(plugin_->table<berth_score>(BERTH_SCORE)->normalise, BERTH_NORMALISE_MAX);
}

TEST_F(NodeAffinityTest, ScoreCountsTheConfigurationsTerms) {
  match(soft_, {1, 1, 0, 0});
  match(softer_, {1, 0, 1, 0});
  EXPECT_EQ(plugin(true).score(columns_), (Ints{14, 5, 9, 0}));
}

TEST_F(NodeAffinityTest, ScorePassesWithoutTerms) {
  set("node.name", host_.ids({"a", "b"}));
  EXPECT_EQ(plugin().score(columns_), (Ints{0, 0}));
  EXPECT_TRUE(plugin_->passed());
}

TEST_F(NodeAffinityTest, BadPreferencesFailThePod) {
  const uint32_t bad = host_.add_selector({"[0].matchExpressions[0]: bad"});
  const uint32_t worse = host_.add_selector({"[1]: worse", "[0].matchExpressions[0]: bad"});
  const auto problem = [&](const Ids& terms) -> std::string {
    set("pod.has_preferred", Bytes{1});
    set("pod.preferred", std::vector<Ids>{terms});
    set("pod.preferred_weights", std::vector<Ints>{Ints(terms.size(), 1)});
    for (const uint32_t term : terms) match(term, {0});
    std::string texts[2];
    try {
      plugin().pre_score(columns_);
    } catch (const std::runtime_error& error) {
      texts[0] = error.what();
    }
    try {
      plugin().score(columns_, 0);
    } catch (const std::runtime_error& error) {
      texts[1] = error.what();
    }
    EXPECT_EQ(texts[0], texts[1]);
    return texts[0];
  };
  EXPECT_EQ(problem({selector_}), "");
  EXPECT_EQ(problem({selector_, bad}), "[0].matchExpressions[0]: bad");
  EXPECT_EQ(problem({bad, worse}), "[[0].matchExpressions[0]: bad, [1]: worse]");
}

TEST(NodeAffinityArguments, Strict) {
  EXPECT_EQ(Harness::validate("{}"), Texts{});
  EXPECT_EQ(Harness::validate(kAdded), Texts{});
  EXPECT_EQ(Harness::validate(R"({"addedAffinity": {"required": {}}})"),
            Texts{"addedAffinity.required: unknown field"});
  EXPECT_EQ(Harness::validate(R"({"addedAffinity": []})"),
            Texts{"addedAffinity: must be an object"});
  EXPECT_EQ(Harness::validate(R"({"kind": "NodeAffinityArgs",
              "apiVersion": "kubescheduler.config.k8s.io/v1", "addedAffinity": null})"),
            Texts{});
}

// The selector in addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.
Texts required_faults(std::string_view term) {
  Texts faults = Harness::validate(
      R"({"addedAffinity": {"requiredDuringSchedulingIgnoredDuringExecution":
          {"nodeSelectorTerms": [)" +
      std::string(term) + "]}}}");
  constexpr std::string_view kFront =
      "addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]";
  for (std::string& fault : faults)
    if (fault.starts_with(kFront)) fault.erase(0, kFront.size());
  return faults;
}

TEST(NodeAffinityArguments, SelectorsThatKubeSchedulerDoesNotStartWith) {
  EXPECT_EQ(required_faults("{}"), Texts{});
  EXPECT_EQ(required_faults(R"({"matchExpressions": [{"key": "a", "operator": "in"}]})"),
            Texts{R"(.matchExpressions[0].operator: Unsupported value: "in": supported values: )"
                  R"("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")"});
  EXPECT_EQ(required_faults(R"({"matchExpressions": [{"key": "a", "operator": "In"},
                {"key": "a", "operator": "Exists", "values": ["b"]},
                {"key": "a", "operator": "Gt", "values": ["3"]},
                {"key": "a", "operator": "Lt", "values": ["3x"]},
                {"key": "a", "operator": "Lt", "values": ["1", "2"]}]})"),
            (Texts{".matchExpressions[0].values: Invalid value: null: for 'in', 'notin' operators, "
                   "values set can't be empty",
                   R"(.matchExpressions[1].values: Invalid value: ["b"]: values set must be empty )"
                   "for exists and does not exist",
                   ".matchExpressions[3].values[0]: Invalid value: \"3x\": for 'Gt', 'Lt' "
                   "operators, the value must be an integer",
                   R"(.matchExpressions[4].values: Invalid value: ["1","2"]: for 'Gt', 'Lt' )"
                   "operators, exactly one value is required"}));
  EXPECT_EQ(required_faults(R"({"matchFields": [
                {"key": "metadata.name", "operator": "In", "values": ["a", "b"]},
                {"key": "metadata.name", "operator": "Exists"}]})"),
            (Texts{R"(.matchFields[0].values: Invalid value: ["a","b"]: must have one element)",
                   R"(.matchFields[1].operator: Unsupported value: "Exists": supported values: )"
                   R"("In", "NotIn")"}));
  EXPECT_EQ(required_faults(R"({"matchExpression": []})"),
            Texts{".matchExpression: unknown field"});
  const Texts keys = required_faults(R"({"matchExpressions": [
      {"key": "a b", "operator": "In", "values": ["-x"]}]})");
  ASSERT_EQ(keys.size(), 2u);
  EXPECT_TRUE(keys[0].starts_with(".matchExpressions[0].key: Invalid value: \"a b\": name part "));
  EXPECT_TRUE(keys[1].starts_with(
      ".matchExpressions[0].values[0]: Invalid value: \"-x\": a valid label must be "));
}

TEST(NodeAffinityArguments, PreferredTermsWithoutWeightAreNotLookedAt) {
  const auto faults = [](int weight) {
    return Harness::validate(
        R"({"addedAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": )" +
        std::to_string(weight) +
        R"(, "preference": {"matchFields": [{"key": "a", "operator": "Gt"}]}}]}})");
  };
  EXPECT_EQ(faults(0), Texts{});
  EXPECT_EQ(faults(1).size(), 1u);
}

}  // namespace
}  // namespace berth::plugins::testing
