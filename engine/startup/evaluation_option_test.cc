#include "engine/startup/evaluation_option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/memory/machine_memory.h"

namespace berth::startup {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(RankingMemory, IsAnEighthOfTheMachines) {
  ASSERT_TRUE(usable_memory());
  EXPECT_EQ(RankingMemoryOption().bytes, *usable_memory() / 8);
}

TEST(RankingMemory, IsNamedOnlyWhereItSlowsARunDown) {
  EXPECT_THAT(ranking_memory_notice(0, 0, 1 << 20), IsEmpty());
  EXPECT_THAT(ranking_memory_notice(99, 10'000, 1 << 20), IsEmpty());
  EXPECT_THAT(ranking_memory_notice(2'000, 10'000, 1 << 20),
              HasSubstr("--ranking-memory: what is kept for kinds of pods does not fit into "));
  EXPECT_THAT(ranking_memory_notice(2'000, 10'000, 1 << 20),
              HasSubstr("2,000 evictions in 10,000 decisions"));
}

}  // namespace
}  // namespace berth::startup
