// Plugins whose data come from outside of the model: what their threads raise and wake, in this
// process and in one of their own, in each evaluation (plugins/fickle.cc).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/drive/pace.h"
#include "engine/isolation/parent/isolation.h"
#include "engine/runtime/testing/model_access.h"
#include "tests/runtime/folder.h"

namespace berth::tests {
namespace {

using framework::Evaluation;
using queue::Place;
using testing::ElementsAre;
using Labels = std::vector<std::pair<std::string, std::string>>;

runtime::Plugins plugins(bool isolated) {
  static PluginFolder* const folder = [] {
    auto* made = new PluginFolder;
    made->add_shipped_but("");
    made->add_of_tests("cycle_fickle", "fickle.so");
    return made;
  }();
  const std::array<std::filesystem::path, 1> folders{folder->path()};
  return runtime::Plugins(
      host::discover(folders), [=](const std::string& name, host::SealedFile file) {
        if (!isolated || name != "Fickle") return host::Library::load(std::move(file));
        return isolation::load_isolated(
            std::move(file),
            {.program = BERTH_BUILD_DIR "/lib/berth/berth-plugin-host", .starts_at_once = true});
      });
}

// Nodes a, b and c, and two profiles, "default-scheduler" and "other", with Fickle and the room of
// the nodes.
class Scheduling {
 public:
  Scheduling(Evaluation evaluation, bool isolated, int64_t pods_of_a_node = 110)
      : plugins_(plugins(isolated)) {
    constexpr char kPlugins[] =
        R"("plugins":{"multiPoint":{"disabled":[{"name":"*"}],"enabled":[{"name":"Fickle"},)"
        R"({"name":"NodeResourcesFit"},{"name":"PrioritySort"},{"name":"DefaultBinder"}]}}})";
    runtime::CoreOptions options;
    options.scheduler.evaluation = evaluation;
    options.scheduler.decide.tie_break = framework::TieBreak::kName;
    core_ = std::make_unique<runtime::Core>(
        config::parse(std::string(R"({"apiVersion":"kubescheduler.config.k8s.io/v1",)"
                                  R"("kind":"KubeSchedulerConfiguration","profiles":[)"
                                  R"({"schedulerName":"default-scheduler",)") +
                          kPlugins + R"(,{"schedulerName":"other",)" + kPlugins + "]}",
                      "config"),
        plugins_, options, [this](const runtime::Report& report) { note(report); });
    for (const char* name : {"a", "b", "c"}) {
      model::Node node;
      node.name = name;
      node.allocatable = {{"pods", model::Quantity::from_units(pods_of_a_node)}};
      runtime::ModelAccess::of(*core_).put_node(node);
    }
  }

  runtime::Core& core() { return *core_; }
  size_t waiting(Place place) const { return core_->scheduler().queue().size(place); }
  const std::string& outcome() const { return outcome_; }

  model::PodId arrive(const std::string& name, Labels labels = {},
                      const std::string& scheduler = "default-scheduler") {
    model::Pod pod;
    pod.namespace_name = "default";
    pod.name = name;
    pod.spec.labels = {labels.begin(), labels.end()};
    pod.spec.scheduler_name = scheduler;
    pod.spec.containers.resize(1);
    const std::array<model::PodId, 1> ids{core_->door().add(pod)};
    core_->door().arrive(ids);
    return ids[0];
  }
  // Returns what became of the pod.
  std::string schedule(const std::string& name, Labels labels = {},
                       const std::string& scheduler = "default-scheduler") {
    arrive(name, std::move(labels), scheduler);
    outcome_.clear();
    core_->step();
    return outcome_;
  }
  uint64_t woken() const {
    uint64_t pods = 0;
    for (const queue::MoveCount& count : core_->scheduler().queue().moves())
      if (count.move.cause == queue::MoveCause::kPluginWoke) pods += count.active + count.backoff;
    return pods;
  }
  void report_to(runtime::OnReport report) { core_->report_to(std::move(report)); }
  void note(const runtime::Report& report) {
    using namespace runtime;
    std::visit(
        Match{[&](const Scheduled& to) { outcome_ = "on " + std::string(to.node); },
              [&](const Refused& by) { outcome_ = by.decision->message; },
              [&](const Failed& by) { outcome_ = "failed: " + by.decision->message; },
              [&](const Gated& by) { outcome_ = "gated: " + by.message; }, [](const auto&) {}},
        report);
  }

