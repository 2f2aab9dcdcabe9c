#include <map>
#include <optional>

#include <gtest/gtest.h>

#include "plugins/testing/failure.h"
#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using Bytes = std::vector<uint8_t>;
using Ids = std::vector<uint32_t>;
using Ints = std::vector<int64_t>;
using Texts = std::vector<std::string>;
using Query = FakeCounts::Query;
using Class = FakeCounts::Class;

const Verdict kFits{};
const Verdict kAffinity{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE,
                        {"node(s) didn't match pod affinity rules"}};
const Verdict kAntiAffinity{BERTH_UNSCHEDULABLE, {"node(s) didn't match pod anti-affinity rules"}};
const Verdict kExisting{BERTH_UNSCHEDULABLE,
                        {"node(s) didn't satisfy existing pods anti-affinity rules"}};

// Handles of the classes of terms that placed pods carry, in the order in which the plugin asks for
// them.
constexpr uint32_t kCarriedAnti = 1, kCarriedPreferred = 2, kCarriedPreferredAnti = 3,
                   kCarriedAffinity = 4;

struct TestTerm {
  uint32_t term;
  std::string key;
  int64_t weight = 0;  // preferred terms only
  uint8_t self = 0;    // required affinity only
};

class InterPodAffinityTest : public ::testing::Test {
 protected:
  InterPodAffinityTest() {
    set("pod.pod_affinity_problem", Ids{0});
    affinity({});
    anti_affinity({});
    prefers("pod_affinity", {});
    prefers("pod_anti_affinity", {});
    for (const uint32_t of :
         {kCarriedAnti, kCarriedPreferred, kCarriedPreferredAnti, kCarriedAffinity})
      carried(of, 0);
    domains("zone", {1, 2, 1, 0});
    domains("rack", {1, 1, 2, 3});
  }

  Harness& plugin(std::string_view arguments = "{}") {
    plugin_.emplace(host_, arguments);
    return *plugin_;
  }
  void set(std::string_view id, Values values) {
    columns_.insert_or_assign(std::string(id), std::move(values));
  }

  // Set the terms of the pod.
  void affinity(const std::vector<TestTerm>& all) {
    list("pod.pod_affinity", all);
    Bytes self;
    for (const TestTerm& one : all) self.push_back(one.self);
    set("pod.pod_affinity_self", std::vector<Bytes>{self});
  }
  void anti_affinity(const std::vector<TestTerm>& all) { list("pod.pod_anti_affinity", all); }
  void prefers(const std::string& half, const std::vector<TestTerm>& all) {
    list("pod.preferred_" + half, all);
    Ints weights;
    for (const TestTerm& one : all) weights.push_back(one.weight);
    set("pod.preferred_" + half + "_weights", std::vector<Ints>{weights});
  }
  // Sets the pod's match set for a class of terms of placed pods.
  void carried(uint32_t of, uint32_t match_set) {
    set("pod.carried:" + std::to_string(of), Ids{match_set});
  }

  void domains(const std::string& key, const Ids& codes) {
    codes_[key] = codes;
    Bytes has_label;
    for (const uint32_t code : codes) has_label.push_back(code != 0);
    set("node.has_label:" + key, has_label);
  }
  // Query 2 is by rack, all others are by zone.
  void counts(uint32_t query, const Ints& by_domain, int64_t total) {
    set(FakeCounts::node_counts(query), at_nodes(query == 2 ? "rack" : "zone", by_domain));
    set(FakeCounts::total(query), Ints{total});
  }
  uint32_t match_set(const Texts& keys) {
    const uint32_t made = host_.counts.add_match_set();
    keys_[made] = keys;
    set(FakeCounts::node_carried(made), Ints(codes_["zone"].size()));
    return made;
  }
  // Adds the sums for one key of the match set to those of its other keys.
  void sum(uint32_t match_set, size_t at, const Ints& by_domain) {
    const Ints more = at_nodes(keys_[match_set][at], by_domain);
    Ints& all = carried_[match_set];
    all.resize(more.size());
    for (size_t i = 0; i < more.size(); ++i) all[i] += more[i];
    set(FakeCounts::node_carried(match_set), all);
  }
  void carriers(uint32_t match_set, int64_t number) {
    set(FakeCounts::carriers(match_set), Ints{number});
  }
  uint32_t zone() { return host_.id("zone"); }
  uint32_t rack() { return host_.id("rack"); }

