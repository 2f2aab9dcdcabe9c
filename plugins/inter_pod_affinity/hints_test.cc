#include <algorithm>
#include <optional>
#include <set>

#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using Bytes = std::vector<uint8_t>;
using Ids = std::vector<uint32_t>;

class InterPodAffinityHintsTest : public ::testing::Test {
 protected:
  explicit InterPodAffinityHintsTest(std::set<std::string, std::less<>> rules = {}) {
    host_.run.rules = std::move(rules);
    plugin_.emplace(host_);
    refused({}, {});
  }

  // The refused pod has affinity to terms 1 to n and anti-affinity to terms 11 to 10 + n, by these
  // keys.
  void refused(const std::vector<std::string>& affinity, const std::vector<std::string>& anti,
               uint32_t problem = 0) {
    pod_.clear();
    list("pod.pod_affinity", affinity, 1);
    list("pod.pod_anti_affinity", anti, 11);
    pod_.insert_or_assign("pod.pod_affinity_problem", Ids{problem});
  }
  void list(const std::string& id, const std::vector<std::string>& keys, uint32_t first) {
    Ids terms, key_ids;
    for (const std::string& key : keys) {
      terms.push_back(first++);
      key_ids.push_back(host_.id(key));
    }
    pod_.insert_or_assign(id + "_terms", std::vector<Ids>{terms});
    pod_.insert_or_assign(id + "_keys", std::vector<Ids>{key_ids});
  }

  // A pod that these terms match.
  static Columns matched_by(const Ids& terms) {
    Columns columns;
    for (const uint32_t term : {1u, 2u, 11u, 12u})
      columns.insert_or_assign(
          "event.matches:" + std::to_string(term),
          Bytes{static_cast<uint8_t>(std::find(terms.begin(), terms.end(), term) != terms.end())});
    return columns;
  }
  static HintEvent of_pod(std::optional<Columns> before, std::optional<Columns> after,
                          uint32_t node = 1) {
    HintEvent event;
    event.kind = BERTH_ON_POD_ASSIGNED;
    event.action = !before ? BERTH_DID_ADD : !after ? BERTH_DID_DELETE : BERTH_DID_UPDATE_LABEL;
    event.before = std::move(before);
    event.after = std::move(after);
    event.node = node;
    return event;
  }
  bool hint(const HintEvent& event) { return plugin_->hint(pod_, event); }
  bool after_pod(std::optional<Columns> before, std::optional<Columns> after, uint32_t node = 1) {
    return hint(of_pod(std::move(before), std::move(after), node));
  }
  static Columns node(uint32_t zone, uint32_t rack) {
    return {{"node.domain:zone", Values::codes({zone})},
            {"node.domain:rack", Values::codes({rack})}};
  }
  bool after_node(std::optional<Columns> before, const Columns& after) {
    HintEvent event;
    event.kind = BERTH_ON_NODE;
    event.action = !before ? BERTH_DID_ADD : BERTH_DID_UPDATE_LABEL;
    event.before = std::move(before);
    event.after = after;
    return hint(event);
  }

  FakeHost host_;
  Columns pod_;
  std::optional<Harness> plugin_;
};

TEST_F(InterPodAffinityHintsTest, Actions) {
  EXPECT_EQ(plugin_->actions(BERTH_ON_NODE), BERTH_DID_ADD | BERTH_DID_UPDATE_LABEL);
  EXPECT_EQ(plugin_->actions(BERTH_ON_POD_ASSIGNED),
            BERTH_DID_ADD | BERTH_DID_UPDATE_LABEL | BERTH_DID_DELETE);
}

TEST_F(InterPodAffinityHintsTest, APodThatAllTermsOfTheAffinityMatch) {
  refused({"zone", "rack"}, {});
  EXPECT_TRUE(after_pod(std::nullopt, matched_by({1, 2})));
  EXPECT_FALSE(after_pod(std::nullopt, matched_by({1})));
  EXPECT_TRUE(after_pod(matched_by({1}), matched_by({1, 2})));
  EXPECT_FALSE(after_pod(matched_by({1, 2}), matched_by({1, 2})));
  EXPECT_FALSE(after_pod(matched_by({1, 2}), matched_by({1})));
  EXPECT_FALSE(after_pod(matched_by({1, 2}), std::nullopt));
  EXPECT_FALSE(after_pod(std::nullopt, matched_by({1, 2}), 0));
}

// kube-scheduler asks for all terms of the anti-affinity as well.
TEST_F(InterPodAffinityHintsTest, APodThatAllTermsOfTheAntiAffinityMatched) {
  refused({}, {"zone", "rack"});
  EXPECT_TRUE(after_pod(matched_by({11, 12}), std::nullopt));
  EXPECT_FALSE(after_pod(matched_by({11}), std::nullopt));
  EXPECT_TRUE(after_pod(matched_by({11, 12}), matched_by({12})));
  EXPECT_FALSE(after_pod(matched_by({11, 12}), matched_by({11, 12})));
  EXPECT_FALSE(after_pod(matched_by({}), matched_by({11, 12})));
  EXPECT_FALSE(after_pod(std::nullopt, matched_by({11, 12})));
  EXPECT_FALSE(after_pod(matched_by({11, 12}), std::nullopt, 0));
}