 private:
  runtime::Plugins plugins_;
  std::string outcome_;
  std::unique_ptr<runtime::Core> core_;
};

class External : public testing::TestWithParam<std::tuple<Evaluation, bool>> {
 protected:
  Scheduling scheduling_{std::get<0>(GetParam()), std::get<1>(GetParam())};
};

constexpr char kPrefers[] = "fickle/prefers", kQuietly[] = "fickle/quietly",
               kOpens[] = "fickle/opens", kWaits[] = "fickle/waits", kGated[] = "fickle/gated",
               kCrashes[] = "fickle/crashes";
constexpr char kClosed[] = "0/3 nodes are available: 3 it is closed.";

TEST_P(External, ScoresAreThoseOfTheDataThatWereRaised) {
  scheduling_.schedule("b-is-best", {{kPrefers, "b"}});
  EXPECT_EQ(scheduling_.schedule("first"), "on b");
  scheduling_.schedule("c-is-best", {{kPrefers, "c"}});
  EXPECT_EQ(scheduling_.schedule("second"), "on c");
  EXPECT_EQ(scheduling_.schedule("third"), "on c");
}

TEST_P(External, RefusedPodsAreWoken) {
  EXPECT_EQ(scheduling_.schedule("waits", {{kWaits, ""}}), kClosed);
  EXPECT_FALSE(scheduling_.core().has_work());
  scheduling_.schedule("opens", {{kOpens, ""}, {kPrefers, "b"}});
  EXPECT_EQ(scheduling_.woken(), 1u);
  EXPECT_EQ(scheduling_.waiting(Place::kBackoff), 1u);
  ASSERT_TRUE(scheduling_.core().step());
  EXPECT_EQ(scheduling_.outcome(), "on b");
}

// What was woken is not lost where nothing else is to do.
TEST_P(External, AWakeIsWork) {
  EXPECT_EQ(scheduling_.schedule("waits", {{kWaits, ""}}), kClosed);
  scheduling_.core().door().remove(scheduling_.arrive("opens", {{kOpens, ""}}));
  EXPECT_TRUE(scheduling_.core().threads_said());
  EXPECT_TRUE(scheduling_.core().has_work());
  EXPECT_FALSE(scheduling_.core().threads_said());
  EXPECT_EQ(scheduling_.woken(), 1u);
}

TEST_P(External, GatedPodsAreAskedAgain) {
  scheduling_.arrive("gated", {{kGated, ""}});
  EXPECT_EQ(scheduling_.waiting(Place::kGated), 1u);
  EXPECT_FALSE(scheduling_.core().has_work());
  scheduling_.schedule("opens", {{kOpens, ""}});
  EXPECT_EQ(scheduling_.waiting(Place::kGated), 0u);
  EXPECT_TRUE(scheduling_.core().step());
}

// Each profile has an instance with memory of its own.
TEST_P(External, PodsOfOtherProfilesStay) {
  EXPECT_EQ(scheduling_.schedule("waits", {{kWaits, ""}}), kClosed);
  EXPECT_EQ(scheduling_.schedule("stays", {{kWaits, ""}}, "other"), kClosed);
  scheduling_.schedule("opens", {{kOpens, ""}});
  EXPECT_EQ(scheduling_.woken(), 1u);
  EXPECT_EQ(scheduling_.waiting(Place::kUnschedulable), 1u);
}

INSTANTIATE_TEST_SUITE_P(All, External,
                         testing::Combine(testing::Values(Evaluation::kReference, Evaluation::kFull,
                                                          Evaluation::kIncremental),
                                          testing::Bool()),
                         [](const auto& info) {
                           return std::string(framework::name_of(std::get<0>(info.param))) +
                                  (std::get<1>(info.param) ? "_isolated" : "");
                         });

// Alike pods that follow each other take the nodes that were scored for the first of them.
TEST(ExternalBatches, ARaiseEndsThem) {
  for (const bool raised : {false, true}) {
    Scheduling scheduling(Evaluation::kFull, false, 1);
    EXPECT_EQ(scheduling.schedule("first"), "on a");
    if (raised) scheduling.core().door().remove(scheduling.arrive("c-is-best", {{kPrefers, "c"}}));
    EXPECT_EQ(scheduling.schedule("second"), raised ? "on c" : "on b");
  }
}

// The hook depends on its declaration, so a change without an epoch is not seen. The other
// evaluations keep no answers.
TEST(ExternalKept, AnswersAreKeptBetweenRaises) {
  for (const bool isolated : {false, true}) {
    Scheduling scheduling(Evaluation::kIncremental, isolated);
    scheduling.schedule("b-is-best", {{kPrefers, "b"}});
    EXPECT_EQ(scheduling.schedule("first"), "on b");
    scheduling.schedule("c-is-better", {{kPrefers, "c"}, {kQuietly, ""}});
    EXPECT_EQ(scheduling.schedule("second"), "on b");
    scheduling.schedule("a-is-best", {{kPrefers, "a"}});
    EXPECT_EQ(scheduling.schedule("third"), "on a");
  }
}

// The new process has none of the data: all that was kept of the former one is asked again.
TEST(ExternalOfAProcess, ThatEndsIsRaisedAndWoken) {
  Scheduling scheduling(Evaluation::kIncremental, true);
  scheduling.schedule("b-is-best", {{kPrefers, "b"}});
  EXPECT_EQ(scheduling.schedule("first"), "on b");
  EXPECT_EQ(scheduling.schedule("waits", {{kWaits, ""}}), kClosed);
  EXPECT_THAT(scheduling.schedule("crash", {{kCrashes, ""}}), testing::StartsWith("failed: "));
  EXPECT_EQ(scheduling.schedule("starts-another", {{"new", "template"}}), "on a");
  EXPECT_EQ(scheduling.schedule("second"), "on a");
  EXPECT_EQ(scheduling.woken(), 1u);
}

TEST(ExternalNames, AnEpochThatNoHookReadsIsNamed) {
  runtime::Plugins found = plugins(false);
  const runtime::Core core(
      config::parse("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
                    "profiles: [{schedulerName: misspelt, plugins: {multiPoint: {enabled: [{name: "
                    "Fickle}]}}}]",
                    "config"),
      found, {}, [](const runtime::Report&) {});
  EXPECT_THAT(core.assembly().unread_epochs,
              ElementsAre("plugin \"Fickle\" raises an epoch that no hook reads, so nothing is "
                          "asked again: a hook has to declare cluster.epoch:fickel"));
  Scheduling read(Evaluation::kIncremental, false);
  EXPECT_THAT(read.core().assembly().unread_epochs, ElementsAre());
}

TEST(ExternalPace, WhatIsWokenEndsASleep) {
  drive::Pace pace(drive::ClockKind::kWall);
  pace.begin();
  int asked = 0;
  EXPECT_LT(pace.pass_to(std::chrono::hours(1), [&] { return ++asked == 3; }),
            Time(std::chrono::hours(1)));
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace berth::tests
