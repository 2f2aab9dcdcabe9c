#include "plugins/pod_topology_spread/testing.h"

namespace berth::plugins::testing {
namespace {

// Terms of the constraints below.
constexpr uint32_t kZoneTerm = 5, kRackTerm = 6, kSiblingTerm = 8;

class SpreadHintsTest : public SpreadTest {
 protected:
  SpreadHintsTest() { constrain(); }

  void constrain(const std::string& taints_policy = "") {
    pod({{.key = "zone", .term = kZoneTerm},
         {.key = "rack", .term = kRackTerm, .taints_policy = taints_policy},
         {.key = "host", .when = "ScheduleAnyway", .term = 7}});
  }
  // True if the constraints by zone and by rack, or the siblings, match a pod.
  static Columns event_pod(uint8_t zone, uint8_t rack, uint32_t tolerations = 9) {
    return {{"event.matches:5", Bytes{zone}},
            {"event.matches:6", Bytes{rack}},
            {"event.matches:8", Bytes{zone}},
            {"pod.tolerations", Ids{tolerations}}};
  }
  bool after_pod(std::optional<Columns> before, std::optional<Columns> after, uint32_t node = 1,
                 bool self = false, std::string_view arguments = "{}") {
    HintEvent event;
    event.kind = self ? BERTH_ON_POD_PENDING : BERTH_ON_POD_ASSIGNED;
    event.action = !before ? BERTH_DID_ADD : !after ? BERTH_DID_DELETE : BERTH_DID_UPDATE_LABEL;
    event.before = std::move(before);
    event.after = std::move(after);
    event.node = node;
    event.self = self;
    return plugin(arguments).hint(columns_, event);
  }
  static Columns event_node(uint32_t zone, uint32_t rack, uint32_t taints = 0) {
    return {{"node.domain:zone", Values::codes({zone})},
            {"node.domain:rack", Values::codes({rack})},
            {"node.taints", Values::codes({taints})}};
  }
  bool after_node(std::optional<Columns> before, std::optional<Columns> after) {
    HintEvent event;
    event.kind = BERTH_ON_NODE;
    event.action = !before ? BERTH_DID_ADD : !after ? BERTH_DID_DELETE : BERTH_DID_UPDATE_LABEL;
    event.before = std::move(before);
    event.after = std::move(after);
    return plugin().hint(columns_, event);
  }
};

TEST_F(SpreadHintsTest, Actions) {
  constexpr uint32_t kBoth = BERTH_DID_ADD | BERTH_DID_DELETE | BERTH_DID_UPDATE_LABEL;
  EXPECT_EQ(plugin().actions(BERTH_ON_NODE), kBoth | BERTH_DID_UPDATE_TAINT);
  EXPECT_EQ(plugin().actions(BERTH_ON_POD_ASSIGNED), kBoth | BERTH_DID_UPDATE_TOLERATION);
  EXPECT_EQ(plugin().actions(BERTH_ON_POD_PENDING), kBoth | BERTH_DID_UPDATE_TOLERATION);
}

TEST_F(SpreadHintsTest, PodsThatAHardConstraintCounts) {
  EXPECT_TRUE(after_pod(std::nullopt, event_pod(1, 0)));
  EXPECT_TRUE(after_pod(std::nullopt, event_pod(0, 1)));
  EXPECT_FALSE(after_pod(std::nullopt, event_pod(0, 0)));
  EXPECT_TRUE(after_pod(event_pod(0, 1), std::nullopt));
  EXPECT_FALSE(after_pod(event_pod(0, 0), std::nullopt));
}

TEST_F(SpreadHintsTest, PodsThatAConstraintBeginsOrEndsToCount) {
  EXPECT_TRUE(after_pod(event_pod(1, 0), event_pod(0, 0)));
  EXPECT_TRUE(after_pod(event_pod(0, 0), event_pod(0, 1)));
  EXPECT_TRUE(after_pod(event_pod(1, 0), event_pod(0, 1)));
  EXPECT_FALSE(after_pod(event_pod(1, 1), event_pod(1, 1)));
  EXPECT_FALSE(after_pod(event_pod(0, 0), event_pod(0, 0)));
}

TEST_F(SpreadHintsTest, OtherPodsWithoutANodeDoNotMatter) {
  EXPECT_FALSE(after_pod(std::nullopt, event_pod(1, 1), 0));
  EXPECT_FALSE(after_pod(event_pod(1, 1), std::nullopt, 0));
  EXPECT_TRUE(after_pod(event_pod(1, 1), std::nullopt, 0, true));
  EXPECT_TRUE(after_pod(event_pod(1, 0), event_pod(0, 0), 0, true));
}

TEST_F(SpreadHintsTest, ANominatedPodCountsByTheRule) {
  HintEvent event;
  event.kind = BERTH_ON_POD_ASSIGNED;
  event.action = BERTH_DID_DELETE;
  event.before = event_pod(1, 0);
  event.nominated_node = 1;
  EXPECT_FALSE(plugin().hint(columns_, event));
  host_.run.rules.insert("SpreadNominated");
  EXPECT_TRUE(plugin().hint(columns_, event));
  event.before = event_pod(0, 0);
  EXPECT_FALSE(plugin().hint(columns_, event));
  event.before = event_pod(1, 0);
  event.nominated_node = 0;
  EXPECT_FALSE(plugin().hint(columns_, event));
}

TEST_F(SpreadHintsTest, ATolerationOfThePodItselfIfTaintsCount) {
  EXPECT_FALSE(after_pod(event_pod(1, 1, 9), event_pod(1, 1, 10), 0, true));
  constrain("Honor");
  EXPECT_TRUE(after_pod(event_pod(1, 1, 9), event_pod(1, 1, 10), 0, true));
  EXPECT_FALSE(after_pod(event_pod(1, 1, 9), event_pod(1, 1, 9), 0, true));
  EXPECT_FALSE(after_pod(event_pod(1, 1, 9), event_pod(1, 1, 10), 1, false));
}

TEST_F(SpreadHintsTest, DefaultConstraintsCountSiblings) {
  constexpr std::string_view kDefaults = R"({"defaultingType": "List", "defaultConstraints": [
      {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}]})";
  pod({}, kSiblingTerm);
  EXPECT_TRUE(after_pod(std::nullopt, event_pod(1, 0), 1, false, kDefaults));
  EXPECT_FALSE(after_pod(std::nullopt, event_pod(0, 1), 1, false, kDefaults));
  pod({});
  EXPECT_FALSE(after_pod(std::nullopt, event_pod(1, 1), 1, false, kDefaults));
}

