#include "engine/controllers/disruption/disruption_controller.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;

model::Controller owned_by(const std::string& api_version, const std::string& kind,
                           const std::string& name) {
  return {api_version, kind, name, "uid-" + name};
}

struct TestPod {
  model::StringMap labels{{"app", "a"}};
  std::optional<model::Controller> owner{};
  bool ready = true, terminating = false;
  std::optional<Time> disrupted_since{};
};

class DisruptionControllerTest : public ::testing::Test, protected DisruptionWriter {
 protected:
  void put_budget(const std::string& name, BudgetSpec spec, Time now = {}) {
    Budget& budget = budgets_[name];
    if (!budget.name.empty()) ++budget.generation;
    budget.namespace_name = "default";
    budget.name = name;
    budget.spec = std::move(spec);
    controller_.budget_changed(budget, now);
    settle(now);
  }
  void put(const std::string& name, const TestPod& pod, Time now = {},
           const std::string& namespace_name = "default") {
    const model::Labels labels = model::intern_labels(strings_, pod.labels);
    PodView view;
    view.namespace_name = strings_.intern(namespace_name);
    view.name = strings_.intern(name);
    view.labels = &labels;
    view.owner = pod.owner ? &*pod.owner : nullptr;
    view.ready = pod.ready;
    view.terminating = pod.terminating;
    view.disrupted_since = pod.disrupted_since;
    controller_.pod_changed(view, now);
    settle(now);
  }
  void remove(const std::string& name, Time now = {}) {
    controller_.pod_gone(strings_.intern("default"), strings_.intern(name), now);
    settle(now);
  }
  void scale(const std::string& group, const std::string& kind, const std::string& name,
             int32_t replicas, std::optional<model::Controller> owner = {}) {
    scales_.put({group, kind, "default", name, "uid-" + name, replicas, std::move(owner)});
  }
  void settle(Time now) {
    controller_.run_due(now);
    const auto next = controller_.next();
    EXPECT_TRUE(!next || *next > now);
  }

  BudgetStatus& status(const std::string& name = "b") { return budgets_[name].status; }
  // "current desired expected allowed"
  std::string numbers(const std::string& name = "b") {
    const BudgetStatus& of = status(name);
    return std::to_string(of.current_healthy) + " " + std::to_string(of.desired_healthy) + " " +
           std::to_string(of.expected_pods) + " " + std::to_string(of.disruptions_allowed);
  }
  std::string failure() {
    const auto& condition = status().condition;
    return condition && condition->reason == kSyncFailed ? condition->message : "";
  }

  void write_status(const Budget& budget) override {
    ++writes_;
    budgets_[budget.name].status = budget.status;
  }
  void clear_disruption_target(model::StringId /*namespace_name*/, model::StringId name) override {
    cleared_.emplace_back(strings_.text(name));
  }

  static BudgetSpec min_available(PodAmount amount) {
    return {amount, {}, app_a(), UnhealthyPods::kIfHealthyBudget};
  }
  static BudgetSpec max_unavailable(PodAmount amount) {
    return {{}, amount, app_a(), UnhealthyPods::kIfHealthyBudget};
  }
  static model::LabelSelector app_a() { return {{{"app", "a"}}, {}}; }

  model::Strings strings_;
  model::LabelSelectors selectors_{strings_};
  Scales scales_;
  std::map<std::string, Budget> budgets_;
  std::vector<std::string> cleared_;
  int writes_ = 0;
  DisruptionController controller_{strings_, selectors_, scales_, *this};
};

using Disruption = DisruptionControllerTest;

TEST_F(Disruption, ANumberOfAvailablePodsNeedsNoControllers) {
  put("p1", {});
  put("p2", {.ready = false});
  put_budget("b", min_available({1, false}));
  EXPECT_EQ(numbers(), "1 1 2 0");
  put("p3", {});
  EXPECT_EQ(numbers(), "2 1 3 1");
  remove("p2");
  EXPECT_EQ(numbers(), "2 1 2 1");
}

TEST_F(Disruption, PercentagesRoundUp) {
  scale("apps", "StatefulSet", "s", 3);
  for (const char* name : {"p1", "p2", "p3"})
    put(name, {.owner = owned_by("apps/v1", "StatefulSet", "s")});
  put_budget("b", min_available({34, true}));
  EXPECT_EQ(numbers(), "3 2 3 1");
  put_budget("b", max_unavailable({34, true}));
  EXPECT_EQ(numbers(), "3 1 3 2");
  put_budget("b", max_unavailable({33, true}));
  EXPECT_EQ(numbers(), "3 2 3 1");
  put_budget("b", max_unavailable({100, true}));
  EXPECT_EQ(numbers(), "3 0 3 3");
}

