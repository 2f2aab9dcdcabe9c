#include "engine/kube/api/query.h"

#include <gtest/gtest.h>

namespace berth::kube {
namespace {

TEST(Query, EncodesValues) {
  EXPECT_EQ(with_query("/api/v1/pods", {{"limit", "500"}, {"continue", "a+/=b"}}),
            "/api/v1/pods?limit=500&continue=a%2B%2F%3Db");
  EXPECT_EQ(with_query("/p", {{"fieldSelector", "status.phase!=Succeeded,status.phase!=Failed"}}),
            "/p?fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed");
  EXPECT_EQ(with_query("/p", {{"a", "-._~ \xc3\xa4\n"}}), "/p?a=-._~%20%C3%A4%0A");
}

TEST(Query, LeavesOutWhatHasNoValue) {
  EXPECT_EQ(with_query("/p", {{"limit", ""}, {"a", "1"}, {"b", ""}, {"c", "2"}}), "/p?a=1&c=2");
  EXPECT_EQ(with_query("/p", {{"limit", ""}}), "/p");
}

}  // namespace
}  // namespace berth::kube
