#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Handles = std::vector<uint64_t>;
using I64 = std::vector<int64_t>;

constexpr int64_t kSecond = 1'000'000'000;

class CoschedulingTest : public ::testing::Test {
 protected:
  // A pod; group and size empty: it has no such label.
  Columns pod(uint64_t handle, std::string_view group, std::string_view size = "",
              std::string_view space = "default") {
    const auto label = [&](std::string_view text) {
      return std::vector<uint32_t>{text.empty() ? 0 : host_.id(text)};
    };
    return {{"pod.handle", Handles{handle}},
            {"pod.namespace", label(space)},
            {"pod.label:scheduling.x-k8s.io/pod-group", label(group)},
            {"pod.label:pod-group.scheduling.x-k8s.io/min-available", label(size)},
            {"pod.group", I64{0}},
            {"pod.group_min_member", I64{0}},
            {"pod.group_timeout_seconds", I64{0}},
            {"pod.group_placed", I64{0}}};
  }
  // A pod of a PodGroup, of which so many have nodes.
  Columns member(uint64_t handle, int64_t size, int64_t placed, int64_t timeout = 0) {
    Columns made = pod(handle, "g");
    made.insert_or_assign("pod.group", I64{1});
    made.insert_or_assign("pod.group_min_member", I64{size});
    made.insert_or_assign("pod.group_timeout_seconds", I64{timeout});
    made.insert_or_assign("pod.group_placed", I64{placed});
    return made;
  }
  PermitAnswer permit(const Columns& one) {
    const PermitAnswer answer = plugin_.permit(one).at(0);
    if (answer.code == BERTH_WAIT) host_.waiting.pods.push_back(handle_of(one));
    return answer;
  }
  berth_code code(const Columns& one) { return permit(one).code; }
  // The pod left the list before, as the host has it.
  void unreserve(const Columns& one) {
    std::erase(host_.waiting.pods, handle_of(one));
    plugin_.unreserve(one);
  }
  static uint64_t handle_of(const Columns& one) {
    return *static_cast<const uint64_t*>(one.at("pod.handle").column().data);
  }
  Handles rejected() const {
    Handles pods;
    for (const auto& [pod, reason] : host_.waiting.rejected) pods.push_back(pod);
    return pods;
  }

  FakeHost host_;
  Harness plugin_{host_, R"({"minMember": 3, "permitWaitingTimeSeconds": 10})"};
};

TEST_F(CoschedulingTest, AGroupGoesOnWhenItIsComplete) {
  EXPECT_EQ(permit(pod(1, "a")), (PermitAnswer{BERTH_WAIT, {}, 10 * kSecond}));
  EXPECT_EQ(code(pod(2, "a")), BERTH_WAIT);
  EXPECT_THAT(host_.waiting.allowed, IsEmpty());
  EXPECT_EQ(permit(pod(3, "a")), (PermitAnswer{BERTH_SUCCESS, {}, 0}));
  EXPECT_THAT(host_.waiting.allowed, ElementsAre(1, 2));
}

TEST_F(CoschedulingTest, PodsOfNoGroupGoOn) {
  EXPECT_EQ(code(pod(1, "")), BERTH_SUCCESS);
  EXPECT_EQ(code(pod(2, "", "7")), BERTH_SUCCESS);
  unreserve(pod(1, ""));
  EXPECT_THAT(rejected(), IsEmpty());
}

TEST_F(CoschedulingTest, GroupsOfOtherNamesOrNamespacesDoNotCount) {
  EXPECT_EQ(code(pod(1, "a")), BERTH_WAIT);
  EXPECT_EQ(code(pod(2, "b")), BERTH_WAIT);
  EXPECT_EQ(code(pod(3, "a", "", "other")), BERTH_WAIT);
  EXPECT_EQ(code(pod(4, "a")), BERTH_WAIT);
  EXPECT_EQ(code(pod(5, "a")), BERTH_SUCCESS);
  EXPECT_THAT(host_.waiting.allowed, ElementsAre(1, 4));
}

