#include "engine/metrics/scheduler_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <thread>

#include "engine/config/config.h"
#include "engine/host/loading/discovery.h"
#include "engine/runtime/testing/model_access.h"

namespace berth::metrics {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Lines = std::vector<std::string>;

constexpr const char* kConfiguration = R"({
  "apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
  "profiles": [{"schedulerName": "default-scheduler", "plugins": {
    "multiPoint": {"disabled": [{"name": "*"}]},
    "queueSort": {"enabled": [{"name": "PrioritySort"}]},
    "preEnqueue": {"enabled": [{"name": "SchedulingGates"}]},
    "preFilter": {"enabled": [{"name": "NodeResourcesFit"}]},
    "filter": {"enabled": [{"name": "NodeResourcesFit"}]},
    "bind": {"enabled": [{"name": "DefaultBinder"}]}}}]})";

// Hands on what the core tells before its metrics exist.
struct Relay final : framework::DecisionWatch {
  void begins(const model::PodRecord& pod) override { to->begins(pod); }
  void ordered() override { to->ordered(); }
  void searched() override { to->searched(); }
  void ranked() override { to->ranked(); }
  void decided(const framework::Decider& decider, const framework::Decision& decision) override {
    to->decided(decider, decision);
  }
  framework::DecisionWatch* to = nullptr;
};

class SchedulerMetricsTest : public ::testing::Test {
 protected:
  explicit SchedulerMetricsTest(KubeVersion version = KubeVersion::k1_34,
                                const char* configuration = kConfiguration)
      : plugins_(host::discover(
            std::vector<std::filesystem::path>{BERTH_BUILD_DIR "/lib/berth/plugins"})) {
    runtime::CoreOptions options;
    options.scheduler.decide.watch = &relay_;
    options.binding_thread = false;
    config::Configuration read = config::parse(configuration, "config");
    read.rules = Rules(version);
    core_ = std::make_unique<runtime::Core>(std::move(read), plugins_, options);
    // Each reading is a millisecond later.
    metrics_ = std::make_unique<SchedulerMetrics>(
        *core_, [this] { return machine_ += std::chrono::milliseconds(1); });
    relay_.to = metrics_.get();
    core_->report_to([this](const runtime::Report& report) { metrics_->take(report); });
    put_node("node");
  }

  void put_node(const std::string& name) {
    model::Node node;
    node.name = name;
    node.allocatable = {{"cpu", model::Quantity::from_units(4)},
                        {"pods", model::Quantity::from_units(9)}};
    runtime::ModelAccess::of(*core_).put_node(node);
  }

  static model::Pod pod(const std::string& name, int64_t cpus) {
    model::Pod pod;
    pod.namespace_name = "default";
    pod.name = pod.uid = name;
    pod.spec.containers.resize(1);
    pod.spec.containers[0].requests = {{"cpu", model::Quantity::from_units(cpus)}};
    return pod;
  }
  model::PodId arrive(const model::Pod& pod) {
    const model::PodId id = core_->door().add(pod);
    core_->door().arrive(std::vector{id});
    return id;
  }
  void take(const runtime::Report& report) { metrics_->take(report); }

  // The rests of the lines of the text that begin so.
  Lines lines(const std::string& name) {
    metrics_->refresh();
    Lines found;
    std::istringstream text(metrics_->collect());
    for (std::string line; std::getline(text, line);)
      if (line.starts_with(name)) found.push_back(line.substr(name.size()));
    return found;
  }

  runtime::Plugins plugins_;
  Relay relay_;
  Time machine_{};
  std::unique_ptr<runtime::Core> core_;
  std::unique_ptr<SchedulerMetrics> metrics_;
};

// As in kube-scheduler, a series with labels appears with its first value.
TEST_F(SchedulerMetricsTest, NothingHappened) {
  EXPECT_THAT(lines("scheduler_schedule_attempts_total"), IsEmpty());
  EXPECT_THAT(lines("scheduler_queue_incoming_pods_total"), IsEmpty());
  EXPECT_THAT(lines("scheduler_preemption_attempts_total"), ElementsAre(" 0"));
  EXPECT_THAT(
      lines("scheduler_cache_size"),
      ElementsAre(R"({type="assumed_pods"} 0)", R"({type="nodes"} 1)", R"({type="pods"} 0)"));
}

