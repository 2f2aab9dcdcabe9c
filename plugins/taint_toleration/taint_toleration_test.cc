#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

struct Taint {
  std::string_view key, value, effect;
};
struct Toleration {
  std::string_view key, op, value, effect;
};
using Lists = std::vector<std::vector<uint32_t>>;

class TaintTolerationTest : public ::testing::Test {
 protected:
  Columns columns(const std::vector<std::vector<Taint>>& sets,
                  const std::vector<Toleration>& tolerations) {
    const auto id = [&](std::string_view text) { return text.empty() ? 0u : host_.id(text); };
    Lists keys(sets.size()), values(sets.size()), effects(sets.size());
    for (size_t i = 0; i < sets.size(); ++i)
      for (const Taint& taint : sets[i]) {
        keys[i].push_back(host_.id(taint.key));
        values[i].push_back(host_.id(taint.value));
        effects[i].push_back(host_.id(taint.effect));
      }
    Lists pod[4] = {Lists(1), Lists(1), Lists(1), Lists(1)};
    for (const Toleration& one : tolerations) {
      pod[0][0].push_back(id(one.key));
      pod[1][0].push_back(id(one.op));
      pod[2][0].push_back(host_.id(one.value));
      pod[3][0].push_back(id(one.effect));
    }
    return {{"taint_set.keys", keys},
            {"taint_set.values", values},
            {"taint_set.effects", effects},
            {"pod.toleration_keys", pod[0]},
            {"pod.toleration_operators", pod[1]},
            {"pod.toleration_values", pod[2]},
            {"pod.toleration_effects", pod[3]}};
  }
  bool tolerates(const Toleration& toleration, const Taint& taint) {
    return plugin_.filter(columns({{taint}}, {toleration}))[0].code == BERTH_SUCCESS;
  }
  static Verdict untolerated(const std::string& taint) {
    return {BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE,
            {"node(s) had untolerated taint {" + taint + "}"}};
  }

  FakeHost host_;
  Harness plugin_{host_};
};

const Verdict kFits{};

TEST_F(TaintTolerationTest, TheFirstUntoleratedTaintIsTheReason) {
  EXPECT_EQ(plugin_.filter(columns({{},
                                    {{"a", "1", "NoSchedule"}},
                                    {{"soft", "", "PreferNoSchedule"},
                                     {"ok", "x", "NoExecute"},
                                     {"b", "", "NoExecute"},
                                     {"a", "1", "NoSchedule"}},
                                    {{"ok", "x", "NoSchedule"}}},
                                   {{"ok", "Equal", "x", ""}})),
            (std::vector{kFits, untolerated("a: 1"), untolerated("b: "), kFits}));
  EXPECT_FALSE(plugin_.passed());
}

TEST_F(TaintTolerationTest, WithTheRuleTheReasonNamesNoTaint) {
  host_.run.rules.insert("TaintsUnnamed");
  Harness plugin(host_);
  const Verdict refused{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, {"node(s) had untolerated taint(s)"}};
  EXPECT_EQ(plugin.filter(columns({{},
                                   {{"a", "1", "NoSchedule"}},
                                   {{"b", "", "NoExecute"}, {"a", "1", "NoSchedule"}},
                                   {{"soft", "", "PreferNoSchedule"}}},
                                  {})),
            (std::vector{kFits, refused, refused, kFits}));
}

TEST_F(TaintTolerationTest, RunsOverListsOfTaints) {
  for (const char* point : {BERTH_FILTER, BERTH_SCORE}) {
    const auto* table = plugin_.table<berth_filter>(point);
    EXPECT_EQ(std::string_view(table->hook->space.data, table->hook->space.size), "node.taints");
  }
}

TEST_F(TaintTolerationTest, WhatTolerates) {
  const Taint taint{"k", "v", "NoSchedule"};
  EXPECT_TRUE(tolerates({"k", "Equal", "v", "NoSchedule"}, taint));
  EXPECT_TRUE(tolerates({"k", "", "v", "NoSchedule"}, taint));
  EXPECT_TRUE(tolerates({"k", "Equal", "v", ""}, taint));
  EXPECT_TRUE(tolerates({"k", "Exists", "", "NoSchedule"}, taint));
  EXPECT_TRUE(tolerates({"k", "Exists", "other", ""}, taint));
  EXPECT_TRUE(tolerates({"", "Exists", "", ""}, taint));
  EXPECT_TRUE(tolerates({"", "Equal", "v", ""}, taint));
  EXPECT_TRUE(tolerates({"k", "Equal", "", ""}, {"k", "", "NoSchedule"}));
}

