#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "tests/runtime/controllers/workloads.h"

namespace berth::tests {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A Deployment of which a new template is rolled out.
class RolloutsTest : public WorkloadsTest {
 protected:
  model::Workload with_template(const std::string& revision, uint64_t replicas) {
    model::Workload it = workload(model::WorkloadKind::kDeployment, "web", replicas);
    it.revision = revision;
    it.controller.name = "web-" + revision;
    it.controller.uid = "uid-" + revision;
    it.next_ordinal = revision == "a" ? replicas : 0;
    it.rollout.surge = {1, false};
    it.rollout.unavailable = {0, false};
    return it;
  }
  void roll_out(const model::Workload& to) {
    change(to);
    for (int i = 0; i < 10; ++i) settle();
    pass(1h);
  }
  // The number of pods of a template that do not terminate.
  int64_t count(const std::string& revision) {
    return std::ranges::count_if(pods(), [&](const std::string& name) {
      return name.starts_with("web-" + revision + "-") && !name.ends_with(" ends");
    });
  }
};

TEST_F(RolloutsTest, PodsOfANewTemplateReplaceTheOthersOneByOne) {
  begin(with_template("a", 3));
  model::Workload next = with_template("b", 3);
  next.min_ready_seconds = 10;
  change(next);
  EXPECT_EQ(count("a"), 3);
  EXPECT_EQ(count("b"), 1) << "the surge";
  for (int64_t done = 1; done <= 3; ++done) {
    pass(9s);
    EXPECT_EQ(count("a"), 4 - done) << "it is not ready for long enough";
    pass(1s);
    settle();
    EXPECT_EQ(count("a"), 3 - done);
    EXPECT_EQ(count("b"), std::min<int64_t>(done + 1, 3));
  }
  pass(1h);
  EXPECT_THAT(pods(), SizeIs(3));
  const std::string lost = pods()[0];
  terminate(lost);
  EXPECT_EQ(count("b"), 3) << "lost ones are replaced, too";
}

TEST_F(RolloutsTest, AFormerTemplateComesBack) {
  begin(with_template("a", 2));
  roll_out(with_template("b", 2));
  EXPECT_EQ(count("a"), 0);
  EXPECT_EQ(count("b"), 2);
  roll_out(with_template("a", 3));
  EXPECT_EQ(count("a"), 3);
  EXPECT_EQ(count("b"), 0);
}

TEST_F(RolloutsTest, RecreatedPodsComeWhenTheFormerOnesAreGone) {
  begin(with_template("a", 2));
  model::Workload next = with_template("b", 2);
  next.rollout.recreates = true;
  change(next);
  EXPECT_EQ(count("a"), 0);
  EXPECT_EQ(count("b"), 0);
  pass(30s);
  EXPECT_EQ(count("b"), 2);
}

TEST_F(RolloutsTest, APausedDeploymentOnlyScales) {
  begin(with_template("a", 2));
  model::Workload next = with_template("b", 3);
  next.rollout.paused = true;
  change(next);
  EXPECT_EQ(count("a"), 3);
  EXPECT_EQ(count("b"), 0);
  next.rollout.paused = false;
  roll_out(next);
  EXPECT_EQ(count("a"), 0);
  EXPECT_EQ(count("b"), 3);
}

TEST_F(RolloutsTest, DeletedDeploymentsLoseThePodsOfAllTemplates) {
  begin(with_template("a", 3));
  change(with_template("b", 3));
  apply(model::deleted(model::ControllerObject{"Deployment", "web", "default", {}, nullptr}));
  pass(0s);
  EXPECT_EQ(count("a") + count("b"), 0);
  pass(1h);
  EXPECT_THAT(pods(), IsEmpty());
}

}  // namespace
}  // namespace berth::tests