TEST_F(InterPodAffinityHintsTest, APodWithoutTermsWaitsForNothing) {
  EXPECT_FALSE(after_pod(std::nullopt, matched_by({1, 2})));
  EXPECT_FALSE(after_pod(matched_by({11, 12}), std::nullopt));
  EXPECT_FALSE(after_node(std::nullopt, node(1, 1)));
}

TEST_F(InterPodAffinityHintsTest, NodesThatEnterADomainOfTheAffinity) {
  refused({"zone", "rack"}, {});
  EXPECT_TRUE(after_node(std::nullopt, node(1, 0)));
  EXPECT_TRUE(after_node(std::nullopt, node(0, 1)));
  EXPECT_FALSE(after_node(std::nullopt, node(0, 0)));
  EXPECT_TRUE(after_node(node(0, 1), node(1, 1)));
  EXPECT_TRUE(after_node(node(1, 1), node(1, 2)));
  EXPECT_FALSE(after_node(node(1, 1), node(0, 1)));
  EXPECT_FALSE(after_node(node(1, 1), node(1, 1)));
}

TEST_F(InterPodAffinityHintsTest, NodesThatLeaveADomainOfTheAntiAffinity) {
  refused({}, {"zone"});
  EXPECT_TRUE(after_node(std::nullopt, node(0, 0)));
  EXPECT_TRUE(after_node(std::nullopt, node(1, 0)));
  EXPECT_TRUE(after_node(node(1, 0), node(0, 0)));
  EXPECT_TRUE(after_node(node(1, 0), node(2, 0)));
  EXPECT_FALSE(after_node(node(0, 0), node(1, 0)));
  EXPECT_FALSE(after_node(node(1, 1), node(1, 2)));
}

TEST_F(InterPodAffinityHintsTest, AMalformedTermIsTriedAgain) {
  refused({}, {}, host_.id("bad"));
  EXPECT_TRUE(after_pod(std::nullopt, matched_by({})));
  EXPECT_FALSE(after_pod(std::nullopt, matched_by({}), 0));
  EXPECT_TRUE(after_node(node(1, 1), node(1, 1)));
}

class AffinityOwnLabelsTest : public InterPodAffinityHintsTest {
 protected:
  AffinityOwnLabelsTest() : InterPodAffinityHintsTest({"AffinityOwnLabels"}) {}
};

TEST_F(AffinityOwnLabelsTest, OtherLabelsOfThePodItselfHelp) {
  HintEvent event = of_pod(matched_by({}), matched_by({}), 0);
  EXPECT_FALSE(hint(event));
  event.self = true;
  EXPECT_TRUE(hint(event));
  event.before.reset();
  EXPECT_FALSE(hint(event));
}

class AffinityNominatedTest : public InterPodAffinityHintsTest {
 protected:
  AffinityNominatedTest() : InterPodAffinityHintsTest({"AffinityNominated"}) {}
};

TEST_F(AffinityNominatedTest, ANominatedPodCountsAsOneThatHasANode) {
  refused({}, {"zone"});
  HintEvent event = of_pod(matched_by({11}), std::nullopt, 0);
  EXPECT_FALSE(hint(event));
  event.nominated_node = 1;
  EXPECT_TRUE(hint(event));
  event.before = matched_by({});
  EXPECT_FALSE(hint(event));
}

TEST_F(InterPodAffinityHintsTest, ANominatedPodAndOwnLabelsDoNotMatter) {
  refused({}, {"zone"});
  HintEvent event = of_pod(matched_by({11}), std::nullopt, 0);
  event.nominated_node = 1;
  EXPECT_FALSE(hint(event));
  event = of_pod(matched_by({}), matched_by({}), 0);
  event.self = true;
  EXPECT_FALSE(hint(event));
}

class AffinityBothWaysTest : public InterPodAffinityHintsTest {
 protected:
  AffinityBothWaysTest() : InterPodAffinityHintsTest({"AffinityBothWays"}) {}

  // A pod whose required anti-affinity matches the refused pod, or not.
  Columns shunning(uint8_t shuns, uint32_t problem = 0) {
    Columns columns = matched_by({});
    columns.insert_or_assign("event.anti_affinity_matches", Bytes{shuns});
    columns.insert_or_assign("pod.pod_affinity_problem", Ids{problem});
    return columns;
  }
};

TEST_F(AffinityBothWaysTest, TheEndOfAPodThatShunsThePodHelps) {
  EXPECT_TRUE(after_pod(shunning(1), std::nullopt));
  EXPECT_FALSE(after_pod(shunning(0), std::nullopt));
  EXPECT_TRUE(after_pod(shunning(0, host_.id("bad")), std::nullopt));
  EXPECT_FALSE(after_pod(std::nullopt, shunning(1)));
  EXPECT_FALSE(after_pod(shunning(1), shunning(0)));
  EXPECT_FALSE(after_pod(shunning(1), std::nullopt, 0));
  refused({"rack"}, {"zone"});
  EXPECT_TRUE(after_pod(shunning(1), std::nullopt));
  EXPECT_FALSE(after_pod(shunning(0), std::nullopt));
}

}  // namespace
}  // namespace berth::plugins::testing
