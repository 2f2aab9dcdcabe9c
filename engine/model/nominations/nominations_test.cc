#include "engine/model/nominations/nominations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::model {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

Nomination of(uint32_t pod, int32_t priority) {
  Nomination made;
  made.pod.pod = PodId{pod, 1};
  made.priority = priority;
  return made;
}

TEST(Nominations, ListsASlotWhileItHasOne) {
  Nominations all;
  EXPECT_FALSE(all.any(7));
  all.add(7, of(1, 10));
  all.add(3, of(2, 20));
  all.add(7, of(3, 30));
  EXPECT_THAT(all.slots(), UnorderedElementsAre(7, 3));
  all.remove(7, of(1, 0).pod.pod);
  ASSERT_EQ(all.at(7).size(), 1u);
  EXPECT_EQ(all.at(7)[0].priority, 30);
  all.remove(7, of(3, 0).pod.pod);
  EXPECT_FALSE(all.any(7));
  EXPECT_THAT(all.at(7), IsEmpty());
  EXPECT_THAT(all.slots(), UnorderedElementsAre(3));
  ASSERT_EQ(all.at(3).size(), 1u) << "the last slot takes the place of one that goes";
  EXPECT_EQ(all.at(3)[0].priority, 20);
  all.remove(3, of(2, 0).pod.pod);
  EXPECT_THAT(all.slots(), IsEmpty());
}

TEST(Nominations, KeepTheirPlaceWhenTheyAreReplaced) {
  Nominations all;
  all.add(0, of(1, 10));
  all.add(0, of(2, 20));
  all.replace(0, of(1, 0));
  ASSERT_EQ(all.at(0).size(), 2u);
  EXPECT_EQ(all.at(0)[0].priority, 0);
  EXPECT_EQ(all.at(0)[1].priority, 20);
}

}  // namespace
}  // namespace berth::model
