#include "engine/controllers/nodes/taint_queue.h"

#include <gtest/gtest.h>

#include <chrono>

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;

std::string turns(TaintQueue& queue, Time now, bool done = true) {
  std::string names;
  queue.run(now, [&](const std::string& node) {
    names += node;
    return done;
  });
  return names;
}

TEST(TokenBucket, HasAllTokensInTimeAtATenthPerSecond) {
  TokenBucket bucket(0.1f);
  EXPECT_TRUE(bucket.take(7s));
  EXPECT_FALSE(bucket.take(7s));
  EXPECT_FALSE(bucket.take(16s + 999ms));
  EXPECT_TRUE(bucket.take(17s));
  EXPECT_TRUE(bucket.take(100s));
  EXPECT_FALSE(bucket.take(100s)) << "it holds one token";
}

// A hundredth is a little less than that as a 32-bit float.
TEST(TokenBucket, IsLateAtAHundredthPerSecond) {
  TokenBucket bucket(0.01f);
  EXPECT_TRUE(bucket.take(0s));
  EXPECT_FALSE(bucket.take(100s));
  EXPECT_TRUE(bucket.take(100s + 3us));
}

TEST(TokenBucket, TellsWhenNotToAskBefore) {
  TokenBucket bucket(0.01f);
  EXPECT_EQ(bucket.earliest(), 0s);
  bucket.take(50s);
  ASSERT_TRUE(bucket.earliest());
  EXPECT_GT(*bucket.earliest(), 150s);
  EXPECT_FALSE(bucket.take(*bucket.earliest() - 1ns));
  EXPECT_LT(*bucket.earliest(), 150s + 3us);
  EXPECT_EQ(TokenBucket(0).earliest(), std::nullopt);
  EXPECT_FALSE(TokenBucket(0).take(1000s));
}

TEST(TaintQueue, NodesHaveTheirTurnsInOrderOfTimeAndName) {
  TaintQueue queue(0.1f);
  queue.add(5s, "c");
  queue.add(5s, "b");
  queue.add(0s, "d");
  EXPECT_EQ(turns(queue, 10s), "d");
  EXPECT_EQ(turns(queue, 19s), "");
  EXPECT_EQ(turns(queue, 20s), "b");
  queue.remove("c");
  queue.add(25s, "c");
  queue.add(22s, "a");
  EXPECT_EQ(turns(queue, 30s), "a");
  EXPECT_EQ(turns(queue, 40s), "c");
  EXPECT_EQ(queue.next(), std::nullopt);
}

TEST(TaintQueue, ANodeHasOneTurnUntilItIsRemoved) {
  TaintQueue queue(0.1f);
  queue.add(0s, "a");
  EXPECT_EQ(turns(queue, 0s), "a");
  queue.add(5s, "a");
  EXPECT_EQ(turns(queue, 100s), "");
  queue.remove("a");
  queue.add(100s, "a");
  EXPECT_EQ(turns(queue, 100s), "a");
}

TEST(TaintQueue, ATurnThatFailedComesAgain) {
  TaintQueue queue(0.1f);
  queue.add(0s, "a");
  EXPECT_EQ(turns(queue, 0s, false), "a");
  EXPECT_EQ(turns(queue, 10s), "a");
}

TEST(TaintQueue, AnotherRateStartsFullUnlessTheOldBucketWasEmpty) {
  TaintQueue full(0.1f), empty(0.1f), stopped(0.1f);
  for (TaintQueue* queue : {&full, &empty, &stopped}) {
    queue->add(0s, "a");
    queue->add(0s, "b");
    turns(*queue, 0s);
  }
  full.set_rate(10s, 0.01f);
  EXPECT_EQ(turns(full, 10s), "b");
  empty.set_rate(9s, 0.01f);
  EXPECT_EQ(turns(empty, 109s), "");
  EXPECT_EQ(turns(empty, 110s), "b");
  stopped.set_rate(10s, 0);
  EXPECT_EQ(stopped.next(), std::nullopt);
  EXPECT_EQ(turns(stopped, 1000s), "");
  stopped.set_rate(1000s, 0.1f);
  EXPECT_EQ(turns(stopped, 1000s), "");
  EXPECT_EQ(turns(stopped, 1010s), "b");
}

TEST(TaintQueue, TheSameRateKeepsTheBucket) {
  TaintQueue queue(0.1f);
  queue.add(0s, "a");
  queue.add(0s, "b");
  turns(queue, 0s);
  queue.set_rate(5s, 0.1f);
  EXPECT_EQ(turns(queue, 5s), "");
  EXPECT_EQ(turns(queue, 10s), "b");
}

}  // namespace
}  // namespace berth::controllers
