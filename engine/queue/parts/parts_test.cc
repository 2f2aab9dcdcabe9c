#include <gtest/gtest.h>

#include "engine/queue/parts/backoff_times.h"
#include "engine/queue/parts/interests.h"
#include "engine/queue/places/entries.h"
#include "engine/queue/places/refused_pods.h"

namespace berth::queue {
namespace {

using namespace std::chrono_literals;

TEST(BackoffTimes, DoublesWithoutOverflow) {
  const BackoffTimes times(1s, 10s, true);
  EXPECT_EQ(times.until(5s, 0, 0), std::nullopt);
  EXPECT_EQ(times.until(5s, 4, 0), 13s);
  EXPECT_EQ(times.until(5s, 4, 1), 6s);
  for (const uint32_t count : {5u, 33u, 64u, 65u, 4'000'000'000u})
    EXPECT_EQ(times.until(5s, count, 0), 15s) << count;
  EXPECT_EQ(BackoffTimes(1s, 0s, true).until(5s, 4, 0), std::nullopt);
  EXPECT_EQ(BackoffTimes(0s, 10s, true).until(5s, 400, 0), 5s);
}

TEST(BackoffTimes, WindowsAreWholeSeconds) {
  const BackoffTimes times(1s, 10s, true);
  EXPECT_EQ(times.until(5999ms, 1, 0), 6s);
  EXPECT_FALSE(times.over(6s, 6999ms));
  EXPECT_TRUE(times.over(6s, 7s));
  const BackoffTimes exact(1s, 10s, false);
  EXPECT_EQ(exact.until(5999ms, 1, 0), 6999ms);
  EXPECT_FALSE(exact.over(6999ms, 6999ms));
  EXPECT_TRUE(exact.over(6999ms, 7s));
  EXPECT_TRUE(exact.over(std::nullopt, 0s));
}

TEST(OrderedKey, ComparesLikeTheBytes) {
  SortKey a{}, b{};
  a[0] = b[7] = a[8] = b[15] = 1;
  EXPECT_GT(OrderedKey(a).high, OrderedKey(b).high);
  EXPECT_GT(OrderedKey(a).low, OrderedKey(b).low);
}

TEST(Refusers, AreSortedAndOnce) {
  Refusers refusers;
  for (const RefuserId refuser : std::vector<RefuserId>{7, 3, 7, 5})
    refusers.add(refuser, refuser == 3);
  refusers.add(5, true);
  EXPECT_EQ(refusers.all(), (std::vector<RefuserId>{3, 5, 7}));
  EXPECT_TRUE(refusers.pending(3) && refusers.pending(5) && !refusers.pending(7));
  EXPECT_FALSE(refusers.contains(4));
  refusers.clear();
  EXPECT_TRUE(refusers == Refusers());
}

TEST(Interests, AnActionOfSeveralBitsWantsThemAll) {
  Interests interests;
  interests.add({0, 1, 2, 4 | 8, true});
  interests.add({0, 2, 2 | 4, 1 | 4 | 8 | 16, true});
  interests.add({0, 2, 4, 4, false});
  EXPECT_EQ(interests.of({2, 4}).size(), 2u);
  ASSERT_EQ(interests.of({2, 4 | 8 | 16}).size(), 1u);
  EXPECT_EQ(interests.of({2, 4 | 8 | 16})[0].refuser, 2);
  EXPECT_TRUE(interests.of({2, 4})[1].hinted);
  ASSERT_EQ(interests.of({4, 4}).size(), 1u);
  EXPECT_FALSE(interests.of({4, 4})[0].hinted);  // one of its interests needs no hint
  EXPECT_TRUE(interests.of({1, 4}).empty());
  EXPECT_TRUE(interests.of({2, 0}).empty());
  EXPECT_TRUE(interests.wants(1, {2, 8}));
  EXPECT_FALSE(interests.wants(1, {2, 16}));
}

class RefusedPodsTest : public ::testing::Test {
 protected:
  RefusedPodsTest() {
    first_.add(1);
    both_.add(1);
    both_.add(2);
  }
  void insert(uint32_t index, RefusalId refusal, uint32_t group) {
    pods_.add({index, 1}).refusal = refusal;
    refused_.insert(pods_, index, group);
  }
  std::vector<uint32_t> members(uint32_t index) const {
    std::vector<uint32_t> all;
    for (uint32_t at = refused_.head(pods_[index].slot); at != kNoIndex; at = pods_[at].next)
      all.push_back(at);
    return all;
  }

  QueuedPods pods_;
  RefusedPods refused_;
  Refusers first_, both_;
};

TEST_F(RefusedPodsTest, InternsRefusals) {
  Refusers pending;
  pending.add(1, true);
  const RefusalId first = refused_.refusal(first_), both = refused_.refusal(both_);
  EXPECT_EQ(refused_.refusal({}), 0u);
  EXPECT_EQ(refused_.refusal(first_), first);
  EXPECT_NE(refused_.refusal(pending), first);
  const RefusalId gated = refused_.gated(first, 2);
  EXPECT_NE(gated, both);  // the same refusers, but one of them gates
  EXPECT_EQ(refused_[gated].gated_by, 2);
  EXPECT_EQ(refused_.gated(gated, 2), gated);
  EXPECT_EQ(refused_.gated(gated, kNobody), both);
  EXPECT_EQ(refused_.of(2).size(), 2u);
  EXPECT_TRUE(refused_.of(77).empty());
}

TEST_F(RefusedPodsTest, AClassIsAGroupWithARefusal) {
  const RefusalId first = refused_.refusal(first_), both = refused_.refusal(both_);
  insert(0, first, 5);
  insert(1, both, 5);
  insert(2, first, 5);
  insert(3, first, 6);
  insert(4, first, 5);
  EXPECT_EQ(members(0), (std::vector<uint32_t>{0, 2, 4}));
  EXPECT_EQ(members(1), (std::vector<uint32_t>{1}));
  EXPECT_EQ(refused_[first].classes.size(), 2u);
  refused_.erase(pods_, 2);
  refused_.erase(pods_, 0);
  EXPECT_EQ(members(4), (std::vector<uint32_t>{4}));
  refused_.erase(pods_, 4);
  EXPECT_EQ(refused_[first].classes.size(), 1u);
  EXPECT_EQ(refused_.head(refused_[first].classes[0]), 3u);
  const size_t classes = refused_.classes();
  pods_.remove(2);
  insert(2, first, 7);
  EXPECT_EQ(refused_.classes(), classes);
}

}  // namespace
}  // namespace berth::queue