// The whole text, but for calls of plugins: how often they are asked is the evaluation's matter,
// and their times are of the machine's clock.
TEST_F(SchedulerMetricsTest, TextOfAPodThatFitsAndOneThatDoesNot) {
  arrive(pod("fits", 1));
  arrive(pod("large", 9));
  core_->step(std::chrono::milliseconds(1));
  core_->step(std::chrono::milliseconds(2));
  core_->settle();
  metrics_->refresh();
  metrics_->refresh();  // counts nothing twice
  std::istringstream text(metrics_->collect());
  std::string rest;
  for (std::string line; std::getline(text, line);)
    if (line.find("scheduler_plugin_") == std::string::npos) rest += line + "\n";
  std::ifstream file(BERTH_SOURCE_DIR "/engine/metrics/testing/two_pods.prom");
  ASSERT_TRUE(file);
  EXPECT_EQ(rest, (std::string(std::istreambuf_iterator<char>(file), {})));
}

TEST_F(SchedulerMetricsTest, CallsOfPluginsAreThoseOfAllThreads) {
  arrive(pod("fits", 1));
  core_->step();
  const framework::Profile& profile = *core_->assembly().profiles[0];
  const auto calls = [&](host::HookId hook) {
    uint64_t sum = core_->calls().counts(hook).calls;
    for (const host::CallContext* other : core_->scheduler().decisions().other_calls())
      sum += other->counts(hook).calls;
    EXPECT_NE(sum, 0u);
    return std::to_string(sum);
  };
  EXPECT_THAT(
      lines("scheduler_plugin_evaluation_total"),
      ElementsAre(
          R"({extension_point="Filter",plugin="NodeResourcesFit",profile="default-scheduler"} )" +
              calls(profile.filter[0].point->id()),
          R"({extension_point="PreFilter",plugin="NodeResourcesFit",profile="default-scheduler"} )" +
              calls(profile.pre_filter[0].point->id())));
}

TEST_F(SchedulerMetricsTest, AttemptsEndInManyWays) {
  const model::PodId pod = arrive(SchedulerMetricsTest::pod("p", 1));
  framework::Decision decision;
  const auto begin = [&](framework::Outcome outcome) {
    decision.outcome = outcome;
    relay_.begins(core_->cluster().pod(pod));
    relay_.decided(core_->scheduler().decisions().decider(), decision);
  };
  begin(framework::Outcome::kUnschedulable);
  take(runtime::Refused{pod, &decision});
  begin(framework::Outcome::kError);
  take(runtime::Failed{pod, &decision});
  // Reserve or Permit refuses the node.
  begin(framework::Outcome::kScheduled);
  take(runtime::Refused{pod, &decision});
  // The binding is refused, fails, and takes place.
  for (const bool refused : {true, false}) {
    begin(framework::Outcome::kScheduled);
    take(runtime::Scheduled{pod, "node", &decision});
    take(runtime::BindingFailed{pod, "text", refused, {}});
  }
  begin(framework::Outcome::kScheduled);
  take(runtime::Scheduled{pod, "node", &decision});
  take(runtime::Bound{pod, "node", {}, 20, Time{}});
  EXPECT_THAT(lines("scheduler_schedule_attempts_total"),
              ElementsAre(R"({profile="default-scheduler",result="error"} 2)",
                          R"({profile="default-scheduler",result="scheduled"} 1)",
                          R"({profile="default-scheduler",result="unschedulable"} 3)"));
  // Each attempt reads the clock when it begins, when the algorithm ends, and when it ends.
  EXPECT_THAT(lines("scheduler_scheduling_algorithm_duration_seconds_count"), ElementsAre(" 6"));
  EXPECT_THAT(lines("scheduler_scheduling_algorithm_duration_seconds_sum"), ElementsAre(" 0.006"));
  EXPECT_THAT(lines("scheduler_scheduling_attempt_duration_seconds_sum"),
              ElementsAre(R"({profile="default-scheduler",result="error"} 0.004)",
                          R"({profile="default-scheduler",result="scheduled"} 0.002)",
                          R"({profile="default-scheduler",result="unschedulable"} 0.006)"));
  EXPECT_THAT(lines("scheduler_pod_scheduling_attempts_sum"), ElementsAre(" 20"));
  EXPECT_THAT(lines("scheduler_pod_scheduling_sli_duration_seconds_count"),
              ElementsAre(R"({attempts="15+"} 1)"));
}

