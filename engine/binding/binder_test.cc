#include "engine/binding/binder.h"

#include <map>

#include "engine/binding/pre_bind_waits.h"
#include "engine/binding/testing.h"

namespace berth::binding {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Outcome = Completion::Outcome;

// Keeps bindings as "POD NODE", and answers as the test says.
struct ListSink : BindingSink {
  BindAnswer bind(const Binding& one) override {
    bound.push_back(std::string(one.name) + " " + std::string(one.node));
    const auto at = answers.find(std::string(one.name));
    return at == answers.end() ? BindAnswer{} : at->second;
  }

  std::vector<std::string> bound;
  std::map<std::string, BindAnswer> answers;
};

struct BinderTest : BindingFixture {
  BinderTest() {
    a.bind = [this](const FakeCall& call, size_t i) { return write(call, i); };
  }

  // Binds the pod at a position to its node, as a Bind plugin does.
  uint8_t write(const FakeCall& call, size_t i) {
    const uint64_t handle = call.at<uint64_t>(0, i);
    const uint32_t node = call.at<uint32_t>(2, i);
    return binder.write({&handle, 1}, {&node, 1}) ? BERTH_SUCCESS : BERTH_ERROR;
  }
  void add(framework::Profile& of, model::PodId id) { binder.add(of, id, world.calls()); }
  std::span<Completion> flush() { return binder.flush(world.calls()); }

  // Adds pods p0, p1, ... of one profile with both plugins, on node n0.
  std::span<Completion> bind_pods(size_t count) {
    profile = world.profile({&a, &b});
    for (size_t i = 0; i < count; ++i) add(*profile, pod("p" + std::to_string(i)));
    return flush();
  }