  FakeHost host_;
  Columns columns_;
  std::optional<Harness> plugin_;

 private:
  Ints at_nodes(const std::string& key, const Ints& by_domain) {
    Ints all;
    for (const uint32_t code : codes_[key]) all.push_back(by_domain.at(code));
    return all;
  }

  void list(const std::string& half, const std::vector<TestTerm>& all) {
    Ids terms, keys;
    for (const TestTerm& one : all) {
      terms.push_back(one.term);
      keys.push_back(host_.id(one.key));
    }
    set(half + "_terms", std::vector<Ids>{terms});
    set(half + "_keys", std::vector<Ids>{keys});
  }

  std::map<std::string, Ids> codes_;  // domain of each node, by key
  std::map<uint32_t, Texts> keys_;    // topology keys, by match set
  std::map<uint32_t, Ints> carried_;  // sum of each node, by match set
};

TEST_F(InterPodAffinityTest, NumbersOfTermsThatAreNotSatisfied) {
  affinity({{11, "zone"}, {12, "rack"}});
  anti_affinity({{13, "zone"}});
  const uint32_t set = match_set({"zone"});
  carried(kCarriedAnti, set);
  counts(1, {0, 1, 0}, 1);
  counts(2, {0, 2, 1, 0}, 3);
  counts(3, {0, 0, 3}, 3);
  sum(set, 0, {0, 1, 0});
  const auto numbers = plugin().filter_numbers(columns_);
  const std::string carriers = "podAntiAffinity of placed pods: pods pods of node.carried:1 0";
  EXPECT_EQ(numbers[0], Texts{carriers});
  EXPECT_EQ(numbers[1],
            (Texts{"podAffinity by zone: selector term 11, selector term 12, matching 0",
                   "podAntiAffinity by zone: selector term 13, matching 3, "
                   "pods pods of node.count:3 0"}));
  EXPECT_EQ(numbers[3],
            (Texts{"podAffinity by zone: selector term 11, selector term 12, "
                   "label absent, matching 0",
                   "podAffinity by rack: selector term 11, selector term 12, matching 0"}));
}

TEST_F(InterPodAffinityTest, AsksForTermsThatPlacedPodsCarry) {
  const uint32_t flags = BERTH_COUNTS_UNKNOWN_NAMESPACES;
  plugin();
  EXPECT_EQ(host_.counts.classes,
            (std::vector{Class{"pod.pod_anti_affinity_terms", 1, flags},
                         Class{"pod.preferred_pod_affinity_terms", 1, flags},
                         Class{"pod.preferred_pod_anti_affinity_terms", -1, flags},
                         Class{"pod.pod_affinity_terms", 1, flags}}));
  host_.counts.classes.clear();
  plugin(R"({"hardPodAffinityWeight": 40})");
  EXPECT_EQ(host_.counts.classes.back(), (Class{"pod.pod_affinity_terms", 40, flags}));
  host_.counts.classes.clear();
  plugin(R"({"hardPodAffinityWeight": 0})");
  EXPECT_EQ(host_.counts.classes.size(), 3u);
}

TEST_F(InterPodAffinityTest, PreFilterSkipsWhatNoTermIsAbout) {
  EXPECT_EQ(plugin().pre_filter(columns_).code, BERTH_SKIP);
  affinity({{5, "zone"}});
  EXPECT_EQ(plugin().pre_filter(columns_).code, BERTH_SUCCESS);
  affinity({});
  anti_affinity({{5, "zone"}});
  EXPECT_EQ(plugin().pre_filter(columns_).code, BERTH_SUCCESS);
  anti_affinity({});
  const uint32_t set = match_set({"zone"});
  carried(kCarriedAnti, set);
  carriers(set, 0);
  EXPECT_EQ(plugin().pre_filter(columns_).code, BERTH_SKIP);
  carriers(set, 1);
  EXPECT_EQ(plugin().pre_filter(columns_).code, BERTH_SUCCESS);
}