TEST_F(SpreadHintsTest, NodesThatHaveAllKeys) {
  EXPECT_TRUE(after_node(std::nullopt, event_node(1, 1)));
  EXPECT_FALSE(after_node(std::nullopt, event_node(1, 0)));
  EXPECT_TRUE(after_node(event_node(1, 1), std::nullopt));
  EXPECT_FALSE(after_node(event_node(0, 1), std::nullopt));
}

TEST_F(SpreadHintsTest, NodesThatMoveOrGetOtherTaints) {
  EXPECT_TRUE(after_node(event_node(1, 0), event_node(1, 1)));
  EXPECT_TRUE(after_node(event_node(1, 1), event_node(0, 1)));
  EXPECT_TRUE(after_node(event_node(1, 1), event_node(2, 1)));
  EXPECT_TRUE(after_node(event_node(1, 1, 0), event_node(1, 1, 1)));
  EXPECT_FALSE(after_node(event_node(1, 1, 1), event_node(1, 1, 1)));
  EXPECT_FALSE(after_node(event_node(1, 0), event_node(2, 0)));
  EXPECT_FALSE(after_node(event_node(1, 0, 0), event_node(1, 0, 1)));
}

TEST_F(SpreadHintsTest, AMalformedConstraintIsTriedAgain) {
  pod({{.key = "zone", .problem = "bad"}});
  EXPECT_TRUE(after_pod(std::nullopt, event_pod(0, 0)));
  EXPECT_FALSE(after_pod(std::nullopt, event_pod(0, 0), 0));
  EXPECT_TRUE(after_node(event_node(1, 1), event_node(1, 1)));
}

}  // namespace
}  // namespace berth::plugins::testing
