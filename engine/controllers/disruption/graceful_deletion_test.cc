#include "engine/controllers/disruption/graceful_deletion.h"

#include <gtest/gtest.h>

#include <chrono>

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;

constexpr DeletablePod kRunningPod{
    .deletion = {}, .termination_grace_seconds = 30, .bound = true, .finished = false};

DeletablePod terminating(PodDeletion deletion) {
  DeletablePod pod = kRunningPod;
  pod.deletion = deletion;
  return pod;
}

void expect_deletion(const DeletionOutcome& outcome, Time at, int64_t grace_seconds) {
  EXPECT_FALSE(outcome.gone);
  EXPECT_EQ(outcome.deletion, (PodDeletion{at, grace_seconds}));
}

void expect_no_change(const DeletionOutcome& outcome) {
  EXPECT_FALSE(outcome.gone);
  EXPECT_EQ(outcome.deletion, std::nullopt);
}

TEST(GracefulDeletion, TheRequestOverridesThePod) {
  expect_deletion(delete_gracefully(kRunningPod, {}, 10s), 40s, 30);
  expect_deletion(delete_gracefully(kRunningPod, 5, 10s), 15s, 5);
  expect_deletion(delete_gracefully(kRunningPod, -7, 10s), 11s, 1);
  EXPECT_TRUE(delete_gracefully(kRunningPod, 0, 10s).gone);
}

TEST(GracefulDeletion, TimesAreWholeSeconds) {
  expect_deletion(delete_gracefully(kRunningPod, {}, 10'900ms), 40s, 30);
}

TEST(GracefulDeletion, NoKubeletHasToFinishIt) {
  DeletablePod pod = kRunningPod;
  pod.bound = false;
  EXPECT_TRUE(delete_gracefully(pod, 60, 10s).gone);
  pod = kRunningPod;
  pod.finished = true;
  EXPECT_TRUE(delete_gracefully(pod, 60, 10s).gone);
  pod = kRunningPod;
  pod.termination_grace_seconds = 0;
  EXPECT_TRUE(delete_gracefully(pod, {}, 10s).gone);
}

TEST(GracefulDeletion, ANegativeGraceOfThePodIsTheShortest) {
  DeletablePod pod = kRunningPod;
  pod.termination_grace_seconds = -1;
  expect_deletion(delete_gracefully(pod, {}, 10s), 11s, 1);
}

TEST(GracefulDeletion, OnlyAShorterGraceChangesATerminatingPod) {
  const DeletablePod pod = terminating({40s, 30});
  expect_no_change(delete_gracefully(pod, {}, 15s));
  expect_no_change(delete_gracefully(pod, 30, 15s));
  expect_no_change(delete_gracefully(pod, 31, 15s));
  expect_deletion(delete_gracefully(pod, 29, 15s), 39s, 29);
  EXPECT_TRUE(delete_gracefully(pod, 0, 15s).gone);
}

TEST(GracefulDeletion, AGraceThatIsOverBecomesTheShortest) {
  const DeletablePod pod = terminating({40s, 30});
  expect_deletion(delete_gracefully(pod, 5, 15s), 15s, 5);
  expect_deletion(delete_gracefully(pod, 4, 15s), 15s, 1);
  expect_deletion(delete_gracefully(pod, -1, 15s), 15s, 1);
}

TEST(GracefulDeletion, WithoutAGraceThePodGoes) {
  EXPECT_TRUE(delete_gracefully(terminating({10s, 0}), {}, 15s).gone);
  EXPECT_TRUE(delete_gracefully(terminating({10s, 0}), 60, 15s).gone);
}

}  // namespace
}  // namespace berth::controllers
