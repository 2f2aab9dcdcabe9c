#include "engine/controllers/workloads/stateful.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::controllers {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr StatefulPod ready(int64_t ordinal) { return {ordinal, true, false}; }
constexpr StatefulPod waits(int64_t ordinal) { return {ordinal, false, false}; }
constexpr StatefulPod terminates(int64_t ordinal) { return {ordinal, true, true}; }

std::vector<StatefulStep> steps(std::vector<int64_t> wanted, std::vector<StatefulPod> pods,
                                bool parallel = false) {
  return stateful_steps(wanted, pods, parallel);
}
constexpr StatefulStep creates(int64_t ordinal) { return {ordinal, true}; }
constexpr StatefulStep removes(int64_t ordinal) { return {ordinal, false}; }

TEST(Stateful, NothingIsToBeDoneWhereAllAreThere) {
  EXPECT_THAT(steps({0, 1}, {ready(0), ready(1)}), IsEmpty());
  EXPECT_THAT(steps({0, 1}, {waits(0), waits(1)}, true), IsEmpty());
}

TEST(Stateful, OneAfterTheOther) {
  EXPECT_THAT(steps({0, 1, 2}, {}), ElementsAre(creates(0)));
  EXPECT_THAT(steps({0, 1, 2}, {waits(0)}), IsEmpty());
  EXPECT_THAT(steps({0, 1, 2}, {ready(0)}), ElementsAre(creates(1)));
  EXPECT_THAT(steps({0, 1, 2}, {ready(0), ready(2)}), ElementsAre(creates(1)));
}

TEST(Stateful, ATerminatingPodKeepsItsOrdinal) {
  EXPECT_THAT(steps({0, 1}, {terminates(0)}), IsEmpty());
  EXPECT_THAT(steps({0, 1}, {terminates(0)}, true), ElementsAre(creates(1)));
}

TEST(Stateful, InParallelAllAtOnce) {
  EXPECT_THAT(steps({5, 6, 7}, {waits(6)}, true), ElementsAre(creates(5), creates(7)));
  EXPECT_THAT(steps({5}, {ready(5), ready(6), terminates(7), waits(8)}, true),
              ElementsAre(removes(8), removes(6)));
}

TEST(Stateful, TheHighestGoFirst) {
  EXPECT_THAT(steps({0}, {ready(0), ready(1), ready(2)}), ElementsAre(removes(2)));
  EXPECT_THAT(steps({0}, {ready(0), ready(1), terminates(2)}), IsEmpty());
  EXPECT_THAT(steps({0}, {waits(0), ready(1)}), IsEmpty()) << "those that stay come first";
}

TEST(Stateful, TheFirstUnreadyPodMayGo) {
  EXPECT_THAT(steps({0}, {ready(0), ready(1), waits(2)}), ElementsAre(removes(2)));
  EXPECT_THAT(steps({0}, {ready(0), waits(1), waits(2)}), IsEmpty());
}

}  // namespace
}  // namespace berth::controllers
