#include "tests/apiserver/net/http/request_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(RequestTarget, IsDecoded) {
  Request request;
  ASSERT_TRUE(set_target("/api/v1/n%c3%A4+me?a=1&b=x%26y+z&c&&d=&a=2&e=f=g?h", request));
  EXPECT_EQ(request.path, "/api/v1/n\xC3\xA4+me");
  EXPECT_THAT(request.query, ElementsAre(Pair("a", "2"), Pair("b", "x&y z"), Pair("c", ""),
                                         Pair("d", ""), Pair("e", "f=g?h")));
  Request bare;
  ASSERT_TRUE(set_target("/?", bare));
  EXPECT_EQ(bare.path, "/");
  EXPECT_THAT(bare.query, IsEmpty());
}

TEST(RequestTarget, HasToBeAPath) {
  for (const char* target :
       {"", "*", "http://host/", "a", "/%", "/%4", "/%4g", "/%g4", "/?a=%", "/?%zz=1"}) {
    Request request;
    EXPECT_FALSE(set_target(target, request)) << target;
  }
}

TEST(RequestTarget, HeadersOfOneNameAreOne) {
  Request request;
  add_header("accept", "a", request);
  add_header("accept", "b, c", request);
  add_header("x", "", request);
  EXPECT_THAT(request.headers, ElementsAre(Pair("accept", "a, b, c"), Pair("x", "")));
}

TEST(RequestTarget, OnlyTheServerSaysWhoTheUserIs) {
  Request request;
  add_header("x-remote-user", "admin", request);
  ASSERT_TRUE(complete_request("/", "", request));
  EXPECT_THAT(request.headers, IsEmpty());
  add_header("x-remote-user", "admin", request);
  ASSERT_TRUE(complete_request("/", "alice", request));
  EXPECT_THAT(request.headers, ElementsAre(Pair("x-remote-user", "alice")));
}

}  // namespace
}  // namespace berth::apiserver