TEST_F(SchedulerMetricsTest, VictimsAreThoseOfANomination) {
  const model::PodId pod = arrive(SchedulerMetricsTest::pod("p", 1));
  framework::Decision decision;
  decision.outcome = framework::Outcome::kUnschedulable;
  decision.post_filter.emplace();
  take(runtime::Refused{pod, &decision});
  decision.nominating = framework::Nominating::kSet;
  decision.post_filter->victims = {pod, pod, pod};
  take(runtime::Refused{pod, &decision});
  EXPECT_THAT(lines("scheduler_preemption_attempts_total"), ElementsAre(" 2"));
  EXPECT_THAT(lines("scheduler_preemption_victims_count"), ElementsAre(" 1"));
  EXPECT_THAT(lines("scheduler_preemption_victims_sum"), ElementsAre(" 3"));
}

TEST_F(SchedulerMetricsTest, BindingCyclesEndHoweverThePodGoes) {
  const model::PodId pod = arrive(SchedulerMetricsTest::pod("p", 1));
  framework::Decision decision;
  for (const runtime::Report& end : {runtime::Report(runtime::Deleted{pod}),
                                     runtime::Report(runtime::BoundByAnother{pod, "node"}),
                                     runtime::Report(runtime::BindingFailed{pod, "", false, {}}),
                                     runtime::Report(runtime::Bound{pod, "node"})}) {
    take(runtime::Scheduled{pod, "node", &decision});
    EXPECT_THAT(lines("scheduler_goroutines"), ElementsAre(R"({operation="binding"} 1)"));
    EXPECT_THAT(lines("scheduler_cache_size{type=\"assumed"), ElementsAre("_pods\"} 1"));
    take(end);
    EXPECT_THAT(lines("scheduler_goroutines"), ElementsAre(R"({operation="binding"} 0)"));
  }
}

TEST_F(SchedulerMetricsTest, RefusedPodsCountUntilTheyLeave) {
  EXPECT_THAT(lines("scheduler_unschedulable_pods"), IsEmpty());
  model::Pod gated = pod("gated", 1);
  gated.spec.scheduling_gates = {"wait"};
  const model::PodId behind = arrive(gated);
  const model::PodId large = arrive(pod("large", 9));
  arrive(pod("larger", 10));
  while (core_->has_active()) core_->step();
  EXPECT_THAT(lines("scheduler_unschedulable_pods"),
              ElementsAre(R"({plugin="NodeResourcesFit",profile="default-scheduler"} 2)",
                          R"({plugin="SchedulingGates",profile="default-scheduler"} 1)"));
  EXPECT_THAT(lines("scheduler_pending_pods"),
              ElementsAre(R"({queue="active"} 0)", R"({queue="backoff"} 0)", R"({queue="gated"} 1)",
                          R"({queue="unschedulable"} 2)"));
  core_->door().remove(large);
  core_->door().remove(behind);
  EXPECT_THAT(lines("scheduler_unschedulable_pods"),
              ElementsAre(R"({plugin="NodeResourcesFit",profile="default-scheduler"} 1)",
                          R"({plugin="SchedulingGates",profile="default-scheduler"} 0)"));
}

using framework::TimedPoint;