TEST_F(Disruption, MoreUnavailablePodsThanAreExpectedLeaveNone) {
  scale("", "ReplicationController", "r", 2);
  put("p1", {.owner = owned_by("v1", "ReplicationController", "r")});
  put_budget("b", max_unavailable({5, false}));
  EXPECT_EQ(numbers(), "1 0 2 1");
}

TEST_F(Disruption, ABudgetThatAsksForNothingAllowsNothing) {
  put("p1", {});
  put_budget("b", {{}, {}, app_a(), UnhealthyPods::kIfHealthyBudget});
  EXPECT_EQ(numbers(), "1 0 0 0");
}

TEST_F(Disruption, PodsWithoutControllersAreNotExpected) {
  put("p1", {});
  put("p2", {});
  put_budget("b", max_unavailable({1, false}));
  EXPECT_EQ(numbers(), "2 0 0 0");
  put_budget("b", min_available({0, true}));
  EXPECT_EQ(numbers(), "2 0 0 0");
  scale("apps", "ReplicaSet", "r", 4);
  put("p3", {.owner = owned_by("apps/v1", "ReplicaSet", "r")});
  EXPECT_EQ(numbers(), "3 0 4 3");
}

TEST_F(Disruption, OnlyLivePodsThatAreReadyAreHealthy) {
  put_budget("b", min_available({1, false}));
  put("p1", {});
  put("p2", {.terminating = true});
  put("p3", {.ready = false});
  EXPECT_EQ(numbers(), "1 1 3 0");
  put("p3", {});
  EXPECT_EQ(numbers(), "2 1 3 1");
  put("p1", {.terminating = true});
  EXPECT_EQ(numbers(), "1 1 3 0");
}

TEST_F(Disruption, ADeploymentCountsOnceForAllItsReplicaSets) {
  const auto deployment = owned_by("apps/v1", "Deployment", "d");
  scale("apps", "Deployment", "d", 5);
  scale("apps", "ReplicaSet", "r1", 3, deployment);
  scale("apps", "ReplicaSet", "r2", 4, deployment);
  put("p1", {.owner = owned_by("apps/v1", "ReplicaSet", "r1")});
  put("p2", {.owner = owned_by("extensions/v1beta1", "ReplicaSet", "r2")});
  put_budget("b", max_unavailable({1, false}));
  EXPECT_EQ(numbers(), "2 4 5 0");
}

TEST_F(Disruption, AReplicaSetWithoutItsDeploymentCountsItself) {
  scale("apps", "ReplicaSet", "r", 3, owned_by("apps/v1", "Deployment", "d"));
  put("p1", {.owner = owned_by("apps/v1", "ReplicaSet", "r")});
  put_budget("b", max_unavailable({1, false}));
  EXPECT_EQ(numbers(), "1 2 3 0");
  scales_.put({"apps", "Deployment", "default", "d", "another uid", 7, {}});
  put("p1", {.owner = owned_by("apps/v1", "ReplicaSet", "r")});
  EXPECT_EQ(numbers(), "1 2 3 0");
}

TEST_F(Disruption, WhatHasNoScaleFailsTheSync) {
  const auto message = [&](const model::Controller& owner) {
    put("p", {.owner = owner});
    return failure();
  };
  put_budget("b", max_unavailable({1, false}));
  EXPECT_EQ(message(owned_by("batch/v1", "Job", "j")),
            "jobs.batch does not implement the scale subresource");
  EXPECT_EQ(message(owned_by("v1", "Node", "n")), "nodes does not implement the scale subresource");
  EXPECT_EQ(message(owned_by("example.com/v1", "OtherSet", "o")),
            "no matches for kind \"OtherSet\" in version \"example.com/v1\"");
  EXPECT_EQ(message(owned_by("a/b/c", "OtherSet", "o")), "unexpected GroupVersion string: a/b/c");
  EXPECT_EQ(message(owned_by("apps/v1", "StatefulSet", "s")), "found no controllers for pod \"p\"");
  scales_.put({"apps", "StatefulSet", "default", "s", "another uid", 3, {}});
  EXPECT_EQ(message(owned_by("apps/v1", "StatefulSet", "s")), "found no controllers for pod \"p\"");
  EXPECT_EQ(status().observed_generation, 1) << "of the time when there were no pods";
}

