// Services of time, random numbers, threads and metrics, as the faulty plugin asks them.
// isolated_host runs the same tests with the plugin in a process of its own.

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "engine/host/calls/checked_calls.h"
#include "engine/host/run/clock_service.h"
#include "tests/host/faulty_instance.h"

namespace berth::host {
namespace {

constexpr size_t kFewPositions = 4;

struct Asked {
  explicit Asked(const std::string& fault) : instance(fault) { call.count = kFewPositions; }

  // The text of the call's error, or "fine".
  std::string filter() {
    return text(instance->hook<Filter>()->call(instance.calls(), call, codes));
  }
  std::string score() { return text(instance->hook<Score>()->call(instance.calls(), call, raw)); }
  std::string sort() {
    return text(instance->hook<QueueSort>()->call(instance.calls(), call, keys));
  }
  std::string gate() {
    return text(instance->hook<PreEnqueue>()->call(instance.calls(), call, codes, reasons));
  }
  std::string bind() { return text(instance->hook<Bind>()->call(instance.calls(), call, codes)); }
  std::string reserve() {
    return text(instance->hook<Reserve>()->call(instance.calls(), call, codes, reasons));
  }
  std::string hint() {
    return text(instance->hook<Hints>()->call(instance.calls(), call, berth_event{}, helps));
  }
  std::string prepare() {
    return text(instance->hook<Filter>()->prepare(instance.calls(), {}, prepared));
  }
  static std::string text(const CallError& error) { return error ? error.text() : "fine"; }

