#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using Ids = std::vector<std::vector<uint32_t>>;
const Verdict kFits{};
const Verdict kMissing{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE,
                       {"node(s) didn't match Pod's required features"}};
constexpr char kRestart[] = "RestartAllContainersOnContainerExits";
constexpr char kUsers[] = "UserNamespacesHostNetworkSupport";

// The host of a run with the rule.
class RuledHost : public FakeHost {
 public:
  RuledHost() { run.rules.insert("NodeDeclaredFeatures"); }
};

class NodeDeclaredFeaturesTest : public ::testing::Test {
 protected:
  static Columns pod(bool restarts, bool users) {
    return {{"pod.restarts_all_containers", std::vector<uint8_t>{restarts}},
            {"pod.host_user_namespace", std::vector<uint8_t>{users}}};
  }
  std::vector<Verdict> filter(Columns columns, const Ids& declared,
                              uint32_t ran = BERTH_RAN_PRE_FILTER) {
    columns.emplace("node.declared_features", declared);
    return plugin_.filter(columns, ran);
  }
  std::vector<uint32_t> ids(const std::vector<std::string>& names) {
    std::vector<uint32_t> made;
    for (const std::string& name : names) made.push_back(host_.id(name));
    return made;
  }

  RuledHost host_;
  Harness plugin_{host_};
};

TEST_F(NodeDeclaredFeaturesTest, ANodeDeclaresAllThatThePodNeeds) {
  const Ids declared = {{}, ids({kRestart}), ids({kUsers}), ids({"Other", kRestart, kUsers})};
  EXPECT_EQ(filter(pod(true, false), declared), (std::vector{kMissing, kFits, kMissing, kFits}));
  EXPECT_EQ(filter(pod(false, true), declared), (std::vector{kMissing, kMissing, kFits, kFits}));
  EXPECT_EQ(filter(pod(true, true), declared), (std::vector{kMissing, kMissing, kMissing, kFits}));
}

TEST_F(NodeDeclaredFeaturesTest, AnEntryOutOfOrderDoesNotCount) {
  EXPECT_EQ(filter(pod(true, false), {ids({"Zone", kRestart}), ids({"Able", kRestart, kRestart})}),
            (std::vector{kMissing, kFits}));
  EXPECT_EQ(filter(pod(false, true), {ids({kUsers, kRestart})}), (std::vector{kFits}));
}

TEST_F(NodeDeclaredFeaturesTest, PreFilterSkipsPodsThatNeedNothing) {
  EXPECT_EQ(plugin_.pre_filter(pod(false, false)).code, BERTH_SKIP);
  EXPECT_EQ(plugin_.pre_filter(pod(true, false)).code, BERTH_SUCCESS);
  EXPECT_EQ(plugin_.pre_filter(pod(false, true)).code, BERTH_SUCCESS);
}

TEST_F(NodeDeclaredFeaturesTest, WithoutPreFilterEveryNodeIsAnError) {
  EXPECT_EQ(filter(pod(true, false), {{}}, 0), (std::vector<Verdict>{{BERTH_ERROR, {}}}));
  EXPECT_EQ(plugin_.error(),
            "error reading \"PreFilterNodeDeclaredFeatures\" from cycle-state: not found");
}

TEST_F(NodeDeclaredFeaturesTest, HintsFollowNodesAndThePodItself) {
  EXPECT_EQ(plugin_.actions(BERTH_ON_NODE), BERTH_DID_ADD | BERTH_DID_UPDATE_DECLARED_FEATURES);
  EXPECT_EQ(plugin_.actions(BERTH_ON_POD_ASSIGNED), 0u);
  EXPECT_EQ(plugin_.actions(BERTH_ON_POD_PENDING) & (BERTH_DID_ADD | BERTH_DID_DELETE), 0u);
  HintEvent event;
  event.kind = BERTH_ON_NODE;
  event.action = BERTH_DID_ADD;
  event.after.emplace();
  EXPECT_TRUE(plugin_.hint(pod(true, false), event));
  event.kind = BERTH_ON_POD_PENDING;
  event.action = BERTH_DID_UPDATE_OTHER;
  event.before = pod(true, false);
  event.after = pod(false, false);
  EXPECT_FALSE(plugin_.hint(pod(true, false), event));
  event.self = true;
  EXPECT_TRUE(plugin_.hint(pod(true, false), event));
  event.after = event.before;
  EXPECT_FALSE(plugin_.hint(pod(true, false), event));
}

class WithoutTheRuleTest : public ::testing::Test {
 protected:
  FakeHost host_;
  Harness plugin_{host_};
};

TEST_F(WithoutTheRuleTest, NothingIsRefused) {
  const Columns needs = {{"pod.restarts_all_containers", std::vector<uint8_t>{1}},
                         {"pod.host_user_namespace", std::vector<uint8_t>{1}},
                         {"node.declared_features", Ids{{}}}};
  EXPECT_EQ(plugin_.pre_filter(needs).code, BERTH_SKIP);
  EXPECT_EQ(plugin_.filter(needs), std::vector{kFits});
  EXPECT_EQ(plugin_.actions(BERTH_ON_NODE) | plugin_.actions(BERTH_ON_POD_PENDING), 0u);
}

}  // namespace
}  // namespace berth::plugins::testing