  std::unique_ptr<framework::Profile> profile;
  ListSink sink;
  Binder binder{world.cluster(), &sink};
};

TEST_F(BinderTest, PodsOfSeveralProfilesAreBoundInTheOrderOfTheDecisions) {
  b.bind = a.bind;
  const auto first = world.profile({&a});
  const auto second = world.profile({&b});
  const std::vector<model::PodId> pods = {pod("x", 0), pod("y", 1), pod("z", 1)};
  add(*first, pods[0]);
  add(*second, pods[1]);
  add(*first, pods[2]);
  const std::span<Completion> completions = flush();
  EXPECT_THAT(sink.bound, ElementsAre("x n0", "y n1", "z n1"));
  ASSERT_EQ(completions.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(completions[i].pod, pods[i]);
    EXPECT_EQ(completions[i].profile, i == 1 ? second.get() : first.get());
    EXPECT_EQ(completions[i].outcome, Outcome::kBound);
  }
  EXPECT_EQ(binder.size(), 0u);
}

TEST_F(BinderTest, WithoutPodsThereIsNothing) { EXPECT_THAT(flush(), IsEmpty()); }

TEST_F(BinderTest, APodWhosePreBindFailsIsNotBoundAndTheOthersAre) {
  a.pre_bind = [this](const FakeCall& call, size_t i) -> uint8_t {
    if (name(call, i) == "p1") throw FakeFailure{"no disk"};
    return BERTH_SUCCESS;
  };
  a.post_bind = [this](const FakeCall& call, size_t i) { note("bound", call, i); };
  const std::span<Completion> completions = bind_pods(3);
  EXPECT_THAT(sink.bound, ElementsAre("p0 n0", "p2 n0"));
  EXPECT_THAT(told(), ElementsAre("bound p0", "bound p2"));
  ASSERT_EQ(completions.size(), 3u);
  EXPECT_EQ(completions[0].outcome, Outcome::kBound);
  EXPECT_EQ(completions[1].outcome, Outcome::kFailed);
  EXPECT_EQ(completions[1].message, "running PreBind plugin \"A\": no disk");
  EXPECT_EQ(completions[2].outcome, Outcome::kBound);
}

TEST_F(BinderTest, EachPodThatFailsHasItsOwnText) {
  a.pre_bind = [this](const FakeCall& call, size_t i) -> uint8_t {
    throw FakeFailure{"no disk for " + name(call, i)};
  };
  const std::span<Completion> completions = bind_pods(2);
  ASSERT_EQ(completions.size(), 2u);
  EXPECT_EQ(completions[0].message, "running PreBind plugin \"A\": no disk for p0");
  EXPECT_EQ(completions[1].message, "running PreBind plugin \"A\": no disk for p1");
}

TEST_F(BinderTest, PreBindMayRefuse) {
  a.pre_bind = [](const FakeCall&, size_t) -> uint8_t {
    throw FakeFailure{"the volume is busy", BERTH_UNSCHEDULABLE};
  };
  const std::span<Completion> completions = bind_pods(1);
  ASSERT_EQ(completions.size(), 1u);
  EXPECT_EQ(completions[0].outcome, Outcome::kRefused);
  EXPECT_EQ(completions[0].message, "the volume is busy");
  EXPECT_THAT(sink.bound, IsEmpty());
}

// Notes how PreBindPreFlight ended for each pod.
struct FlightWatch : framework::PointWatch {
  Time now() override { return {}; }
  void asked(framework::TimedPoint point, const framework::Profile&, uint8_t code, Time) override {
    if (point == framework::TimedPoint::kPreBindPreFlight) codes.push_back(code);
  }
  std::vector<uint8_t> codes;
};

TEST_F(BinderTest, PreFlightIsAPointOfItsOwnWhereNodesAreAnnounced) {
  a.pre_bind = b.pre_bind = [](const FakeCall&, size_t) -> uint8_t { return BERTH_SUCCESS; };
  a.pre_flight = [this](const FakeCall& call, size_t i) -> uint8_t {
    const char number = name(call, i).back();
    if (number == '2') throw FakeFailure{"no disk"};
    return number == '0' ? BERTH_SUCCESS : BERTH_SKIP;
  };
  b.pre_flight = [](const FakeCall&, size_t) -> uint8_t { return BERTH_SKIP; };
  FlightWatch watch;
  binder.time_points(&watch);
  bind_pods(1);
  EXPECT_THAT(watch.codes, IsEmpty());
  binder.set_rules({.announces = true});
  for (const char* of : {"q0", "q1", "q2"}) add(*profile, pod(of));
  flush();
  EXPECT_THAT(watch.codes, ElementsAre(BERTH_SUCCESS, BERTH_SKIP, BERTH_ERROR));
  binder.time_points(nullptr);
}

TEST_F(BinderTest, PreFlightSkipsPreBindForPodsThatDoNotNeedIt) {
  a.pre_flight = [this](const FakeCall& call, size_t i) -> uint8_t {
    return name(call, i) == "p0" ? BERTH_SKIP : BERTH_SUCCESS;
  };
  a.pre_bind = [this](const FakeCall& call, size_t i) -> uint8_t {
    note("prepares", call, i);
    return BERTH_SUCCESS;
  };
  EXPECT_EQ(bind_pods(2).size(), 2u);
  EXPECT_THAT(told(), ElementsAre("prepares p1"));
  EXPECT_THAT(sink.bound, ElementsAre("p0 n0", "p1 n0"));
}

TEST_F(BinderTest, WhoHasSomethingToPreBindIsNotedOnce) {
  a.pre_flight = [this](const FakeCall& call, size_t i) -> uint8_t {
    const char number = name(call, i).back();
    if (number == '2') throw FakeFailure{"no disk"};
    return number == '0' ? BERTH_SKIP : BERTH_SUCCESS;
  };
  a.pre_bind = [](const FakeCall&, size_t) -> uint8_t { return BERTH_SUCCESS; };
  std::span<Completion> completions = bind_pods(2);
  EXPECT_FALSE(completions[1].announced) << "not under this rule";
  binder.set_rules({.announces = true});
  const model::PodId pods[] = {pod("q0"), pod("q1"), pod("q2"), pod("q3")};
  for (const model::PodId id : {pods[0], pods[1], pods[2]}) add(*profile, id);
  binder.add(*profile, pods[3], world.calls(), nullptr, 0, true);
  completions = flush();
  ASSERT_EQ(completions.size(), 4u);
  EXPECT_FALSE(completions[0].announced) << "nothing to do";
  EXPECT_TRUE(completions[1].announced);
  EXPECT_FALSE(completions[2].announced) << "the cycle does not begin";
  EXPECT_EQ(completions[2].message, "running PreBindPreFlight \"A\": no disk");
  EXPECT_FALSE(completions[3].announced) << "was announced before";
}

TEST_F(BinderTest, TheFirstBindPluginThatDoesNotSkipDecides) {
  a.bind = [this](const FakeCall& call, size_t i) -> uint8_t {
    return name(call, i) == "p1" ? uint8_t{BERTH_SKIP} : write(call, i);
  };
  b.bind = [this](const FakeCall& call, size_t i) {
    note("B binds", call, i);
    return write(call, i);
  };
  for (const Completion& completion : bind_pods(3))
    EXPECT_EQ(completion.outcome, Outcome::kBound) << completion.message;
  EXPECT_THAT(told(), ElementsAre("B binds p1"));
  EXPECT_THAT(sink.bound, ElementsAre("p0 n0", "p1 n0", "p2 n0"));
}

TEST_F(BinderTest, APodThatAllBindPluginsSkipFails) {
  a.bind = b.bind = [](const FakeCall&, size_t) -> uint8_t { return BERTH_SKIP; };
  const std::span<Completion> completions = bind_pods(1);
  ASSERT_EQ(completions.size(), 1u);
  EXPECT_EQ(completions[0].outcome, Outcome::kFailed);
  EXPECT_THAT(completions[0].message, HasSubstr("all of them skipped it"));
}

TEST_F(BinderTest, TheAnswersOfTheSinkDecide) {
  a.post_bind = [this](const FakeCall& call, size_t i) { note("bound", call, i); };
  sink.answers["p0"] = {BindAnswer::Kind::kFailed, "conflict"};
  sink.answers["p1"] = {BindAnswer::Kind::kLost, "timeout"};
  sink.answers["p2"] = {BindAnswer::Kind::kLostSeen, "timeout"};
  const std::span<Completion> completions = bind_pods(4);
  ASSERT_EQ(completions.size(), 4u);
  EXPECT_EQ(completions[0].outcome, Outcome::kFailed);
  EXPECT_EQ(completions[0].message, "running Bind plugin \"A\": conflict");
  EXPECT_EQ(completions[1].outcome, Outcome::kLost);
  EXPECT_EQ(completions[2].outcome, Outcome::kLostSeen);
  EXPECT_EQ(completions[3].outcome, Outcome::kBound);
  EXPECT_THAT(told(), ElementsAre("bound p3"));
}

// Two plugins that wait for a while, and a third that stands alone.
struct OverlapTest : BinderTest {
  OverlapTest() {
    a.pre_bind_or_wait = waits("A", 3);
    b.pre_bind_or_wait = waits("B", 2);
    c.pre_bind = [this](const FakeCall& call, size_t i) -> uint8_t {
      note("C", call, i);
      return BERTH_SUCCESS;
    };
    a.pre_bind_parallel = b.pre_bind_parallel = true;
  }
  // Waits for so many seconds, and then answers.
  std::function<uint8_t(const FakeCall&, size_t, int64_t, int64_t&)> waits(const char* plugin,
                                                                           int64_t seconds) {
    return [this, plugin, seconds](const FakeCall& call, size_t i, int64_t waited,
                                   int64_t& again) -> uint8_t {
      note(plugin, call, i);
      again = seconds * kSecond;
      if (waited < seconds * kSecond) return BERTH_WAIT;
      if (fails == plugin) throw FakeFailure{"no disk"};
      return BERTH_SUCCESS;
    };
  }
  // Runs the binding cycle of a pod to its end: when its calls were made, "SECONDS LINES", and
  // what came of it.
  std::vector<std::string> run(bool overlaps) {
    profile.reset();  // before its plugins
    profile = world.profile(order);
    binder.set_rules({.announces = true, .overlaps = overlaps});
    PreBindWaits waiting;
    add(*profile, pod("p" + std::to_string(runs++)));
    std::vector<std::string> all;
    for (Time now{};; now = *waiting.next()) {
      if (auto due = waiting.take_due(now))
        binder.add(*due->profile, due->pod, world.calls(), std::move(due->wait));
      Completion& end = flush()[0];
      std::string line = std::to_string(now / Time(kSecond));
      for (const std::string& one : told()) line += " " + one.substr(0, 1);
      all.push_back(line);
      if (end.outcome != Outcome::kWaits) {
        all.push_back(end.outcome == Outcome::kBound ? "bound" : end.message);
        return all;
      }
      waiting.hold(end.pod, *end.profile, std::move(end.wait), now);
    }
  }