TEST_F(Disruption, TheMessageNamesTheFirstPod) {
  for (const char* name : {"p2", "p1", "p3"})
    put(name, {.owner = owned_by("apps/v1", "StatefulSet", "s")});
  put("p0", {.labels = {{"app", "b"}}, .owner = owned_by("apps/v1", "StatefulSet", "s")});
  put_budget("b", max_unavailable({1, false}));
  EXPECT_EQ(failure(), "found no controllers for pod \"p1\"");
}

TEST_F(Disruption, AFailedSyncKeepsTheOtherNumbers) {
  scale("apps", "StatefulSet", "s", 3);
  put("p1", {.owner = owned_by("apps/v1", "StatefulSet", "s")}, 1s);
  put_budget("b", max_unavailable({3, false}), 2s);
  EXPECT_EQ(numbers(), "1 0 3 1");
  scales_.remove("apps", "StatefulSet", "default", "s");
  put_budget("b", max_unavailable({2, false}), 3s);
  EXPECT_EQ(numbers(), "1 0 3 0");
  EXPECT_EQ(status().observed_generation, 1);
  EXPECT_EQ(status().condition,
            (DisruptionAllowed{false, kSyncFailed, "found no controllers for pod \"p1\"", 1, 3s}));
  scale("apps", "StatefulSet", "s", 3);
  put_budget("b", max_unavailable({2, false}), 4s);
  EXPECT_EQ(numbers(), "1 1 3 0");
  EXPECT_EQ(status().condition, (DisruptionAllowed{false, "InsufficientPods", "", 3, 3s}));
}

TEST_F(Disruption, AScaleCountsWithTheNextEvent) {
  scale("apps", "StatefulSet", "s", 3);
  const TestPod pod{.owner = owned_by("apps/v1", "StatefulSet", "s")};
  put("p1", pod);
  put_budget("b", max_unavailable({3, false}));
  scale("apps", "StatefulSet", "s", 4);
  EXPECT_EQ(controller_.next(), std::nullopt);
  settle(1s);
  EXPECT_EQ(numbers(), "1 0 3 1");
  put("p1", pod, 2s);
  EXPECT_EQ(numbers(), "1 1 4 0");
}

TEST_F(Disruption, OfSeveralBudgetsOneIsLookedAt) {
  put_budget("b2", min_available({0, false}));
  put_budget("b1", min_available({0, false}));
  put("p1", {});
  EXPECT_EQ(numbers("b1"), "1 0 1 1");
  EXPECT_EQ(numbers("b2"), "0 0 0 0");
  put_budget("b2", min_available({0, false}));
  EXPECT_EQ(numbers("b2"), "1 0 1 1");
}

TEST_F(Disruption, ABudgetDoesNotHearOfAPodThatItNoLongerSelects) {
  put_budget("b", min_available({1, false}));
  put("p1", {});
  put("p2", {});
  put("p1", {.labels = {{"app", "b"}}});
  EXPECT_EQ(numbers(), "2 1 2 1");
  put("p2", {});
  EXPECT_EQ(numbers(), "1 1 1 0");
}

TEST_F(Disruption, SelectorsSelectInTheirNamespace) {
  put("p1", {.labels = {}});
  put("p2", {.labels = {{"app", "b"}, {"tier", "x"}}});
  put("p3", {}, {}, "other");
  BudgetSpec spec = min_available({0, false});
  spec.selector = model::LabelSelector{};
  put_budget("b", spec);
  EXPECT_EQ(status().expected_pods, 2) << "an empty one selects all";
  spec.selector = std::nullopt;
  put_budget("b", spec);
  EXPECT_EQ(status().expected_pods, 0);
  spec.selector = model::LabelSelector{{}, {{"tier", "Exists", {}}}};
  put_budget("b", spec);
  EXPECT_EQ(status().expected_pods, 1);
  put("p1", {.labels = {{"tier", "y"}}});
  EXPECT_EQ(status().expected_pods, 2);
}

