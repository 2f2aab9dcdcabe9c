// A plugin that stands at all extension points: which of them are called, in which order, for a pod
// that goes through, and for one that each of them refuses or fails.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using Points = std::vector<std::string>;

class OrderOfCallsTest : public CoreTest {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(BERTH_BUILD_DIR) / "test" /
            (std::string("witness-") +
             testing::UnitTest::GetInstance()->current_test_info()->name() + ".txt");
    std::filesystem::remove(path_);
    ::setenv("BERTH_TEST_WITNESS", path_.c_str(), 1);
    start(R"([{"schedulerName":"default-scheduler","plugins":{
               "multiPoint":{"enabled":[{"name":"Witness"}]},
               "bind":{"disabled":[{"name":"*"}],
                       "enabled":[{"name":"Witness"},{"name":"DefaultBinder"}]}}}])");
    cluster().put_node(node("m"));
    cluster().put_node(node("n"));  // of a single node nothing is scored
  }
  void TearDown() override {
    ::unsetenv("BERTH_TEST_WITNESS");
    std::filesystem::remove(path_);
  }

  // The points in the order of their calls for one pod of that name, tried once. Filter and Score
  // may be called for parts of the nodes: several calls in a row are one.
  Points points_of(const std::string& name) {
    arrive({pod(name)});
    core->step();
    core->settle();
    Points points;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string of, point;
      words >> of >> point;
      if (of == name && (points.empty() || points.back() != point)) points.push_back(point);
    }
    return points;
  }
  // The first so many points of a pod that is scheduled, then those that follow a failure, and
  // PreEnqueue again: an error backs off, and a refusal by a plugin without hints is woken by the
  // pod's own status.
  static Points until(size_t count, const Points& then) {
    Points points = kAll;
    points.resize(count);
    points.insert(points.end(), then.begin(), then.end());
    points.emplace_back("preEnqueue");
    return points;
  }

  static inline const Points kAll = {"preEnqueue", "preFilter", "filter",  "preScore",
                                     "score",      "reserve",   "permit",  "preFlight",
                                     "preBind",    "bind",      "postBind"};

 private:
  std::filesystem::path path_;
};

TEST_F(OrderOfCallsTest, OfAPodThatIsBound) {
  EXPECT_EQ(points_of("p"), kAll);
  EXPECT_EQ(bindings.all.size(), 1u);
}

TEST_F(OrderOfCallsTest, APodThatIsGatedIsNotTried) {
  EXPECT_EQ(points_of("preEnqueue-refuse"), Points{"preEnqueue"});
}

TEST_F(OrderOfCallsTest, ARefusalOfTheSearchEndsInPostFilter) {
  EXPECT_EQ(points_of("preFilter-refuse"), until(2, {"postFilter"}));
  EXPECT_EQ(points_of("filter-refuse"), until(3, {"postFilter"}));
}

TEST_F(OrderOfCallsTest, AFailureOfTheSearchEndsTheAttempt) {
  EXPECT_EQ(points_of("preFilter-fail"), until(2, {}));
  EXPECT_EQ(points_of("filter-fail"), until(3, {}));
  EXPECT_EQ(points_of("preScore-fail"), until(4, {}));
  EXPECT_EQ(points_of("score-fail"), until(5, {}));
}

TEST_F(OrderOfCallsTest, WhateverFailsFromReserveOnIsUnreserved) {
  EXPECT_EQ(points_of("reserve-refuse"), until(6, {"unreserve"}));
  EXPECT_EQ(points_of("reserve-fail"), until(6, {"unreserve"}));
  EXPECT_EQ(points_of("permit-refuse"), until(7, {"unreserve"}));
  EXPECT_EQ(points_of("permit-fail"), until(7, {"unreserve"}));
  EXPECT_EQ(points_of("preFlight-fail"), until(8, {"unreserve"}));
  EXPECT_EQ(points_of("preBind-refuse"), until(9, {"unreserve"}));
  EXPECT_EQ(points_of("preBind-fail"), until(9, {"unreserve"}));
  EXPECT_EQ(points_of("bind-fail"), until(10, {"unreserve"}));
  EXPECT_TRUE(bindings.all.empty());
}

}  // namespace
}  // namespace berth::tests
