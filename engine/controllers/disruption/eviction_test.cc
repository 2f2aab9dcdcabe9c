#include "engine/controllers/disruption/eviction.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;
using Texts = std::vector<std::string>;

constexpr Time kNow = 10'500ms;

// One pod, and what is written.
class OnePod final : public EvictionTarget {
 public:
  std::optional<EvictablePod> pod =
      EvictablePod{"uid", "5", model::PodPhase::kRunning, true, false};
  std::vector<Budget> all;
  bool races = false;  // somebody else changes the pod between the reads of the request
  Texts writes;
  std::optional<Condition> condition;

  std::optional<EvictablePod> read() const override {
    ++reads_;
    if (!pod || !races || reads_ == 1) return pod;
    EvictablePod changed = *pod;
    changed.resource_version += "0";
    return changed;
  }
  std::vector<const Budget*> budgets() const override {
    std::vector<const Budget*> list;
    for (const Budget& budget : all) list.push_back(&budget);
    return list;
  }
  void write_status(const Budget& budget) override {
    writes.emplace_back("budget");
    all.front() = budget;
  }
  void put_condition(Condition put) override {
    writes.emplace_back("condition");
    condition = std::move(put);
    pod->resource_version += "1";
  }
  void remove(std::optional<int64_t> grace_seconds) override {
    writes.push_back("delete" + (grace_seconds ? " " + std::to_string(*grace_seconds) : ""));
  }

  ApiStatus evict(EvictionRequest request = {}) {
    request.pod = "p";
    return controllers::evict(request, *this, kNow);
  }

 private:
  mutable int reads_ = 0;
};

const Texts kDeleted{"condition", "delete"};
const Texts kCharged{"budget", "condition", "delete"};

Budget budget_with(int32_t current, int32_t desired, int32_t allowed) {
  Budget budget;
  budget.namespace_name = "default";
  budget.name = "b";
  budget.status = {.observed_generation = 1,
                   .current_healthy = current,
                   .desired_healthy = desired,
                   .expected_pods = 3,
                   .disruptions_allowed = allowed,
                   .disrupted_pods = {},
                   .condition = {}};
  put_condition(budget.status, 2s);
  return budget;
}

std::string only_cause(const ApiStatus& status) {
  return status.causes.size() == 1 ? status.causes.front().message : "";
}

TEST(Eviction, APodThatDoesNotExistIsNotFound) {
  OnePod target;
  target.pod.reset();
  EXPECT_EQ(target.evict(), (ApiStatus{.code = 404,
                                       .reason = "NotFound",
                                       .message = "pods \"p\" not found",
                                       .kind = "pods",
                                       .name = "p"}));
}

TEST(Eviction, WithoutABudgetThePodIsDeleted) {
  OnePod target;
  EXPECT_EQ(target.evict({.pod = {}, .grace_seconds = 7}), (ApiStatus{.code = 201}));
  EXPECT_EQ(target.writes, (Texts{"condition", "delete 7"}));
  EXPECT_EQ(target.condition, (Condition{"DisruptionTarget", "True", "EvictionByEvictionAPI",
                                         "Eviction API: evicting", 10s}));
}

TEST(Eviction, TheBudgetIsCharged) {
  OnePod target;
  target.all = {budget_with(3, 1, 2)};
  EXPECT_TRUE(target.evict().success());
  EXPECT_EQ(target.writes, kCharged);
  const BudgetStatus& status = target.all.front().status;
  EXPECT_EQ(status.disruptions_allowed, 1);
  EXPECT_EQ(status.disrupted_pods, (std::map<std::string, Time, std::less<>>{{"p", 10s}}));
  EXPECT_EQ(status.current_healthy, 3) << "which the controller counts";
  EXPECT_TRUE(status.condition->allowed);
}

TEST(Eviction, TheLastDisruptionChangesTheCondition) {
  OnePod target;
  target.all = {budget_with(3, 2, 1)};
  EXPECT_TRUE(target.evict().success());
  EXPECT_EQ(target.all.front().status.condition,
            (DisruptionAllowed{false, "InsufficientPods", "", 1, 10s}));
}

TEST(Eviction, ADryRunWritesNothing) {
  OnePod target;
  target.all = {budget_with(3, 1, 2)};
  EXPECT_EQ(target.evict({.pod = {}, .dry_run = true}).code, 201);
  EXPECT_EQ(target.evict({.pod = {}, .dry_run = true, .uid = "other"}).code, 409);
  EXPECT_EQ(target.evict({.pod = {}, .dry_run = true, .resource_version = "4"}).code, 409);
  target.all = {budget_with(1, 1, 0)};
  EXPECT_EQ(target.evict({.pod = {}, .dry_run = true}).code, 429);
  EXPECT_EQ(target.writes, Texts());
}