TEST_F(InterPodAffinityTest, PreFilterRefusesMalformedTerms) {
  set("pod.pod_affinity_problem", Ids{host_.id("requiredAffinityTerms: bad")});
  const PreFilterAnswer answer = plugin().pre_filter(columns_);
  EXPECT_EQ(answer.code, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);
  EXPECT_EQ(answer.reasons, Texts{"parsing pod: requiredAffinityTerms: bad"});
}

TEST_F(InterPodAffinityTest, FilterNeedsPreFilterAndScorePreScore) {
  EXPECT_EQ(failure([&] { plugin().filter(columns_, 0); }),
            "error reading \"PreFilterInterPodAffinity\" from cycleState: not found");
  EXPECT_EQ(failure([&] { plugin().score(columns_, 0); }),
            "failed to read \"PreScoreInterPodAffinity\" from cycleState: not found");
  EXPECT_TRUE(host_.counts.queries.empty());
}

TEST_F(InterPodAffinityTest, AffinityWantsAMatchingPodInTheDomain) {
  affinity({{5, "zone"}});
  counts(1, {0, 0, 3}, 3);
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kAffinity, kFits, kAffinity, kAffinity}));
  EXPECT_EQ(host_.counts.queries, std::vector{(Query{.key = zone(), .terms = {5}})});
  EXPECT_EQ(plugin_->inputs(), (Texts{"node.has_label:zone", "node.count:1"}));
}

// A pod counts only if it matches all terms. Each key needs one such pod in its domain.
TEST_F(InterPodAffinityTest, AffinityOfTwoKeys) {
  affinity({{5, "zone"}, {6, "rack"}, {7, "zone"}});
  counts(1, {0, 2, 0}, 2);
  counts(2, {0, 2, 0, 0}, 2);
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kFits, kAffinity, kAffinity, kAffinity}));
  EXPECT_EQ(host_.counts.queries, (std::vector{Query{.key = zone(), .terms = {5, 6, 7}},
                                               Query{.key = rack(), .terms = {5, 6, 7}}}));
  // One query per key.
  EXPECT_EQ(plugin_->inputs().size(), 4u);
}

TEST_F(InterPodAffinityTest, TheFirstOfAGroupMayGoAnywhere) {
  counts(1, {0, 0, 0}, 0);
  affinity({{5, "zone", 0, 1}});
  // The node without the label is refused.
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kFits, kFits, kFits, kAffinity}));
  // A pod that does not match its own terms is never the first of a group.
  affinity({{5, "zone", 0, 0}});
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kAffinity, kAffinity, kAffinity, kAffinity}));
  // A pod is not the first of its group if any other pod of the group exists.
  affinity({{5, "zone", 0, 1}});
  counts(1, {0, 0, 0}, 1);
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kAffinity, kAffinity, kAffinity, kAffinity}));
}

TEST_F(InterPodAffinityTest, TheFirstOfAGroupByAllTerms) {
  const auto filtered = [&](uint8_t first, uint8_t second, int64_t zones, int64_t racks) {
    affinity({{5, "zone", 0, first}, {6, "rack", 0, second}});
    counts(1, {0, 0, 0}, zones);
    counts(2, {0, 0, 0, 0}, racks);
    return plugin().filter(columns_)[0];
  };
  EXPECT_EQ(filtered(1, 1, 0, 0), kFits);
  EXPECT_EQ(filtered(1, 0, 0, 0), kAffinity);
  EXPECT_EQ(filtered(0, 1, 0, 0), kAffinity);
  EXPECT_EQ(filtered(1, 1, 1, 0), kAffinity);
  EXPECT_EQ(filtered(1, 1, 0, 1), kAffinity);
}

TEST_F(InterPodAffinityTest, AntiAffinityShunsWhatAnyTermMatches) {
  anti_affinity({{5, "zone"}, {6, "rack"}});
  counts(1, {0, 0, 1}, 1);
  counts(2, {0, 0, 4, 0}, 4);
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kFits, kAntiAffinity, kAntiAffinity, kFits}));
  EXPECT_EQ(host_.counts.queries,
            (std::vector{Query{.key = zone(), .terms = {5}}, Query{.key = rack(), .terms = {6}}}));
}

