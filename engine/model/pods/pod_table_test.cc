#include "engine/model/pods/pod_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace berth::model {
namespace {

PodRecord named(StringId namespace_name, StringId name) {
  PodRecord record;
  record.namespace_name = namespace_name;
  record.name = name;
  return record;
}

TEST(PodTable, FindsAPodByItsNameUntilItIsRemoved) {
  PodTable pods;
  const PodId id = pods.add(named(1, 2));
  EXPECT_EQ(pods.find(1, 2), id);
  EXPECT_FALSE(pods.find(2, 1));
  pods.remove(id);
  EXPECT_FALSE(pods.find(1, 2));
  EXPECT_FALSE(pods.contains(id));
}

TEST(PodTable, ARecreatedPodOfTheSameNameIsAnotherPod) {
  PodTable pods;
  const PodId first = pods.add(named(1, 2));
  pods.remove(first);
  const PodId second = pods.add(named(1, 2));
  EXPECT_EQ(second.index, first.index);
  EXPECT_NE(second, first);
  EXPECT_FALSE(pods.contains(first));
  EXPECT_TRUE(pods.contains(second));
}

TEST(PodTable, NoIdIsNoPod) {
  PodTable pods;
  pods.add(named(1, 2));
  EXPECT_FALSE(pods.contains(PodId{}));
  EXPECT_EQ(PodId{}.handle(), 0u);
  EXPECT_FALSE(pods.contains(PodId::from_handle(UINT64_MAX)));
}

TEST(PodTable, AHandleIsTheIdInOneNumber) {
  PodTable pods;
  pods.add(named(1, 1));
  const PodId id = pods.add(named(1, 2));
  EXPECT_EQ(PodId::from_handle(id.handle()), id);
}

TEST(PodTable, RowsStayWhereTheyAre) {
  PodTable pods;
  const PodRecord* first = &pods[pods.add(named(1, 1))];
  for (StringId name = 2; name < 5000; ++name) pods.add(named(1, name));
  EXPECT_EQ(first->name, 1u);
  EXPECT_EQ(first, &pods[pods.find(1, 1)]);
}

TEST(PodTableDeathTest, RefusesTransitionsThatThePodsLifeDoesNotHave) {
  PodTable pods;
  const PodId id = pods.add(named(1, 1));
  pods.set_state(id, PodState::kInFlight);
  pods.set_state(id, PodState::kAssumed);
  pods.set_state(id, PodState::kBinding);
  pods.set_state(id, PodState::kBound);
  EXPECT_DEATH(pods.set_state(id, PodState::kInFlight), "");
}

RC_GTEST_PROP(PodTable, FindsWhatAMapFinds, (std::vector<std::pair<uint8_t, bool>> steps)) {
  PodTable pods;
  std::map<StringId, PodId> expected;
  for (const auto& [name, add] : steps) {
    const StringId id = name % 32 + 1u;
    if (add && !expected.contains(id)) expected[id] = pods.add(named(7, id));
    if (!add && expected.contains(id)) {
      pods.remove(expected[id]);
      expected.erase(id);
    }
    for (StringId each = 1; each <= 32; ++each) {
      const auto at = expected.find(each);
      RC_ASSERT(pods.find(7, each) == (at == expected.end() ? PodId{} : at->second));
    }
    RC_ASSERT(pods.size() == expected.size());
  }
  size_t visited = 0;
  pods.for_each([&](const PodRecord& pod) {
    ++visited;
    RC_ASSERT(expected.at(pod.name) == pod.id);
  });
  RC_ASSERT(visited == expected.size());
}

}  // namespace
}  // namespace berth::model
