#include "engine/controllers/workloads/job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;
using model::FailureRule;
using ::testing::ElementsAre;

model::JobSpec spec(std::optional<uint64_t> completions) {
  model::JobSpec it;
  it.completions = completions;
  return it;
}
JobPods active(uint64_t count) { return {.active = count}; }

TEST(Job, AsManyPodsAsCompletionsAreMissing) {
  JobRules job(spec(5), 0s);
  EXPECT_EQ(job.plan(active(0), 3, 0s).creations, 3u);
  for (int i = 0; i < 3; ++i) job.succeeded(1s, 0);
  EXPECT_EQ(job.plan(active(0), 3, 1s).creations, 2u);
  job.succeeded(2s, 0);
  EXPECT_EQ(job.plan(active(1), 3, 2s).creations, 0u);
  EXPECT_FALSE(job.over());
  job.succeeded(3s, 0);
  EXPECT_EQ(job.plan(active(0), 3, 3s).creations, 0u);
  EXPECT_TRUE(job.over());
}

TEST(Job, AQueueOfWorkIsOverAfterASuccess) {
  JobRules job(spec({}), 0s);
  EXPECT_EQ(job.plan(active(1), 3, 0s).creations, 2u);
  job.succeeded(1s, 0);
  EXPECT_EQ(job.plan(active(2), 3, 1s).creations, 0u);
  EXPECT_FALSE(job.over());
  job.plan(active(0), 3, 2s);
  EXPECT_TRUE(job.over());
}

TEST(Job, FailuresPauseIt) {
  JobRules job(spec(1), 0s);
  job.failed({.at = 5s});
  const JobPlan first = job.plan(active(0), 1, 5s);
  EXPECT_EQ(first.creations, 0u);
  EXPECT_EQ(first.again, 15s);
  EXPECT_EQ(job.plan(active(0), 1, 15s).creations, 1u);
  job.failed({.at = 20s});
  EXPECT_EQ(job.plan(active(0), 1, 20s).again, 40s);
  job.failed({.at = 41s});
  EXPECT_EQ(job.plan(active(0), 1, 41s).again, 81s);
}

TEST(Job, PausesEndAtTenMinutes) {
  model::JobSpec many = spec(1);
  many.backoff_limit = 100;
  JobRules job(many, 0s);
  for (int i = 0; i < 50; ++i) job.failed({.at = 1s});
  EXPECT_EQ(job.plan(active(0), 1, 1s).again, 601s);
}

TEST(Job, ASuccessEndsThePause) {
  JobRules job(spec(5), 0s);
  job.failed({.at = 1s});
  job.succeeded(2s, 0);
  EXPECT_EQ(job.plan(active(0), 1, 2s).creations, 1u);
  job.failed({.at = 2s});
  EXPECT_EQ(job.plan(active(0), 1, 2s).creations, 1u) << "it was not later";
}

TEST(Job, MoreFailuresThanTheLimitEndIt) {
  model::JobSpec twice = spec(5);
  twice.backoff_limit = 1;
  JobRules job(twice, 0s);
  job.failed({.at = 0s});
  job.plan(active(2), 3, 0s);
  EXPECT_FALSE(job.over());
  job.failed({.at = 1s});
  EXPECT_EQ(job.plan(active(2), 3, 1s).deletions, 2u);
  EXPECT_TRUE(job.over());
}

TEST(Job, TheDeadlineEndsIt) {
  model::JobSpec brief = spec(5);
  brief.active_deadline_seconds = 60;
  JobRules job(brief, 10s);
  EXPECT_EQ(job.plan(active(5), 5, 10s).again, 70s);
  EXPECT_EQ(job.plan(active(5), 5, 70s).deletions, 5u);
  EXPECT_TRUE(job.over());
}

TEST(Job, ASuspendedOneHasNoPods) {
  model::JobSpec later = spec(5);
  later.active_deadline_seconds = 60;
  later.suspended = true;
  JobRules job(later, 0s);
  EXPECT_EQ(job.plan(active(2), 3, 0s).deletions, 2u);
  job.suspend(false, 100s);
  const JobPlan plan = job.plan(active(0), 3, 100s);
  EXPECT_EQ(plan.creations, 3u);
  EXPECT_EQ(plan.again, 160s);
}

TEST(Job, FewerPodsAreActiveWhenParallelismShrinks) {
  JobRules job(spec(10), 0s);
  EXPECT_EQ(job.plan(active(5), 2, 0s).deletions, 3u);
}

TEST(Job, TheLowestIndicesComeFirst) {
  model::JobSpec indexed = spec(10);
  indexed.indexed = true;
  indexed.over_indices = {{1, 3}};
  JobRules job(indexed, 0s);
  job.succeeded(0s, 5);
  job.succeeded(0s, 5);
  JobPods pods{.active = 1, .terminating = 1, .active_indices = {4}, .terminating_indices = {0}};
  EXPECT_THAT(job.plan(pods, 4, 0s).indices, ElementsAre(0, 6, 7));
}

TEST(Job, WithAPolicyTerminatingPodsAreNotReplaced) {
  model::JobSpec indexed = spec(10);
  indexed.indexed = indexed.replaces_failed_alone = true;
  JobRules job(indexed, 0s);
  JobPods pods{.active = 1, .terminating = 1, .active_indices = {1}, .terminating_indices = {0}};
  EXPECT_THAT(job.plan(pods, 4, 0s).indices, ElementsAre(2, 3));
}

class JobPolicyTest : public testing::Test {
 protected:
  JobPolicyTest() { spec_.backoff_limit = 0; }
  void add(FailureRule rule) { spec_.failure_rules.push_back(std::move(rule)); }
  bool ends(const JobFailure& failure) {
    JobRules job(spec_, 0s);
    job.failed(failure);
    job.plan(active(1), 5, 100s);
    return job.over();
  }
  model::JobSpec spec_ = spec(5);
  const std::vector<std::string> main_{"main"};
};

TEST_F(JobPolicyTest, TheFirstRuleThatIsMetCounts) {
  add({.action = FailureRule::Action::kIgnore,
       .operation = {},
       .exit_codes = {},
       .container = {},
       .conditions = {{"DisruptionTarget", "True"}}});
  add({.action = FailureRule::Action::kFailJob,
       .operation = "In",
       .exit_codes = {42},
       .container = "main",
       .conditions = {}});
  spec_.backoff_limit = 5;
  EXPECT_TRUE(ends({.exit_code = 42, .containers = main_}));
  EXPECT_FALSE(ends({.exit_code = 42, .containers = {}})) << "it has no such container";
  EXPECT_FALSE(ends({.exit_code = 1, .containers = main_}));
  EXPECT_FALSE(ends({.exit_code = 42, .containers = main_, .disrupted = true}));
  spec_.backoff_limit = 0;
  EXPECT_TRUE(ends({.exit_code = 1, .containers = main_}));
  EXPECT_FALSE(ends({.disrupted = true})) << "it does not count towards the limit";
}

TEST_F(JobPolicyTest, ExitCodesMayBeExcluded) {
  add({.action = FailureRule::Action::kIgnore,
       .operation = "NotIn",
       .exit_codes = {1, 2},
       .container = {},
       .conditions = {}});
  EXPECT_FALSE(ends({.exit_code = 3}));
  EXPECT_TRUE(ends({.exit_code = 2}));
  EXPECT_TRUE(ends({})) << "an exit code that is not known is met by no rule";
}

}  // namespace
}  // namespace berth::controllers