  static constexpr int64_t kSecond = 1'000'000'000;
  FakePlugin c{"C"};
  std::vector<FakePlugin*> order{&a, &b, &c};
  std::string fails;  // the plugin that fails in the end
  int runs = 0;
};

TEST_F(OverlapTest, WaitsOfNeighboursThatMayWorkTogetherOverlap) {
  EXPECT_THAT(run(true), ElementsAre("0 A B", "2 B", "3 A C", "bound"));
}

TEST_F(OverlapTest, WhoIsDoneIsNotCalledAgain) {
  b.pre_bind_or_wait = waits("B", 0);
  EXPECT_THAT(run(true), ElementsAre("0 A B", "3 A C", "bound"));
}

TEST_F(OverlapTest, AStepBeforeThemIsOver) {
  order = {&c, &a, &b};
  EXPECT_THAT(run(true), ElementsAre("0 C A B", "2 B", "3 A", "bound"));
}

TEST_F(OverlapTest, WaitsOfOthersAddUp) {
  EXPECT_THAT(run(false), ElementsAre("0 A", "3 A B", "5 B C", "bound"));
  b.pre_bind_parallel = false;
  EXPECT_THAT(run(true), ElementsAre("0 A", "3 A B", "5 B C", "bound"));
}

TEST_F(OverlapTest, TheFirstFailureEndsTheWaitForTheOthers) {
  fails = "B";
  EXPECT_THAT(run(true), ElementsAre("0 A B", "2 B", "running PreBind plugin \"B\": no disk"));
}

TEST_F(BinderTest, AHandleThatIsNotInTheBatchIsNotWritten) {
  bool written = true;
  a.bind = [&](const FakeCall& call, size_t i) -> uint8_t {
    const uint64_t other = call.at<uint64_t>(0, i) + 1;
    const uint32_t node = call.at<uint32_t>(2, i);
    written = binder.write({&other, 1}, {&node, 1});
    throw FakeFailure{"the handle is wrong"};
  };
  const std::span<Completion> completions = bind_pods(1);
  EXPECT_FALSE(written);
  EXPECT_THAT(sink.bound, IsEmpty());
  ASSERT_EQ(completions.size(), 1u);
  EXPECT_EQ(completions[0].message, "running Bind plugin \"A\": the handle is wrong");
}

}  // namespace
}  // namespace berth::binding
