// What a core tells its timekeeper, with times that are exact: each reading of the clock is a
// millisecond after the one before.

#include "engine/runtime/timekeeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "engine/host/calls/checks/code_name.h"
#include "engine/runtime/events/move_names.h"
#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using framework::TimedPoint;
using std::chrono::seconds;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

class TimeRecorder final : public runtime::Timekeeper {
 public:
  Time now() override { return time_ += std::chrono::milliseconds(1); }
  void asked(TimedPoint point, const framework::Profile& profile, uint8_t code,
             Time took) override {
    constexpr const char* kNames[framework::kTimedPoints] = {
        "PreEnqueue", "PreFilter", "Filter",           "PostFilter", "PreScore",
        "Score",      "Reserve",   "Unreserve",        "Permit",     "PreBind",
        "Bind",       "PostBind",  "PreBindPreFlight", "Sign"};
    EXPECT_EQ(profile.scheduler_name(), "default-scheduler");
    points.push_back(std::string(kNames[static_cast<size_t>(point)]) + " " +
                     std::string(host::code_name(code)) + " " + milliseconds(took));
  }
  void handled(const queue::Move& event, size_t count, Time took) override {
    events.push_back(std::to_string(count) + " " + runtime::move_name(event) + " " +
                     milliseconds(took));
  }
  void permit_waited(bool allowed, Time waited) override {
    waits.push_back((allowed ? "allowed " : "refused ") + milliseconds(waited));
  }
  std::vector<std::string> take_points() { return std::exchange(points, {}); }
  std::vector<std::string> take_events() { return std::exchange(events, {}); }
  std::vector<std::string> take_waits() { return std::exchange(waits, {}); }

  std::vector<std::string> points, events, waits;

 private:
  static std::string milliseconds(Time time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
  }
  Time time_{};
};

// A core with the plugins First and Second, whose answers are rules.
class TimekeeperTest : public CoreTest {
 protected:
  // The core refers to the keeper.
  ~TimekeeperTest() override { core.reset(); }

  // `rules`: JSON objects, separated by commas.
  void start_with(const std::string& rules = "") {
    binding_thread = false;
    const std::string args = R"("args":{"script":[)" + rules + "]}";
    start(R"([{"schedulerName":"default-scheduler",
               "plugins":{"multiPoint":{"enabled":[{"name":"First"},{"name":"Second"}]}},
               "pluginConfig":[{"name":"First",)" +
          args + R"(},{"name":"Second",)" + args + "}]}]");
    apply(model::added(node("n")));
    core->keep_time(&keeper_);
  }
  // Second answers so about p.
  static std::string answers(const std::string& point, const std::string& answer) {
    return R"({"plugin":"Second","point":")" + point +
           R"(","pods":["default/p"],"seconds":60,"answer":")" + answer + R"("})";
  }
  model::Pod large(const std::string& name) {
    model::Pod made = pod(name);
    made.spec.containers[0].requests = {{"cpu", model::Quantity::from_units(9)}};
    return made;
  }

  TimeRecorder keeper_;
};

TEST_F(TimekeeperTest, AllPointsOfAPodThatIsBound) {
  start_with();
  apply(model::added(node("m")));
  schedule({pod("p")});
  EXPECT_THAT(
      keeper_.take_points(),
      ElementsAre("PreEnqueue Success 1", "PreFilter Success 1", "Filter Success 1",
                  "PreScore Success 1", "Score Success 1", "Reserve Success 1", "Permit Success 1",
                  "PreBind Success 1", "Bind Success 1", "PostBind Success 1"));
}

// With one node there is nothing to score. A pod that goes back to the queue is asked about at
// PreEnqueue again.
TEST_F(TimekeeperTest, PointsThatAreNotReachedAreNotTold) {
  start_with(answers("reserve", "unschedulable"));
  schedule({pod("p")});
  EXPECT_THAT(keeper_.take_points(), ElementsAre("PreEnqueue Success 1", "PreFilter Success 1",
                                                 "Filter Success 1", "Reserve Unschedulable 1",
                                                 "Unreserve Success 1", "PreEnqueue Success 1"));
  schedule({large("l")});
  EXPECT_THAT(keeper_.take_points(), ElementsAre("PreEnqueue Success 1", "PreFilter Success 1",
                                                 "Filter Success 1", "PostFilter Unschedulable 1"));
}