TEST_F(SchedulerMetricsTest, PointsEventsAndWaits) {
  const framework::Profile& profile = *core_->assembly().profiles[0];
  runtime::Timekeeper& keeper = metrics_->timing();
  keeper.asked(TimedPoint::kUnreserve, profile, BERTH_SUCCESS, std::chrono::microseconds(150));
  keeper.asked(TimedPoint::kPermit, profile, BERTH_WAIT, Time{});
  keeper.permit_waited(true, std::chrono::seconds(1));
  keeper.permit_waited(false, std::chrono::seconds(2));
  keeper.handled({queue::MoveCause::kPodAdd, 0, 0}, 3, std::chrono::milliseconds(1));
  keeper.handled({queue::MoveCause::kEvent, BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE}, 1, Time{});
  const std::string points = "scheduler_framework_extension_point_duration_seconds";
  EXPECT_THAT(
      lines(points + "_count"),
      ElementsAre(
          R"({extension_point="Permit",profile="default-scheduler",status="Wait"} 1)",
          R"({extension_point="Unreserve",profile="default-scheduler",status="Success"} 1)"));
  EXPECT_THAT(lines(points + R"(_bucket{extension_point="Unreserve",profile="default-scheduler",)"
                             R"(status="Success",le="0.000)"),
              ElementsAre(R"(1"} 0)", R"(2"} 1)", R"(4"} 1)", R"(8"} 1)"));
  EXPECT_THAT(lines("scheduler_permit_wait_duration_seconds_sum"),
              ElementsAre(R"({result="Success"} 1)", R"({result="Unschedulable"} 2)"));
  EXPECT_THAT(
      lines("scheduler_event_handling_duration_seconds_count"),
      ElementsAre(R"({event="AssignedPodDelete"} 1)", R"({event="UnschedulablePodAdd"} 3)"));
  EXPECT_THAT(
      lines("scheduler_event_handling_duration_seconds_sum"),
      ElementsAre(R"({event="AssignedPodDelete"} 0)", R"({event="UnschedulablePodAdd"} 0.003)"));
}

// Those of the first, the eleventh and the twenty-first decision. The times are of another clock.
TEST_F(SchedulerMetricsTest, CallsOfPluginsAreTimedInOneDecisionOfTen) {
  for (int i = 0; i < 21; ++i) arrive(pod(std::to_string(i), 9));
  while (core_->has_active()) core_->step();
  const auto counts = [&](const std::string& labels) {
    uint64_t sum = 0;
    for (const std::string& line :
         lines("scheduler_plugin_execution_duration_seconds_count{" + labels))
      sum += std::stoull(line.substr(line.rfind(' ')));
    return sum;
  };
  const framework::Profile& profile = *core_->assembly().profiles[0];
  const uint64_t filters = core_->calls().counts(profile.filter[0].point->id()).calls;
  const uint64_t timed =
      counts(R"(extension_point="Filter",plugin="NodeResourcesFit",status="Success")");
  EXPECT_GE(timed, 1u);
  EXPECT_LE(timed, filters);
  // Other calls between two decisions are those of the decision before.
  EXPECT_EQ(counts(R"(extension_point="PreEnqueue")"), 0u);
  EXPECT_THAT(lines(R"(scheduler_plugin_execution_duration_seconds_count{extension_point="Q)"),
              IsEmpty());
}

TEST_F(SchedulerMetricsTest, AnotherThreadMayCollect) {
  const model::PodId pod = arrive(SchedulerMetricsTest::pod("p", 1));
  framework::Decision decision;
  std::atomic<bool> over = false;
  std::thread scraper([&] {
    while (!over) EXPECT_FALSE(metrics_->collect().empty());
  });
  for (uint32_t i = 1; i <= 1000; ++i) {
    take(runtime::Refused{pod, &decision});
    take(runtime::Bound{pod, "node", {}, i % 20, Time{}});
    metrics_->refresh();
  }
  over = true;
  scraper.join();
  EXPECT_THAT(lines("scheduler_pod_scheduling_attempts_count"), ElementsAre(" 1000"));
}

// With scores, of which batches are made.
constexpr const char* kScoring = R"({
  "apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
  "profiles": [{"schedulerName": "default-scheduler", "plugins": {
    "multiPoint": {"disabled": [{"name": "*"}]},
    "queueSort": {"enabled": [{"name": "PrioritySort"}]},
    "preFilter": {"enabled": [{"name": "NodeResourcesFit"}]},
    "filter": {"enabled": [{"name": "NodeResourcesFit"}]},
    "score": {"enabled": [{"name": "NodeResourcesFit"}]},
    "bind": {"enabled": [{"name": "DefaultBinder"}]}}}]})";

// The metrics that 1.36 has beside those of 1.34.
class LaterMetricsTest : public SchedulerMetricsTest {
 protected:
  LaterMetricsTest() : SchedulerMetricsTest(KubeVersion::k1_36, kScoring) {}

  void schedule(const std::vector<model::Pod>& pods) {
    for (const model::Pod& one : pods) arrive(one);
    while (core_->has_active()) core_->step(now_ += std::chrono::milliseconds(1));
    core_->settle();
  }

  Time now_{};
};

