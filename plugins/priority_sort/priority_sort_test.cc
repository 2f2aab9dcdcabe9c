#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

class PrioritySortTest : public ::testing::Test {
 protected:
  std::vector<std::string> keys(std::vector<int64_t> priorities, std::vector<int64_t> times) {
    return plugin_.queue_keys({{"pod.priority", priorities}, {"pod.queued_at", times}});
  }

  FakeHost host_;
  Harness plugin_{host_};
};

TEST_F(PrioritySortTest, HigherPriorityFirst) {
  const auto k = keys({1'000'000'000, 100, 1, 0, -1, -2'147'483'648}, {9, 8, 7, 6, 5, 4});
  EXPECT_TRUE(std::is_sorted(k.begin(), k.end()));
}

TEST_F(PrioritySortTest, AmongEqualsTheEarlierFirst) {
  const auto k = keys({7, 7, 7, 7}, {-3, 0, 1, 1'700'000'000'000'000'000});
  EXPECT_TRUE(std::is_sorted(k.begin(), k.end()));
  const auto same = keys({7, 7}, {5, 5});
  EXPECT_EQ(same[0], same[1]);
}

TEST_F(PrioritySortTest, ComparesLikeThePair) {
  EXPECT_TRUE(rc::check("keys order like (-priority, time)",
                        [this](int32_t p, int32_t q, int64_t t, int64_t u) {
                          const auto k = keys({p, q}, {t, u});
                          const bool less = p > q || (p == q && t < u);
                          RC_ASSERT((k[0] < k[1]) == less);
                        }));
}

}  // namespace
}  // namespace berth::plugins::testing