TEST_F(TaintTolerationTest, WhatDoesNot) {
  const Taint taint{"k", "v", "NoSchedule"};
  EXPECT_FALSE(tolerates({"k", "Equal", "w", "NoSchedule"}, taint));
  EXPECT_FALSE(tolerates({"k", "Equal", "", "NoSchedule"}, taint));
  EXPECT_FALSE(tolerates({"K", "Equal", "v", "NoSchedule"}, taint));
  EXPECT_FALSE(tolerates({"k", "Equal", "v", "NoExecute"}, taint));
  EXPECT_FALSE(tolerates({"", "Exists", "", "NoExecute"}, taint));
  EXPECT_FALSE(tolerates({"k", "Gt", "v", ""}, taint));
}

TEST_F(TaintTolerationTest, OnlyTwoEffectsRefuse) {
  EXPECT_EQ(
      plugin_.filter(columns(
          {{{"k", "v", "PreferNoSchedule"}}, {{"k", "v", "Whatever"}}, {{"k", "v", "NoExecute"}}},
          {})),
      (std::vector{kFits, kFits, untolerated("k: v")}));
}

TEST_F(TaintTolerationTest, CountsSoftTaintsThatAreNotTolerated) {
  EXPECT_EQ(plugin_.pre_score({}), BERTH_SUCCESS);
  EXPECT_EQ(plugin_.table<berth_score>(BERTH_SCORE)->normalise, BERTH_NORMALISE_MAX_REVERSED);
  EXPECT_EQ(plugin_.score(columns(
                {{},
                 {{"a", "", "PreferNoSchedule"}, {"b", "", "PreferNoSchedule"}},
                 {{"a", "", "PreferNoSchedule"}, {"ok", "", "PreferNoSchedule"}},
                 {{"a", "", "NoSchedule"}}},
                {{"ok", "Exists", "", "PreferNoSchedule"}, {"b", "Exists", "", "NoSchedule"}})),
            (std::vector<int64_t>{0, 2, 1, 0}));
}

TEST_F(TaintTolerationTest, ScoreNeedsPreScore) {
  try {
    plugin_.score(columns({{}}, {}), 0);
    FAIL() << "scored without PreScore";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "failed to read \"PreScoreTaintToleration\" from cycleState: not found");
  }
}

class TaintHintsTest : public TaintTolerationTest {
 protected:
  // The hint for a pod that tolerates `ok`; nodes are given as positions of kSets.
  bool hint(uint32_t action, std::optional<uint32_t> before, std::optional<uint32_t> after) {
    const auto node = [](uint32_t set) { return Columns{{"node.taints", Values::codes({set})}}; };
    HintEvent event;
    event.kind = BERTH_ON_NODE;
    event.action = action;
    if (before) event.before = node(*before);
    if (after) event.after = node(*after);
    return plugin_.hint(refused(), event);
  }
  Columns refused() {
    return columns({{},
                    {{"ok", "", "NoSchedule"}},
                    {{"bad", "", "NoSchedule"}},
                    {{"bad", "", "PreferNoSchedule"}},
                    {{"ok", "", "NoExecute"}, {"bad", "", "NoExecute"}}},
                   {{"ok", "Exists", "", ""}});
  }
  static constexpr uint32_t kNone = 0, kTolerated = 1, kOther = 2, kSoft = 3, kBoth = 4;
};

TEST_F(TaintHintsTest, NodesThatThePodTolerates) {
  EXPECT_EQ(plugin_.actions(BERTH_ON_NODE), BERTH_DID_ADD | BERTH_DID_UPDATE_TAINT);
  for (const uint32_t set : {kNone, kTolerated, kSoft})
    EXPECT_TRUE(hint(BERTH_DID_ADD, std::nullopt, set)) << set;
  for (const uint32_t set : {kOther, kBoth})
    EXPECT_FALSE(hint(BERTH_DID_ADD, std::nullopt, set)) << set;
  EXPECT_TRUE(hint(BERTH_DID_UPDATE_TAINT, kOther, kNone));
  EXPECT_TRUE(hint(BERTH_DID_UPDATE_TAINT, kBoth, kTolerated));
  EXPECT_FALSE(hint(BERTH_DID_UPDATE_TAINT, kNone, kOther));
  EXPECT_FALSE(hint(BERTH_DID_UPDATE_TAINT, kOther, kBoth));
  EXPECT_FALSE(hint(BERTH_DID_UPDATE_TAINT, kNone, kTolerated));
  EXPECT_FALSE(hint(BERTH_DID_UPDATE_TAINT, kSoft, kNone));
}

TEST_F(TaintHintsTest, AnyNewTolerationOfThePodItself) {
  EXPECT_EQ(plugin_.actions(BERTH_ON_POD_PENDING), BERTH_DID_UPDATE_TOLERATION);
  HintEvent event;
  event.kind = BERTH_ON_POD_PENDING;
  event.action = BERTH_DID_UPDATE_TOLERATION;
  event.before.emplace();
  event.after.emplace();
  EXPECT_FALSE(plugin_.hint(refused(), event));
  event.self = true;
  EXPECT_TRUE(plugin_.hint(refused(), event));
}

}  // namespace
}  // namespace berth::plugins::testing