TEST(Eviction, SeveralBudgetsAreNotSupported) {
  OnePod target;
  target.all = {budget_with(3, 1, 2), budget_with(3, 1, 2)};
  const ApiStatus status = target.evict();
  EXPECT_EQ(status.code, 500);
  EXPECT_EQ(status.reason, "");
  EXPECT_EQ(status.message,
            "This pod has more than one PodDisruptionBudget, which the eviction subresource does "
            "not support.");
  EXPECT_EQ(target.writes, Texts());
}

TEST(Eviction, BudgetsDoNotProtectPodsThatDoNotRun) {
  for (const auto phase :
       {model::PodPhase::kPending, model::PodPhase::kSucceeded, model::PodPhase::kFailed}) {
    OnePod target;
    target.pod->phase = phase;
    target.all = {budget_with(1, 1, 0), budget_with(1, 1, 0)};
    EXPECT_EQ(target.evict().code, 201);
    EXPECT_EQ(target.writes, kDeleted);
  }
  OnePod target;
  target.pod->terminating = true;
  target.all = {budget_with(1, 1, 0)};
  EXPECT_EQ(target.evict().code, 201);
  EXPECT_EQ(target.writes, kDeleted);
  target.pod = {"uid", "5", model::PodPhase::kUnknown, true, false};
  EXPECT_EQ(target.evict().code, 429);
}

TEST(Eviction, APendingPodThatChangesIsAConflict) {
  OnePod target;
  target.races = true;
  target.pod->phase = model::PodPhase::kPending;
  EXPECT_EQ(target.evict().code, 409);
  EXPECT_EQ(target.writes, Texts());
  OnePod finished;
  finished.races = true;
  finished.pod->phase = model::PodPhase::kFailed;
  EXPECT_EQ(finished.evict().code, 201);
}

TEST(Eviction, AnUnreadyPodMayGoIfTheBudgetIsKept) {
  const auto answer = [](int32_t current, int32_t desired) {
    OnePod target;
    target.pod->ready = false;
    target.all = {budget_with(current, desired, 0)};
    const ApiStatus status = target.evict();
    EXPECT_EQ(target.writes, status.success() ? kDeleted : Texts());
    return status.code;
  };
  EXPECT_EQ(answer(2, 2), 201);
  EXPECT_EQ(answer(1, 2), 429);
  EXPECT_EQ(answer(2, 0), 429) << "a budget that wants nothing healthy is not kept";
}

TEST(Eviction, AnUnreadyPodMayAlwaysGoIfThePolicySaysSo) {
  OnePod target;
  target.pod->ready = false;
  target.all = {budget_with(0, 2, 0)};
  target.all.front().spec.unhealthy_pods = UnhealthyPods::kAlwaysAllow;
  target.all.front().generation = 2;
  EXPECT_EQ(target.evict().code, 201) << "though the controller has not seen the budget";
  EXPECT_EQ(target.writes, kDeleted);
  target.pod->ready = true;
  EXPECT_EQ(target.evict().code, 429);
}

// The version that was judged takes the place of the client's.
TEST(Eviction, OfAnUnreadyPodTheJudgedVersionIsDeleted) {
  OnePod target;
  target.pod->ready = false;
  target.all = {budget_with(2, 2, 0)};
  EXPECT_EQ(target.evict({.pod = {}, .resource_version = "4"}).code, 201);
  EXPECT_EQ(target.writes, kDeleted);
}

TEST(Eviction, AConflictOverAnUnreadyPodIsToBeTriedAgain) {
  const auto answer = [](EvictionRequest request, bool races) {
    OnePod target;
    target.pod->ready = false;
    target.all = {budget_with(2, 2, 0)};
    target.races = races;
    const ApiStatus status = target.evict(std::move(request));
    EXPECT_EQ(target.writes, Texts());
    return status;
  };
  const ApiStatus busy = answer({}, true);
  EXPECT_EQ(busy.code, 429);
  EXPECT_EQ(busy.retry_after_seconds, 10);
  EXPECT_EQ(only_cause(busy), "The disruption budget b is still being processed by the server.");
  EXPECT_EQ(answer({.pod = {}, .uid = "other"}, false).code, 429);
  EXPECT_EQ(answer({.pod = {}, .uid = "other", .resource_version = "5"}, false).code, 409);
}