// Other plugins may make pods wait, too.
TEST_F(CoschedulingTest, PodsThatOthersMakeWaitDoNotCount) {
  host_.waiting.pods = {7, 8};
  EXPECT_EQ(code(pod(1, "a")), BERTH_WAIT);
  EXPECT_THAT(host_.waiting.allowed, IsEmpty());
}

TEST_F(CoschedulingTest, BoundPodsDoNotCount) {
  for (const uint64_t one : {1, 2, 3}) code(pod(one, "a"));
  EXPECT_EQ(code(pod(4, "a")), BERTH_WAIT);
}

// Bound ones and those that wait.
TEST_F(CoschedulingTest, PodsOfAPodGroupThatHaveNodesCount) {
  EXPECT_EQ(permit(member(1, 2, 1)), (PermitAnswer{BERTH_WAIT, {}, 10 * kSecond}));
  EXPECT_EQ(permit(member(2, 2, 2)), (PermitAnswer{BERTH_SUCCESS, {}, 0}));
  EXPECT_THAT(host_.waiting.allowed, ElementsAre(1));
  EXPECT_EQ(code(member(3, 2, 3)), BERTH_SUCCESS);
  EXPECT_EQ(permit(member(4, 9, 3, 25)), (PermitAnswer{BERTH_WAIT, {}, 25 * kSecond}));
}

TEST_F(CoschedulingTest, TheOrderOfTheQueue) {
  constexpr int64_t kYear = 1'700'000'000 * kSecond;
  // In this order: the priority, the time of the group or of the pod, the number of the group.
  const auto keys = plugin_.queue_keys(
      {{"pod.priority", I64{9, 0, 0, 0, 0, 0, 0, 0, -5}},
       {"pod.created_at", I64{0, 1, kYear + kSecond, 1, kYear + 2 * kSecond, 0, 0, 0, 1}},
       {"pod.group", I64{0, 7, 0, 3, 0, 4, 5, 0, 0}},
       {"pod.group_created_at", I64{0, kYear, 0, kYear + 2 * kSecond, 0, 0, 0, 0, 0}}});
  for (size_t i = 1; i < keys.size(); ++i) EXPECT_LT(keys[i - 1], keys[i]) << i;
  const auto same = plugin_.queue_keys({{"pod.priority", I64{1, 1}},
                                        {"pod.created_at", I64{5, 6}},
                                        {"pod.group", I64{2, 2}},
                                        {"pod.group_created_at", I64{kYear, kYear}}});
  EXPECT_EQ(same[0], same[1]);
}

TEST_F(CoschedulingTest, ThePodsLabelGivesTheSize) {
  EXPECT_EQ(code(pod(1, "a", "2")), BERTH_WAIT);
  EXPECT_EQ(code(pod(2, "a", "2")), BERTH_SUCCESS);
  EXPECT_EQ(code(pod(3, "b", "1")), BERTH_SUCCESS);
  for (const uint64_t one : {11, 12, 13}) EXPECT_EQ(code(pod(one, "c", "4")), BERTH_WAIT);
  EXPECT_EQ(code(pod(14, "c", "4")), BERTH_SUCCESS);
}

TEST_F(CoschedulingTest, AWrongSizeIsARefusal) {
  for (const char* size : {"0", "-1", "x", "2x", "1.5", "99999999999999999999"})
    EXPECT_EQ(
        permit(pod(1, "a", size)),
        (PermitAnswer{BERTH_UNSCHEDULABLE,
                      {"label pod-group.scheduling.x-k8s.io/min-available is no number from 1 on"},
                      0}))
        << size;
}

TEST_F(CoschedulingTest, AGroupWithoutASizeIsRefused) {
  Harness without(host_);
  EXPECT_EQ(without.permit(pod(1, "a")).at(0),
            (PermitAnswer{BERTH_UNSCHEDULABLE,
                          {"PodGroup not found, and no size in its place: neither label "
                           "pod-group.scheduling.x-k8s.io/min-available nor argument minMember"},
                          0}));
  EXPECT_EQ(without.permit(pod(1, "")).at(0).code, BERTH_SUCCESS);
  EXPECT_EQ(without.permit(pod(1, "a", "2")).at(0), (PermitAnswer{BERTH_WAIT, {}, 60 * kSecond}));
}

