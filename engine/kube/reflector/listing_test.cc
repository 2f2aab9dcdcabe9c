#include "engine/kube/reflector/listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "engine/kube/reflector/testing.h"

namespace berth::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct ListingTest : ::testing::Test {
  void begin(std::string_view kind) {
    listing.emplace(*find_served(kind), http, [this](Listing::Result came) {
      result = std::move(came);
      listing.reset();
    });
  }
  void answer(int status, std::string body) {
    http.answer(http.open().front().number, {Answer::Fate::kAnswered, status, std::move(body), {}});
  }

  FakeHttp http;
  std::optional<Listing> listing;
  std::optional<Listing::Result> result;
};

TEST_F(ListingTest, HasTheNamesOfAllPages) {
  begin("Pod");
  EXPECT_EQ(http.open().front().request.path,
            "/api/v1/pods?limit=500&fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3D"
            "Failed");
  answer(200, page_json({object_json("x/a", "1", "u1")}, "5", "more"));
  EXPECT_EQ(query_value(http.open().front().request.path, "continue"), "more");
  answer(200, page_json({object_json("x/b", "2", "u2")}, "5"));
  ASSERT_TRUE(result);
  EXPECT_THAT(result->objects, ElementsAre(ListedObject{"x/a", "u1"}, ListedObject{"x/b", "u2"}));
  EXPECT_EQ(result->fault, "");
  EXPECT_EQ(http.sent(), 2u);
}

TEST_F(ListingTest, SaysWhyThereIsNone) {
  begin("Node");
  answer(200, page_json({object_json("a", "1")}, "5", "more"));
  answer(410, status_json(410, "Expired", "too old"));
  ASSERT_TRUE(result);
  EXPECT_THAT(result->objects, IsEmpty());
  EXPECT_EQ(result->fault, "the list of nodes failed: 410 Expired: too old");
  begin("Node");
  answer(200, "{}");
  EXPECT_THAT(result->fault, ::testing::StartsWith("the list of nodes cannot be read: "));
}

TEST_F(ListingTest, EndsQuietly) {
  begin("Node");
  listing.reset();
  EXPECT_THAT(http.open(), IsEmpty());
}

}  // namespace
}  // namespace berth::kube
