#include "loadgen/generate/pods/endings.h"

#include <gmock/gmock.h>

namespace berth::loadgen {
namespace {

using testing::ElementsAre;

// Takes the pods of the earliest tick.
std::vector<uint64_t> take_tick(Endings& endings) {
  std::vector<uint64_t> numbers;
  for (const int64_t tick = endings.next(); tick != kNever && endings.next() == tick;)
    numbers.push_back(endings.take().number);
  return numbers;
}

TEST(Endings, ComeByTickAndThenInTheOrderOfAdding) {
  Endings endings;
  EXPECT_EQ(endings.next(), kNever);
  endings.add(30, {.number = 1});
  endings.add(10, {.number = 2});
  endings.add(30, {.number = 3});
  endings.add(20, {.number = 4});
  endings.add(10, {.number = 5});
  EXPECT_EQ(endings.next(), 10);
  EXPECT_THAT(take_tick(endings), ElementsAre(2, 5));
  EXPECT_THAT(take_tick(endings), ElementsAre(4));
  EXPECT_THAT(take_tick(endings), ElementsAre(1, 3));
  EXPECT_EQ(endings.next(), kNever);
}

// A tick of which one step took a part gets another pod before the next step takes the rest.
TEST(Endings, OfATickThatIsPartlyTakenGetMore) {
  Endings endings;
  endings.add(10, {.number = 1});
  endings.add(10, {.number = 2});
  EXPECT_EQ(endings.take().number, 1u);
  endings.add(20, {.number = 3});
  endings.add(10, {.number = 4});
  EXPECT_THAT(take_tick(endings), ElementsAre(2, 4));
  // The tick begins anew after its last pod.
  endings.add(10, {.number = 5});
  EXPECT_THAT(take_tick(endings), ElementsAre(5));
  EXPECT_THAT(take_tick(endings), ElementsAre(3));
}

TEST(EndingsDeathTest, DoNotOvertakeATickThatIsPartlyTaken) {
  Endings endings;
  EXPECT_DEATH(endings.take(), "assertion failed");
  endings.add(10, {.number = 1});
  endings.add(10, {.number = 2});
  endings.take();
  EXPECT_DEATH(endings.add(9, {.number = 3}), "assertion failed");
}

}  // namespace
}  // namespace berth::loadgen