TEST_F(TimekeeperTest, ActivationOutOfBackoffAsksPreEnqueueInFormerVersionsAlone) {
  for (const KubeVersion version : {KubeVersion::k1_34, KubeVersion::k1_36}) {
    rules = Rules(version);
    core.reset();  // it refers to the keeper
    start_with(answers("reserve", "error"));
    schedule({pod("p")});
    ASSERT_EQ(place("p"), queue::Place::kErrorBackoff);
    keeper_.take_points();
    core->door().activate(find("p"));
    EXPECT_EQ(place("p"), queue::Place::kActive);
    EXPECT_EQ(keeper_.take_points(), version == KubeVersion::k1_34
                                         ? std::vector<std::string>{"PreEnqueue Success 1"}
                                         : std::vector<std::string>{});
  }
}

TEST_F(TimekeeperTest, PodsThatArriveTogetherHaveTheTimeOfAll) {
  start_with();
  model::Pod gated = pod("gated");
  gated.spec.scheduling_gates = {"wait"};
  arrive({pod("p"), gated});
  EXPECT_THAT(keeper_.take_points(),
              ElementsAre("PreEnqueue Success 1", "PreEnqueue UnschedulableAndUnresolvable 1"));
  // From their arrival, with the two readings of PreEnqueue: 3 ms for both.
  EXPECT_THAT(keeper_.take_events(), ElementsAre("2 UnschedulablePodAdd 1"));
}

TEST_F(TimekeeperTest, AWaitInPermitTakesTheTimeOfTheRun) {
  start_with(answers("permit", "wait"));
  schedule({pod("p")});
  EXPECT_THAT(keeper_.take_points(), Contains("Permit Wait 1"));
  core->advance_to(seconds(20));
  EXPECT_THAT(keeper_.take_waits(), IsEmpty());
  core->door().allow(find("p"), "Second");
  core->settle();
  EXPECT_THAT(keeper_.take_waits(), ElementsAre("allowed 20000"));
  EXPECT_THAT(keeper_.take_points(),
              ElementsAre("PreBind Success 1", "Bind Success 1", "PostBind Success 1"));
}

TEST_F(TimekeeperTest, AWaitEndsAlsoByATimerAndWithThePod) {
  for (const bool removed : {false, true}) {
    start_with(answers("permit", "wait"));
    schedule({pod("p")});
    core->advance_to(core->now() + seconds(10));
    if (removed) apply(model::deleted_pod("default", "p"));
    core->advance_to(core->now() + seconds(51));
    EXPECT_THAT(keeper_.take_waits(), ElementsAre(removed ? "refused 10000" : "refused 60000"));
  }
}

TEST_F(TimekeeperTest, PointsThatFail) {
  start_with(answers("permit", "error"));
  schedule({pod("p")});
  EXPECT_THAT(keeper_.take_points(), Contains("Permit Error 1"));
  start_with(answers("preBind", "error"));
  schedule({pod("p"), pod("q")});
  EXPECT_THAT(keeper_.take_points(), Contains("PreBind Error 1"));
  start_with(answers("preBind", "unschedulable"));
  keeper_.take_points();
  schedule({pod("p"), pod("q")});
  const std::vector<std::string> points = keeper_.take_points();
  ASSERT_GE(points.size(), 6u);
  EXPECT_THAT(std::vector(points.end() - 6, points.end()),
              ElementsAre("PreBind Unschedulable 1", "PreBind Success 1", "Bind Success 1",
                          "PostBind Success 1", "Unreserve Success 1", "PreEnqueue Success 1"));
}