TEST_F(InterPodAffinityTest, AntiAffinityOfPlacedPodsKeepsOut) {
  const uint32_t set = match_set({"zone", "rack"});
  carried(kCarriedAnti, set);
  sum(set, 0, {0, 0, 1});
  sum(set, 1, {0, 0, 0, 2});
  EXPECT_EQ(plugin().filter(columns_), (std::vector{kFits, kExisting, kFits, kExisting}));
  EXPECT_EQ(plugin_->inputs(), Texts{"node.carried:1"});
}

// The order of kube-scheduler: affinity, the pod's anti-affinity, anti-affinity of placed pods.
TEST_F(InterPodAffinityTest, OneReasonGoesBeforeTheOther) {
  domains("zone", {1, 2, 3, 4, 0});
  domains("rack", {1, 2, 3, 4, 5});
  domains("host", {1, 2, 3, 4, 5});
  affinity({{5, "zone"}});
  counts(1, {0, 0, 1, 1, 1}, 3);
  anti_affinity({{6, "rack"}});
  counts(2, {0, 1, 1, 0, 0, 1}, 3);
  const uint32_t set = match_set({"host"});
  carried(kCarriedAnti, set);
  sum(set, 0, {0, 1, 1, 1, 0, 1});
  EXPECT_EQ(plugin().filter(columns_),
            (std::vector{kAffinity, kAntiAffinity, kExisting, kFits, kAffinity}));
}

TEST_F(InterPodAffinityTest, PreScoreSkipsWhereNothingCanBeScored) {
  EXPECT_EQ(plugin().pre_score(columns_), BERTH_SKIP);
  prefers("pod_affinity", {{5, "zone", 10}});
  counts(1, {0, 0, 0}, 0);
  EXPECT_EQ(plugin().pre_score(columns_), BERTH_SKIP);
  counts(1, {0, 0, 0}, 1);
  EXPECT_EQ(plugin().pre_score(columns_), BERTH_SUCCESS);
  prefers("pod_affinity", {});
  prefers("pod_anti_affinity", {{5, "zone", 10}});
  EXPECT_EQ(plugin().pre_score(columns_), BERTH_SUCCESS);
  prefers("pod_anti_affinity", {});
  for (const uint32_t of : {kCarriedPreferred, kCarriedPreferredAnti, kCarriedAffinity}) {
    const uint32_t set = match_set({"zone"});
    carried(of, set);
    carriers(set, 0);
    EXPECT_EQ(plugin().pre_score(columns_), BERTH_SKIP) << of;
    carriers(set, 1);
    EXPECT_EQ(plugin().pre_score(columns_), BERTH_SUCCESS) << of;
    carried(of, 0);
  }
  // Required anti-affinity of placed pods has no weight.
  const uint32_t set = match_set({"zone"});
  carried(kCarriedAnti, set);
  carriers(set, 1);
  EXPECT_EQ(plugin().pre_score(columns_), BERTH_SKIP);
}