TEST_F(LaterMetricsTest, BatchesByWhatTheyDoForPods) {
  put_node("node-2");
  put_node("node-3");
  put_node("node-4");
  // The second pod of each kind takes the batch's node; the last finds it used up.
  schedule({pod("a", 3), pod("b", 3), pod("c", 4), pod("d", 4), pod("e", 4)});
  EXPECT_THAT(lines("scheduler_batch_attempts_total"),
              ElementsAre(R"({profile="default-scheduler",result="hint_used"} 2)",
                          R"({profile="default-scheduler",result="no_hint"} 3)"));
  EXPECT_THAT(lines("scheduler_batch_cache_flushed_total"),
              ElementsAre(R"({profile="default-scheduler",reason="pod_incompatible"} 1)"));
  EXPECT_THAT(lines("scheduler_get_node_hint_duration_seconds_count"),
              ElementsAre(R"({hinted="hint",profile="default-scheduler"} 2)",
                          R"({hinted="no_hint",profile="default-scheduler"} 3)"));
  EXPECT_THAT(lines("scheduler_store_schedule_results_duration_seconds_count"),
              ElementsAre(R"({profile="default-scheduler"} 4)"));
}

TEST_F(LaterMetricsTest, ABatchEndsForAReason) {
  put_node("node-2");
  // The node of the first pod takes the second one, too; the last pod has one node to choose.
  schedule({pod("a", 1), pod("b", 1), pod("c", 3), pod("d", 2)});
  EXPECT_THAT(lines("scheduler_batch_cache_flushed_total"),
              ElementsAre(R"({profile="default-scheduler",reason="empty_list"} 1)",
                          R"({profile="default-scheduler",reason="node_not_full"} 1)",
                          R"({profile="default-scheduler",reason="pod_incompatible"} 2)"));
}

TEST_F(LaterMetricsTest, PodsAreSignedAndAskedAboutBeforePreBind) {
  schedule({pod("a", 1)});
  const std::string points = "scheduler_framework_extension_point_duration_seconds_count";
  EXPECT_THAT(lines(points + R"({extension_point="PreB)"),
              ElementsAre(R"(indPreFlight",profile="default-scheduler",status="Skip"} 1)"));
  EXPECT_THAT(lines(points + R"({extension_point="Sign")"),
              ElementsAre(R"(,profile="default-scheduler",status="Success"} 1)"));
}

TEST_F(LaterMetricsTest, PodsThatTimeBroughtBack) {
  EXPECT_THAT(lines("scheduler_pod_scheduled_after_flush_total"), ElementsAre(" 0"));
  const model::PodId id = arrive(pod("p", 1));
  take(runtime::Bound{id, "node", {}, 2, Time{}, true});
  take(runtime::Bound{id, "node", {}, 2, Time{}, false});
  EXPECT_THAT(lines("scheduler_pod_scheduled_after_flush_total"), ElementsAre(" 1"));
}

TEST_F(LaterMetricsTest, VictimsThatGoAnywayAreNone) {
  model::Pod going = pod("p", 1);
  going.terminating = true;
  const model::PodId goes = core_->door().add(going), stays = arrive(pod("q", 1));
  framework::Decision decision;
  decision.outcome = framework::Outcome::kUnschedulable;
  decision.nominating = framework::Nominating::kSet;
  decision.post_filter.emplace();
  decision.post_filter->victims = {goes};
  take(runtime::Refused{stays, &decision});
  decision.post_filter->victims = {goes, stays};
  take(runtime::Refused{stays, &decision});
  EXPECT_THAT(lines("scheduler_preemption_victims_count"), ElementsAre(" 1"));
  EXPECT_THAT(lines("scheduler_preemption_victims_sum"), ElementsAre(" 2"));
}

TEST_F(SchedulerMetricsTest, LaterMetricsAreAbsent) {
  arrive(pod("a", 1));
  core_->step();
  core_->settle();
  for (const char* name : {"pod_scheduled_after_flush", "batch", "get_node", "store"})
    EXPECT_THAT(lines(std::string("scheduler_") + name), IsEmpty());
  EXPECT_THAT(lines(R"(scheduler_framework_extension_point_duration_seconds_count{)"
                    R"(extension_point="PreBindPreFlight")"),
              IsEmpty());
}

}  // namespace
}  // namespace berth::metrics