TEST(Eviction, AnUnseenGenerationIsToBeTriedAgain) {
  OnePod target;
  target.all = {budget_with(3, 1, 2)};
  target.all.front().generation = 2;
  const ApiStatus status = target.evict();
  EXPECT_EQ(status, (ApiStatus{.code = 429,
                               .reason = "TooManyRequests",
                               .message = "Cannot evict pod as it would violate the pod's "
                                          "disruption budget.",
                               .causes = {{"DisruptionBudget",
                                           "The disruption budget b is still being processed by "
                                           "the server."}},
                               .retry_after_seconds = 10}));
  EXPECT_EQ(target.writes, Texts());
}

TEST(Eviction, ARefusalSaysWhy) {
  const auto cause = [](Budget budget) {
    OnePod target;
    target.all = {std::move(budget)};
    const ApiStatus status = target.evict();
    EXPECT_EQ(status.retry_after_seconds, 0);
    return only_cause(status);
  };
  EXPECT_EQ(cause(budget_with(1, 2, 0)),
            "The disruption budget b needs 2 healthy pods and has 1 currently");
  EXPECT_EQ(cause(budget_with(2, 2, 0)),
            "The disruption budget b needs 2 healthy pods and has 2 currently");
  EXPECT_EQ(cause(budget_with(3, 2, 0)),
            "The disruption budget b does not allow evicting pods currently");
  Budget budget = budget_with(1, 2, 0);
  put_condition(budget.status, false, kSyncFailed, "why", 3s);
  EXPECT_EQ(cause(budget),
            "The disruption budget b does not allow evicting pods currently because it failed "
            "sync: why");
  put_condition(budget.status, false, "Other", "why", 3s);
  EXPECT_EQ(cause(budget), "The disruption budget b needs 2 healthy pods and has 1 currently");
  budget.status.current_healthy = 3;
  EXPECT_EQ(cause(budget),
            "The disruption budget b does not allow evicting pods currently (Other): why");
}

TEST(Eviction, ABudgetWithTooManyDisruptedPodsIsForbidden) {
  OnePod target;
  target.all = {budget_with(3, 1, 2)};
  for (int i = 0; i < 2000; ++i)
    target.all.front().status.disrupted_pods.emplace(std::to_string(i), 1s);
  EXPECT_EQ(target.evict().code, 201);
  ASSERT_EQ(target.all.front().status.disrupted_pods.size(), 2001u);
  const ApiStatus status = target.evict();
  EXPECT_EQ(status.code, 403);
  EXPECT_EQ(status.message,
            "poddisruptionbudget.policy \"b\" is forbidden: DisruptedPods map too big - too many "
            "evictions not confirmed by PDB controller");
  EXPECT_EQ(status.group, "policy");
  target.all = {budget_with(3, 1, -1)};
  EXPECT_EQ(target.evict().message,
            "poddisruptionbudget.policy \"b\" is forbidden: pdb disruptions allowed is negative");
}

// So a wrong one takes a disruption until the controller takes it back.
TEST(Eviction, PreconditionsAreCheckedAfterTheBudget) {
  OnePod target;
  target.all = {budget_with(3, 1, 2)};
  const ApiStatus uid = target.evict({.pod = {}, .uid = "other"});
  EXPECT_EQ(uid.code, 409);
  EXPECT_EQ(uid.message,
            "Operation cannot be fulfilled on Pod \"p\": the UID in the precondition (other) does "
            "not match the UID in record (uid). The object might have been deleted and then "
            "recreated");
  EXPECT_EQ(uid.kind, "Pod");
  EXPECT_EQ(target.evict({.pod = {}, .resource_version = "4"}).message,
            "Operation cannot be fulfilled on Pod \"p\": the ResourceVersion in the precondition "
            "(4) does not match the ResourceVersion in record (5). The object might have been "
            "modified");
  EXPECT_EQ(target.writes, (Texts{"budget", "budget"}));
}

TEST(Eviction, TheConditionDoesNotBreakTheVersionThatWasAskedFor) {
  OnePod target;
  EXPECT_EQ(target.evict({.pod = {}, .uid = "uid", .resource_version = "5"}).code, 201);
  EXPECT_EQ(target.writes, kDeleted);
}

TEST(Eviction, AnEmptyUidStopsTheDeletionAlone) {
  OnePod target;
  EXPECT_EQ(target.evict({.pod = {}, .uid = ""}).code, 409);
  EXPECT_EQ(target.writes, Texts{"condition"});
}

}  // namespace
}  // namespace berth::controllers
