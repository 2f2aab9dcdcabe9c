#include "engine/drive/course/queue_history.h"

#include <gtest/gtest.h>

namespace berth::drive {
namespace {

using namespace std::chrono_literals;

TEST(QueueHistory, TakesTheFirstSampleAtOnceAndTheNextOneLater) {
  QueueHistory history;
  EXPECT_TRUE(history.due(0ns));
  history.add(500us, {.active = 7});
  EXPECT_FALSE(history.due(999us));
  EXPECT_TRUE(history.due(1ms));
  ASSERT_EQ(history.samples().size(), 1u);
  EXPECT_EQ(history.samples()[0].seconds, 0.0005);
  EXPECT_EQ(history.samples()[0].active, 7u);
}

TEST(QueueHistory, SpansARunOfAnyLengthWithFewSamples) {
  QueueHistory history;
  constexpr uint64_t kSteps = 100'000;
  for (uint64_t i = 0; i < kSteps; ++i)
    if (history.due(i * 1ms)) history.add(i * 1ms, {.active = i});
  const auto& samples = history.samples();
  ASSERT_GE(samples.size(), QueueHistory::kMost / 2);
  ASSERT_LE(samples.size(), QueueHistory::kMost);
  EXPECT_EQ(samples.front().active, 0u);
  EXPECT_GT(samples.back().active, kSteps * 9 / 10);
  for (size_t i = 1; i < samples.size(); ++i)
    EXPECT_NEAR(static_cast<double>(samples[i].active - samples[i - 1].active), 1024, 1) << i;
}

}  // namespace
}  // namespace berth::drive