TEST_F(Disruption, AGrantedEvictionCountsForTwoMinutes) {
  put("p1", {});
  put("p2", {});
  put_budget("b", min_available({1, false}));
  status().disrupted_pods.emplace("p1", 10s);
  controller_.budget_changed(budgets_["b"], 10s);
  EXPECT_EQ(controller_.next(), 10s);
  settle(10s);
  EXPECT_EQ(numbers(), "1 1 2 0");
  EXPECT_EQ(controller_.next(), Time(130'005ms));
  put("p2", {}, 130s);
  EXPECT_EQ(numbers(), "2 1 2 1") << "the entry is there, but no longer counts";
  EXPECT_EQ(status().disrupted_pods.size(), 1u);
  settle(130'005ms);
  EXPECT_EQ(status().disrupted_pods.size(), 0u);
  EXPECT_EQ(controller_.next(), std::nullopt);
}

TEST_F(Disruption, AGrantedEvictionIsOverWhenThePodTerminates) {
  for (const char* name : {"p1", "p2", "p3"}) put(name, {});
  put_budget("b", min_available({1, false}));
  status().disrupted_pods = {{"p1", 10s}, {"p2", 10s}, {"p9", 10s}};
  controller_.budget_changed(budgets_["b"], 10s);
  put("p1", {.terminating = true}, 10s);
  EXPECT_EQ(status().disrupted_pods, (std::map<std::string, Time, std::less<>>{{"p2", 10s}}));
  EXPECT_EQ(numbers(), "1 1 3 0") << "nothing is counted twice";
  remove("p2", 11s);
  EXPECT_EQ(status().disrupted_pods.size(), 0u);
  EXPECT_EQ(numbers(), "1 1 2 0");
}

TEST_F(Disruption, AnUnchangedStatusIsNotWritten) {
  put_budget("b", min_available({1, false}));
  put("p1", {});
  const int before = writes_;
  put("p1", {});
  EXPECT_EQ(writes_, before);
}

TEST_F(Disruption, AConditionIsStaleAfterTwoMinutes) {
  put("p1", {.disrupted_since = 10s}, 15s);
  EXPECT_EQ(controller_.next(), 130s);
  settle(Time(130s) - 1ns);
  EXPECT_TRUE(cleared_.empty());
  settle(130s);
  EXPECT_EQ(cleared_, std::vector<std::string>{"p1"});
  EXPECT_EQ(controller_.next(), std::nullopt);
  put("p2", {.disrupted_since = 10s}, 200s);
  EXPECT_EQ(cleared_, (std::vector<std::string>{"p1", "p2"})) << "at once";
}

TEST_F(Disruption, AConditionThatIsNoLongerThereIsNotStale) {
  put("p1", {.disrupted_since = 10s}, 15s);
  put("p2", {.disrupted_since = 10s}, 15s);
  put("p1", {.terminating = true}, 20s);
  remove("p2", 20s);
  EXPECT_EQ(controller_.next(), std::nullopt);
}

TEST_F(Disruption, ABudgetThatIsGoneIsForgotten) {
  put("p1", {});
  put_budget("b", min_available({1, false}));
  status().disrupted_pods.emplace("p1", 10s);
  controller_.budget_changed(budgets_["b"], 10s);
  settle(10s);
  controller_.budget_gone("default", "b");
  EXPECT_EQ(controller_.next(), std::nullopt);
  const int before = writes_;
  put("p1", {}, 20s);
  EXPECT_EQ(writes_, before);
  EXPECT_TRUE(controller_.budgets_of(strings_.intern("default"), strings_.intern("p1")).empty());
}

TEST_F(Disruption, NamesTheBudgetsOfAPodInOrder) {
  put("p1", {});
  put_budget("b2", min_available({1, false}));
  put_budget("b1", min_available({1, false}));
  const auto budgets = controller_.budgets_of(strings_.intern("default"), strings_.intern("p1"));
  ASSERT_EQ(budgets.size(), 2u);
  EXPECT_EQ(budgets[0]->name, "b1");
  EXPECT_EQ(budgets[1]->name, "b2");
}

// Strings of pods and selectors stay while the controller needs them.
TEST_F(Disruption, TheStoresMayBeCollected) {
  const auto intern = [&](const char* text) { return strings_.intern_counted(text); };
  const model::Labels labels = model::intern_labels(strings_, {{"app", "a"}});
  PodView view;
  view.namespace_name = intern("default");
  view.name = intern("p1");
  view.labels = &labels;
  view.ready = true;
  controller_.pod_changed(view, 0s);
  put_budget("b", min_available({1, false}));
  selectors_.collect();
  strings_.collect();
  EXPECT_EQ(strings_.text(view.name), "p1");
  put("p2", {});
  EXPECT_EQ(numbers(), "2 1 2 1");
  remove("p1");
  remove("p2");
  controller_.budget_gone("default", "b");
  selectors_.collect();
  strings_.collect();
  EXPECT_EQ(strings_.find("app"), 0u);
}

}  // namespace
}  // namespace berth::controllers