TEST_F(CoschedulingTest, IfOneFailsTheOthersAreRefused) {
  for (const uint64_t one : {1, 2}) code(pod(one, "a"));
  code(pod(9, "b"));
  unreserve(pod(1, "a"));
  EXPECT_THAT(host_.waiting.rejected,
              ElementsAre(std::pair(uint64_t{2}, "another pod of the group failed")));
  unreserve(pod(2, "a"));
  EXPECT_THAT(rejected(), ElementsAre(2));
  EXPECT_THAT(host_.waiting.activated, IsEmpty());
}

TEST_F(CoschedulingTest, APodThatWaitsBringsBackThoseThatFailed) {
  for (const uint64_t one : {1, 2}) code(pod(one, "a"));
  unreserve(pod(1, "a"));
  unreserve(pod(2, "a"));
  EXPECT_EQ(code(pod(5, "b")), BERTH_WAIT);
  EXPECT_THAT(host_.waiting.activated, IsEmpty());
  EXPECT_EQ(code(pod(3, "a")), BERTH_WAIT);
  EXPECT_THAT(host_.waiting.activated, ElementsAre(1, 2));
  EXPECT_EQ(code(pod(1, "a")), BERTH_WAIT);
  EXPECT_THAT(host_.waiting.activated, ElementsAre(1, 2));
}

TEST_F(CoschedulingTest, ReserveRefusesNothing) {
  EXPECT_THAT(plugin_.reserve(pod(1, "a")), ElementsAre(BERTH_SUCCESS));
}

TEST_F(CoschedulingTest, WhatMayHelp) {
  EXPECT_EQ(plugin_.actions(BERTH_ON_POD_ASSIGNED), BERTH_DID_DELETE);
  EXPECT_EQ(plugin_.actions(BERTH_ON_POD_PENDING), BERTH_DID_UPDATE_LABEL);
  EXPECT_EQ(plugin_.actions(BERTH_ON_NODE) & BERTH_DID_DELETE, 0u);
  HintEvent added;
  added.kind = BERTH_ON_NODE;
  added.action = BERTH_DID_ADD;
  EXPECT_TRUE(plugin_.hint({}, added));
}

TEST_F(CoschedulingTest, SaysWhichServiceItMisses) {
  host_.missing_service = BERTH_WAITING_SERVICE;
  try {
    const Harness plugin(host_);
    FAIL() << "started without the service";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "this host has no service berth.waiting/0");
  }
}

TEST(CoschedulingArgs, AreRead) {
  EXPECT_THAT(Harness::validate("{}"), IsEmpty());
  EXPECT_THAT(Harness::validate(R"({"apiVersion": "kubescheduler.config.k8s.io/v1",
                                    "kind": "CoschedulingArgs", "minMember": 1,
                                    "permitWaitingTimeSeconds": 900})"),
              IsEmpty());
  EXPECT_THAT(Harness::validate(R"({"permitWaitingTimeSeconds": 0, "podGroupBackoffSeconds": 5,
                                    "podGroupRejectPercentage": 100})"),
              IsEmpty());
}

TEST(CoschedulingArgs, AreWrong) {
  EXPECT_THAT(Harness::validate(R"({"permitWaitingTimeSeconds": -1, "minMember": 0})"),
              ElementsAre("permitWaitingTimeSeconds: Invalid value: -1: must be greater than 0",
                          "minMember: Invalid value: 0: must be 1 or more"));
  EXPECT_THAT(Harness::validate(R"({"minMember": "3"})"),
              ElementsAre("minMember: must be a whole number"));
  EXPECT_THAT(
      Harness::validate(R"({"podGroupBackoffSeconds": -1, "podGroupRejectPercentage": 101})"),
      ElementsAre("podGroupBackoffSeconds: Invalid value: -1: must be greater than 0",
                  "podGroupRejectPercentage: Invalid value: 101: must be between 0 and 100"));
  EXPECT_THAT(Harness::validate(R"({"members": 3})"), ElementsAre("members: unknown field"));
  EXPECT_THAT(Harness::validate(R"({"kind": "NodeAffinityArgs"})"), ::testing::SizeIs(1));
}

}  // namespace
}  // namespace berth::plugins::testing