TEST_F(InterPodAffinityTest, ScoreAddsWeightsOfBothDirections) {
  prefers("pod_affinity", {{5, "zone", 10}, {6, "rack", 3}});
  prefers("pod_anti_affinity", {{7, "zone", 100}});
  counts(1, {0, 2, 0}, 2);
  counts(2, {0, 1, 4, 0}, 5);
  counts(3, {0, 0, 5}, 5);
  EXPECT_EQ(plugin().score(columns_), (Ints{23, -497, 32, 0}));
  EXPECT_EQ(host_.counts.queries,
            (std::vector{Query{.key = zone(), .terms = {5}}, Query{.key = rack(), .terms = {6}},
                         Query{.key = zone(), .terms = {7}}}));

  const uint32_t preferred = match_set({"zone", "rack"});
  carried(kCarriedPreferred, preferred);
  sum(preferred, 0, {0, 1000, 0});
  sum(preferred, 1, {0, 0, 0, 2000});
  const uint32_t shunned = match_set({"rack"});
  carried(kCarriedPreferredAnti, shunned);
  sum(shunned, 0, {0, -10'000, 0, 0});
  const uint32_t required = match_set({"zone"});
  carried(kCarriedAffinity, required);
  sum(required, 0, {0, 100'000, 200'000});
  EXPECT_EQ(plugin().score(columns_), (Ints{91'023, 189'503, 101'032, 2000}));
  EXPECT_EQ(plugin_->table<berth_score>(BERTH_SCORE)->normalise, BERTH_NORMALISE_MIN_MAX);
}

TEST_F(InterPodAffinityTest, WithoutAWeightRequiredAffinityOfOthersDoesNotCount) {
  const uint32_t set = match_set({"zone"});
  carried(kCarriedAffinity, set);
  carriers(set, 1);
  sum(set, 0, {0, 1, 2});
  EXPECT_EQ(plugin().score(columns_), (Ints{1, 2, 1, 0}));
  const std::string_view none = R"({"hardPodAffinityWeight": 0})";
  EXPECT_EQ(plugin(none).pre_score(columns_), BERTH_SKIP);
}

TEST_F(InterPodAffinityTest, TermsOfOthersCanBeIgnoredForPodsWithoutAny) {
  const std::string_view ignore = R"({"ignorePreferredTermsOfExistingPods": true})";
  const uint32_t set = match_set({"zone"});
  carried(kCarriedPreferred, set);
  carriers(set, 1);
  sum(set, 0, {0, 1, 2});
  EXPECT_EQ(plugin().pre_score(columns_), BERTH_SUCCESS);
  EXPECT_EQ(plugin().score(columns_), (Ints{1, 2, 1, 0}));
  EXPECT_EQ(plugin(ignore).pre_score(columns_), BERTH_SKIP);
  // A pod with preferred terms of its own is scored by all terms.
  for (const std::string half : {"pod_affinity", "pod_anti_affinity"}) {
    prefers(half, {{5, "zone", 10}});
    counts(1, {0, 0, 0}, 0);
    EXPECT_EQ(plugin(ignore).pre_score(columns_), BERTH_SUCCESS) << half;
    EXPECT_EQ(plugin(ignore).score(columns_), (Ints{1, 2, 1, 0})) << half;
    prefers(half, {});
  }
}

TEST_F(InterPodAffinityTest, DecidesByLabels) {
  plugin();
  EXPECT_EQ(host_.run.signing, (FakeRun::Signing{BERTH_PART_LABELS, BERTH_PART_POD_AFFINITY}));
  plugin(R"({"ignorePreferredTermsOfExistingPods": true})");
  EXPECT_EQ(host_.run.signing, (FakeRun::Signing{0, BERTH_PART_POD_AFFINITY}));
}

TEST(InterPodAffinityArguments, Strict) {
  EXPECT_EQ(Harness::validate("{}"), Texts{});
  EXPECT_EQ(Harness::validate(R"({"kind": "InterPodAffinityArgs",
              "apiVersion": "kubescheduler.config.k8s.io/v1", "hardPodAffinityWeight": 100,
              "ignorePreferredTermsOfExistingPods": false})"),
            Texts{});
  EXPECT_EQ(Harness::validate(R"({"hardPodAffinityWeight": 0})"), Texts{});
  EXPECT_EQ(Harness::validate(R"({"hardPodAffinityWeight": -1})"),
            Texts{"hardPodAffinityWeight: Invalid value: -1: not in valid range [0, 100]"});
  EXPECT_EQ(Harness::validate(R"({"hardPodAffinityWeight": 101})"),
            Texts{"hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]"});
  EXPECT_EQ(Harness::validate(R"({"hardPodAffinityWeight": "1"})"),
            Texts{"hardPodAffinityWeight: must be a whole number"});
  EXPECT_EQ(Harness::validate(R"({"ignorePreferredTermsOfExistingPods": 1})"),
            Texts{"ignorePreferredTermsOfExistingPods: must be true or false"});
  EXPECT_EQ(Harness::validate(R"({"weight": 1})"), Texts{"weight: unknown field"});
}

}  // namespace
}  // namespace berth::plugins::testing
