#include "engine/kube/reflector/retry.h"

#include <gtest/gtest.h>

namespace berth::kube {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(Retry, WaitsLongerEachTime) {
  Retry retry;
  for (const int wait : {800, 1600, 3200, 6400, 12800, 25600, 30000, 30000})
    EXPECT_EQ(retry.next(seconds(5), 0), milliseconds(wait));
}

TEST(Retry, AddsUpToAsMuchAgain) {
  Retry retry;
  EXPECT_EQ(retry.next({}, uint64_t{1} << 63), milliseconds(1200));
  EXPECT_EQ(retry.next({}, UINT64_MAX), milliseconds(3200) - Time(1));
}

TEST(Retry, BeginsAnewAfterACalmTime) {
  Retry retry;
  EXPECT_EQ(retry.next({}, 0), milliseconds(800));
  EXPECT_EQ(retry.next(minutes(2), 0), milliseconds(1600));
  EXPECT_EQ(retry.next(minutes(4) + Time(1), 0), milliseconds(800));
}

}  // namespace
}  // namespace berth::kube