  FaultyInstance instance;
  berth_call call{};
  std::array<uint8_t, kFewPositions> codes{};
  std::array<uint8_t, kFewPositions * sizeof(QueueKey)> keys{};
  std::array<uint32_t, kFewPositions> reasons{};
  std::array<int64_t, kFewPositions> raw{};
  uint8_t helps = 0;
  Prepared prepared;
};

constexpr char kKept[] = ", whose answers are kept; only a hook that is BERTH_DEPENDS_EXTERNAL may";

TEST(RunServices, TimeAndDrawsAreRefusedWhereAnswersAreKept) {
  EXPECT_EQ(Asked("filter asks the time").filter(),
            std::string("plugin \"Faulty\" called clock.now in Filter") + kKept);
  EXPECT_EQ(Asked("score draws").score(),
            std::string("plugin \"Faulty\" called random.bits in Score") + kKept);
  EXPECT_EQ(Asked("external prepare asks the time").prepare(),
            "plugin \"Faulty\" called clock.now in prepare of Filter, whose states are kept; "
            "prepare may not");
  EXPECT_EQ(Asked("external queue_sort draws").sort(),
            "plugin \"Faulty\" called random.bits in QueueSort, whose keys are kept; QueueSort may "
            "not");
}

TEST(RunServices, TimeAndDrawsAreThereWhereNoAnswerIsKept) {
  EXPECT_EQ(Asked("external filter asks the time").filter(), "fine");
  EXPECT_EQ(Asked("external score draws").score(), "fine");
  EXPECT_EQ(Asked("pre_enqueue asks the time").gate(), "fine");
  EXPECT_EQ(Asked("hint draws").hint(), "fine");
  EXPECT_EQ(Asked("reserve asks the time").reserve(), "fine");
  EXPECT_EQ(Asked("bind draws").bind(), "fine");
}

// Each is logged once for a plugin, however many threads and instances there are.
TEST(RunServices, ThreadsOfThePluginAreRefused) {
  Asked asked("filter asks on a thread of its own");
  EXPECT_EQ(asked.filter(), "fine");
  std::vector<std::string> lines = asked.instance.fake.log.lines;
  std::ranges::sort(lines);
  const std::string where = " on a thread that runs none of its functions; ";
  EXPECT_EQ(
      lines,
      (std::vector<std::string>{
          "1 Faulty: asked for the service \"berth.log/0\"" + where +
              "services are looked up in init",
          "1 Faulty: called clock.now" + where + "only functions of hooks may",
          "1 Faulty: called metrics.gauge" + where + "metrics are made in init",
          "1 Faulty: called strings.find" + where + "only the thread that owns the model may",
          "1 Faulty: called worker.index" + where + "only threads of the host have a number"}));
}

TEST(RunServices, AnyNumberOfTextsIsReadAtOnce) {
  EXPECT_EQ(start_failure("init reads many texts"), "started");
}

// A refusal costs the call in which it happens, and no later one.
TEST(RunServices, RefusalIsOfOneCall) {
  Asked asked("prepare asks the time");
  EXPECT_NE(asked.prepare(), "fine");
  EXPECT_EQ(asked.filter(), "fine");
  EXPECT_EQ(asked.score(), "fine");
}

TEST(RunServices, TimeIsThatOfTheRun) {
  Asked asked("bind tells the time");
  EXPECT_EQ(asked.bind(), "1700000000000000000");
  asked.instance.fake.moment.now = 5;
  EXPECT_EQ(asked.bind(), "5");
  const Moment other{.seed = 7, .now = 9, .decision = 0};
  const MomentScope at(other);
  EXPECT_EQ(asked.bind(), "9");
}

TEST(RunServices, DrawsFollowSeedPluginAttemptAndStream) {
  Asked asked("external filter tells random bits");
  Moment& moment = asked.instance.fake.moment;
  std::set<std::string> seen;
  for (const auto& [arrival, attempt] : {std::pair{1u, 0u}, {1u, 1u}, {2u, 0u}}) {
    moment.begin_decision(arrival, attempt);
    const std::string bits = asked.filter();
    EXPECT_EQ(asked.filter(), bits);
    EXPECT_EQ(bits, std::to_string(random_bits(mix(random_key(7, "Faulty") ^ moment.decision), 5)));
    seen.insert(bits);
  }
  moment.end_decision();
  seen.insert(asked.filter());
  EXPECT_EQ(seen.size(), 4u);
  EXPECT_NE(random_key(7, "Faulty"), random_key(8, "Faulty"));
  EXPECT_NE(random_key(7, "Faulty"), random_key(7, "Faulty2"));
  // The second number of splitmix64 from the seed 0 on, which is published.
  EXPECT_EQ(random_bits(0, 1), 0x6e789e6aa1b965f4u);
}

TEST(RunServices, WorkersHaveNumbersAndMemory) {
  constexpr char kAll[] = "below the count, aligned, the same again, bounded";
  EXPECT_EQ(Asked("filter tells of its worker").filter(), kAll);
  EXPECT_EQ(Asked("reserve tells of its worker").reserve(), kAll);
  EXPECT_EQ(Asked("bind tells of its worker").bind(), kAll);
  EXPECT_EQ(Asked("prepare tells of its worker").prepare(), kAll);
}

TEST(RunServices, MetricsAreSummedUp) {
  Asked asked("filter counts");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(asked.filter(), "fine");
  const auto& plugins = asked.instance.fake.metrics.plugins();
  ASSERT_EQ(plugins.size(), 1u);
  EXPECT_EQ(plugins[0].name, "Faulty");
  const PluginMetrics& metrics = *plugins[0].metrics;
  ASSERT_EQ(metrics.metrics().size(), 2u);
  EXPECT_EQ(metrics.metrics()[0].name, "calls_total");
  EXPECT_EQ(metrics.metrics()[0].help, "Calls of the plugin.");
  EXPECT_EQ(metrics.metrics()[0].kind, PluginMetrics::Kind::kCounter);
  EXPECT_EQ(metrics.value(1), 6);
  EXPECT_EQ(metrics.metrics()[1].name, "heat");
  EXPECT_EQ(metrics.metrics()[1].kind, PluginMetrics::Kind::kGauge);
  EXPECT_EQ(metrics.value(2), -3);
}

TEST(RunServices, StrangeMetricsAreRefused) {
  Asked asked("init makes strange metrics");
  EXPECT_EQ(asked.instance.fake.metrics.plugins()[0].metrics->metrics().size(), 2u);
  const std::string rule =
      " was refused: a name has letters, digits and '_', no digit first, and 128 bytes at most";
  EXPECT_EQ(asked.instance.fake.log.lines,
            (std::vector<std::string>{
                "1 Faulty: the metric \"\"" + rule, "1 Faulty: the metric \"7up\"" + rule,
                "1 Faulty: the metric \"hot-rack\"" + rule,
                "1 Faulty: the metric \"heat\" was refused: it is a counter and a gauge"}));
}

TEST(RunServices, WrongHandlesChangeNothing) {
  Asked asked("filter counts with a wrong handle");
  EXPECT_EQ(asked.filter(), "fine");
  const PluginMetrics& metrics = *asked.instance.fake.metrics.plugins()[0].metrics;
  EXPECT_EQ(metrics.value(1), 0);
  EXPECT_EQ(metrics.value(2), 0);
  ASSERT_EQ(asked.instance.fake.log.lines.size(), 2u);
  EXPECT_NE(asked.instance.fake.log.lines[0].find("metrics.add"), std::string::npos);
  EXPECT_NE(asked.instance.fake.log.lines[1].find("metrics.set"), std::string::npos);
}

// What the instance raised and woke since the last time.
std::vector<std::string> marks_of(FakeEnvironment& fake) {
  std::vector<std::string> marks;
  fake.external.take(
      [&](uint32_t column) { marks.push_back("raised " + fake.cluster.catalog().info(column).id); },
      [&](const std::string& profile, const std::string& plugin) {
        marks.push_back("woken [" + profile + "] " + plugin);
      });
  return marks;
}

TEST(RunServices, EpochsAreRaisedAndPodsWokenFromAnyThread) {
  using Marks = std::vector<std::string>;
  Asked own("filter raises on a thread of its own");
  FakeEnvironment& fake = own.instance.fake;
  EXPECT_TRUE(fake.external.in_use());
  EXPECT_FALSE(fake.external.waits());
  for (int i = 0; i < 2; ++i) EXPECT_EQ(own.filter(), "fine");
  EXPECT_TRUE(fake.external.waits());
  EXPECT_EQ(marks_of(fake), (Marks{"raised cluster.epoch:load", "woken [] Faulty"}));
  EXPECT_FALSE(fake.external.waits());
  EXPECT_EQ(marks_of(fake), Marks());
  EXPECT_EQ(own.filter(), "fine");
  EXPECT_TRUE(fake.external.waits());
  Asked within("score raises");
  EXPECT_EQ(within.score(), "fine");
  EXPECT_EQ(marks_of(within.instance.fake), Marks{"raised cluster.epoch:heat"});
}

// Nothing is kept of an instance that is gone.
TEST(RunServices, EpochsEndWithTheInstance) {
  FakeEnvironment fake;
  const TextArguments arguments("{\"fault\": \"\"}");
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(fake.external.in_use());
    const Instance instance(faulty_library(), fake.environment, fake.calls, arguments.get());
    EXPECT_TRUE(fake.external.in_use());
  }
  EXPECT_FALSE(fake.external.in_use());
}

TEST(RunServices, StrangeEpochsAreRefused) {
  Asked asked("init names strange epochs");
  EXPECT_EQ(asked.instance.fake.log.lines,
            (std::vector<std::string>{
                "1 Faulty: the epoch \"\" was refused: it needs a name",
                "1 Faulty: the epoch \"epoch-16\" was refused: an instance has 16 at most"}));
  EXPECT_EQ(asked.filter(), "the same epoch");
}

TEST(RunServices, WrongEpochsChangeNothing) {
  Asked asked("filter raises a wrong epoch");
  EXPECT_EQ(asked.filter(), "fine");
  EXPECT_FALSE(asked.instance.fake.external.waits());
  Asked late("filter names an epoch");
  EXPECT_EQ(late.filter(), "fine");
  for (Asked* one : {&asked, &late}) ASSERT_EQ(one->instance.fake.log.lines.size(), 1u);
  EXPECT_EQ(asked.instance.fake.log.lines[0],
            "1 Faulty: called external.raise in Filter; the epoch must be one of the instance");
  EXPECT_EQ(late.instance.fake.log.lines[0],
            "1 Faulty: called external.epoch in Filter; epochs are named in init");
}

TEST(RunServices, StringsAreReadByAddress) {
  Asked asked("bind reads a text by address");
  EXPECT_EQ(asked.bind(), "the same");
}

// At most 256 of a plugin.
TEST(PluginMetrics, AreBounded) {
  PluginMetrics metrics;
  std::string problem;
  for (uint32_t i = 1; i <= PluginMetrics::kMost; ++i)
    EXPECT_EQ(metrics.make(PluginMetrics::Kind::kCounter, "m" + std::to_string(i), "", problem), i);
  EXPECT_EQ(metrics.make(PluginMetrics::Kind::kCounter, "more", "", problem), 0u);
  EXPECT_EQ(problem, "the metric \"more\" was refused: a plugin has 256 at most");
  EXPECT_EQ(metrics.make(PluginMetrics::Kind::kCounter, "m7", "", problem), 7u);
  EXPECT_FALSE(metrics.add(0, 1));
  EXPECT_FALSE(metrics.add(257, 1));
}

// A function that runs within another has memory of its own, and so have bodies of for_each.
TEST(Scratch, HasABlockForEachFunction) {
  Scratch scratch;
  const int filter = 0, post_filter = 0;
  void* outer = scratch.get(&post_filter, false, 100);
  void* inner = scratch.get(&filter, false, 100);
  void* body = scratch.get(&post_filter, true, 100);
  EXPECT_EQ((std::set<void*>{outer, inner, body}).size(), 3u);
  EXPECT_EQ(scratch.get(&post_filter, false, 50), outer);
  EXPECT_NE(scratch.get(&post_filter, false, Scratch::kMostBytes), nullptr);
  EXPECT_EQ(scratch.get(&post_filter, false, Scratch::kMostBytes + 1), nullptr);
}

}  // namespace
}  // namespace berth::host