// Readings: four of the batch after that of Bind, one when the answer comes.
TEST_F(TimekeeperTest, BindLastsUntilTheServerAnswers) {
  using Kind = binding::BindAnswer::Kind;
  for (const Kind kind : {Kind::kBound, Kind::kFailed}) {
    start_with();
    bindings.answers["p"] = {Kind::kUnderWay};
    schedule({pod("p")});
    EXPECT_THAT(keeper_.take_points(), Not(Contains(testing::StartsWith("Bind "))));
    const runtime::BindingAnswer answer{bindings.numbers.at("p"), {kind, ""}};
    core->door().answer({&answer, 1});
    EXPECT_THAT(keeper_.take_points(),
                Contains(kind == Kind::kBound ? "Bind Success 3" : "Bind Error 3"));
  }
}

// An event takes from the beginning of its change, or from the event before, until the queue knows.
TEST_F(TimekeeperTest, EventsOfNodesAndPods) {
  start_with();
  apply(model::added(node("m")));
  EXPECT_THAT(keeper_.take_events(), ElementsAre("1 NodeAdd 1"));
  model::Node changed = node("m", 5);
  changed.labels = {{"a", "b"}};
  apply(model::modified(changed));
  EXPECT_THAT(keeper_.take_events(),
              ElementsAre("1 NodeUpdateNodeAllocatable 1", "1 NodeUpdateNodeLabel 1"));
  apply(model::deleted(node("m")));
  EXPECT_THAT(keeper_.take_events(), ElementsAre("1 NodeDelete 1"));
  schedule({pod("p")});
  EXPECT_THAT(keeper_.take_events(), ElementsAre("1 UnschedulablePodAdd 3", "1 AssignedPodAdd 1"));
  model::Pod labelled = pod("p");
  labelled.spec.labels = {{"a", "b"}};
  labelled.spec.node_name = "n";
  apply(model::modified(of_template(labelled)));
  EXPECT_THAT(keeper_.take_events(), ElementsAre("1 AssignedPodUpdatePodLabel 1"));
  apply(model::deleted_pod("default", "p"));
  EXPECT_THAT(keeper_.take_events(), ElementsAre("1 AssignedPodDelete 1"));
  schedule({large("l")});
  keeper_.take_events();
  apply(model::deleted_pod("default", "l"));
  EXPECT_THAT(keeper_.take_events(), ElementsAre("1 UnschedulablePodDelete 1"));
}

TEST_F(TimekeeperTest, NobodyIsToldAfterwards) {
  start_with(answers("permit", "wait"));
  schedule({pod("p")});
  core->keep_time(nullptr);
  keeper_ = {};
  core->door().allow(find("p"), "Second");
  schedule({pod("q"), large("l")});
  EXPECT_THAT(keeper_.points, IsEmpty());
  EXPECT_THAT(keeper_.events, IsEmpty());
  EXPECT_THAT(keeper_.waits, IsEmpty());
}

// The binding thread reads the clock; what came of it is told by the core's.
TEST_F(TimekeeperTest, TheBindingThreadTells) {
  struct Steady final : runtime::Timekeeper {
    Time now() override { return Time(++readings); }
    void asked(TimedPoint point, const framework::Profile&, uint8_t, Time) override {
      EXPECT_EQ(std::this_thread::get_id(), core_thread);
      bound += point == TimedPoint::kBind;
    }
    void handled(const queue::Move&, size_t, Time) override {}
    void permit_waited(bool, Time) override {}
    const std::thread::id core_thread = std::this_thread::get_id();
    std::atomic<int64_t> readings = 0;
    int bound = 0;
  } keeper;
  start(R"([{"schedulerName":"default-scheduler",
             "plugins":{"multiPoint":{"enabled":[{"name":"First"}]}}}])");
  cluster().put_node(node("n", 500));
  core->keep_time(&keeper);
  std::vector<model::Pod> pods;
  for (int i = 0; i < 300; ++i) pods.push_back(pod("p" + std::to_string(i)));
  schedule(pods);
  EXPECT_EQ(keeper.bound, 300);
  core->keep_time(nullptr);
}

}  // namespace
}  // namespace berth::tests
