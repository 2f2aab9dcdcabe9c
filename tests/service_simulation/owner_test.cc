// The owner of the core, with the objects of a server and without one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/kube/kinds.h"
#include "engine/service/loop/scheduling.h"
#include "tests/runtime/folder.h"

namespace berth::service {
namespace {

using namespace std::chrono_literals;
using model::Operation;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// What the core writes: "bind POD NODE", "evict POD", "nominate POD NODE", "announce POD NODE", and
// of the events those of preemption: "POD: NOTE".
class Written : public Outbox {
 public:
  void bind(uint64_t number, kube::PodName pod, std::string node) override {
    binding = number;
    lines.push_back("bind " + pod.name + " " + node);
  }
  void write(uint64_t number, kube::PodName pod, kube::StatusChange change) override {
    EXPECT_FALSE(number != 0 && !change.nominated_node);
    if (!change.nominated_node) return;
    lines.push_back((number == 0 ? "announce " : "nominate ") + pod.name + " " +
                    *change.nominated_node);
    if (number != 0) nomination = number;
  }
  void evict(kube::Eviction victim, events::Event) override {
    lines.push_back("evict " + victim.victim.name);
  }
  void put(model::VolumeObject, std::string) override {}
  void record(events::Event event) override {
    if (event.reason == "Preempted") lines.push_back(event.regarding.name + ": " + event.note);
  }
  void send() override {}

  std::vector<std::string> lines;
  uint64_t nomination = 0;  // number of the latest write of one
  uint64_t binding = 0;     // number of the latest one
};

class Owner : public ::testing::Test {
 protected:
  Owner() {
    folder_.add_shipped_but("");
    folder_.add_scripted();
  }

  void SetUp() override { start({}); }

  // `profiles`: a member of the configuration, with a comma before; empty: the default profile.
  void start(const std::string& profiles, KubeVersion version = KubeVersion::k1_34) {
    scheduling_.reset();
    plugins_.emplace(folder_.discover());
    SchedulingOptions options;
    options.core.binding_thread = false;
    scheduling_.emplace(options,
                        config::parse(R"({"apiVersion":"kubescheduler.config.k8s.io/v1",
                                          "kind":"KubeSchedulerConfiguration")" +
                                          profiles + "}",
                                      "config", Rules(version)),
                        *plugins_, out_,
                        Scheduling::Clocks{[this] { return now_; },
                                           [] { return int64_t{1'784'020'000'000'000'000}; }},
                        [](const runtime::Report&) {});
    turn({Word::kSynced, Word::kLeading});
  }

  // A turn a tenth of a second later. Returns what it wrote.
  std::vector<std::string> turn(std::vector<Item> items) {
    now_ += 100ms;
    scheduling_->turn(std::move(items), [] { return false; });
    return std::exchange(out_.lines, {});
  }
  static kube::Watched object(const char* kind, Operation operation, const std::string& json) {
    const kube::ServedKind& served = *kube::find_served(kind);
    Diagnostics faults;
    const auto text = document::Document::parse(json, {}, faults);
    std::string fault;
    std::optional<kube::Watched> read = kube::read_object(served, text.roots()[0], false, fault);
    EXPECT_TRUE(read) << fault;
    read->change.operation = operation;
    return std::move(*read);
  }
  // A node with one core.
  static kube::Watched node(Operation operation, const std::string& zone,
                            const std::string& name = "n") {
    return object("Node", operation,
                  R"({"metadata":{"name":")" + name + R"(","uid":")" + name +
                      R"(","resourceVersion":"1","labels":{"zone":")" + zone +
                      R"("}},"status":{"allocatable":{"cpu":"1","pods":"9"}}})");
  }
  static kube::Watched pod(Operation operation, const std::string& name, int priority,
                           const std::string& spec = {}, const std::string& nominated = {}) {
    return object("Pod", operation,
                  R"({"metadata":{"name":")" + name + R"(","namespace":"default","uid":")" + name +
                      R"(","resourceVersion":"1"},"spec":{"schedulerName":"default-scheduler",)" +
                      spec + R"("priority":)" + std::to_string(priority) +
                      R"(,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]},)" +
                      R"("status":{"phase":"Pending","nominatedNodeName":")" + nominated +
                      R"("}})");
  }
  static Item changes(std::vector<kube::Watched> changes) { return changes; }

  Written out_;

 private:
  tests::PluginFolder folder_;
  Time now_{};
  std::optional<runtime::Plugins> plugins_;
  std::optional<Scheduling> scheduling_;
};

const std::string kOnlyA = R"("nodeSelector":{"zone":"a"},)";
const std::string kOnNode = R"("nodeName":"n",)";

TEST_F(Owner, TheEndOfANominationHelpsThoseThatItKeptOut) {
  EXPECT_THAT(
      turn({changes({node(Operation::kAdded, "a"), pod(Operation::kAdded, "low", 0, kOnNode),
                     pod(Operation::kAdded, "high", 9, kOnlyA)})}),
      ElementsAre("evict low", "nominate high n"));
  // The one that comes is tried before the other, which backs off and whose nomination counts. Then
  // that is tried, and does not fit the node any more.
  EXPECT_THAT(turn({changes({pod(Operation::kModified, "high", 9, kOnlyA, "n"),
                             pod(Operation::kDeleted, "low", 0), node(Operation::kModified, "b"),
                             pod(Operation::kAdded, "late", 5)})}),
              ElementsAre("nominate high "));
  EXPECT_THAT(turn({}), IsEmpty());
  EXPECT_THAT(turn({changes({pod(Operation::kModified, "high", 9, kOnlyA)})}),
              ElementsAre("bind late n"));
}

// The server has the nomination that was taken from the pod, and says so.
TEST_F(Owner, ANominationThatCouldNotBeClearedCountsAgain) {
  for (const bool failed : {false, true}) {
    start({});
    turn({changes({node(Operation::kAdded, "a"), pod(Operation::kAdded, "low", 0, kOnNode),
                   pod(Operation::kAdded, "high", 9, kOnlyA)})});
    ASSERT_THAT(turn({changes({pod(Operation::kModified, "high", 9, kOnlyA, "n"),
                               pod(Operation::kDeleted, "low", 0), node(Operation::kModified, "b"),
                               pod(Operation::kAdded, "late", 5)})}),
                ElementsAre("nominate high "));
    if (failed) turn({StatusFailed{out_.nomination}});
    turn({changes({pod(Operation::kModified, "high", 9, kOnlyA, "n")})});
    const std::vector<std::string> lines = turn({changes({pod(Operation::kAdded, "other", 5)})});
    if (failed)
      EXPECT_THAT(lines, IsEmpty());
    else
      EXPECT_THAT(lines, ElementsAre("bind other n"));
  }
}

// As in kube-scheduler's nominator, which has it still.
TEST_F(Owner, ANominationThatCouldNotBeWrittenCounts) {
  ASSERT_THAT(
      turn({changes({node(Operation::kAdded, "a"), pod(Operation::kAdded, "low", 0, kOnNode),
                     pod(Operation::kAdded, "high", 9, kOnlyA)})}),
      ElementsAre("evict low", "nominate high n"));
  turn({StatusFailed{out_.nomination}});
  EXPECT_THAT(turn({changes({pod(Operation::kModified, "high", 9, kOnlyA),
                             pod(Operation::kDeleted, "low", 0), node(Operation::kModified, "b"),
                             pod(Operation::kAdded, "late", 5)})}),
              ElementsAre("nominate high "))
      << "it kept the other one out";
}

// It would fit the node that is new, as it would in kube-scheduler.
TEST_F(Owner, APodIsHeldBackUntilItsVictimsLeave) {
  ASSERT_THAT(
      turn({changes({node(Operation::kAdded, "a"), pod(Operation::kAdded, "low", 0, kOnNode),
                     pod(Operation::kAdded, "high", 9)})}),
      ElementsAre("evict low", "nominate high n"));
  for (const char* elsewhere : {"m", "o"})
    EXPECT_THAT(turn({changes({node(Operation::kAdded, "a", elsewhere),
                               pod(Operation::kModified, "high", 9, {}, "n")})}),
                IsEmpty());
  EXPECT_THAT(turn({changes({pod(Operation::kDeleted, "low", 0)})}), ElementsAre("bind high n"));
}

TEST_F(Owner, APodWhosePreemptionFailedIsTriedAtOnce) {
  turn({changes({node(Operation::kAdded, "a"), pod(Operation::kAdded, "low", 0, kOnNode),
                 pod(Operation::kAdded, "high", 9)})});
  EXPECT_THAT(turn({}), IsEmpty());
  EXPECT_THAT(turn({PreemptionFailed{{"default", "high", "another"}}}), IsEmpty());
  EXPECT_THAT(turn({PreemptionFailed{{"default", "gone", "gone"}}}), IsEmpty());
  EXPECT_THAT(turn({PreemptionFailed{{"default", "high", "high"}}}), ElementsAre("evict low"));
}

const std::string kFirstHoldsLow =
    R"(,"profiles":[{"plugins":{"multiPoint":{"enabled":[{"name":"First"}]}},
        "pluginConfig":[{"name":"First","args":{"script":[{"plugin":"First",
          "point":"permit","pods":["default/low"],"answer":"wait","seconds":60}]}}]}])";

TEST_F(Owner, AVictimThatWaitsInPermitHasTheEventOfOne) {
  start(kFirstHoldsLow);
  EXPECT_THAT(turn({changes({node(Operation::kAdded, "a"), pod(Operation::kAdded, "low", 0)})}),
              IsEmpty());
  EXPECT_THAT(
      turn({changes({pod(Operation::kAdded, "high", 9)})}),
      ElementsAre("low: Preempted by pod high on node n", "nominate high n", "bind high n"));
}

TEST_F(Owner, TheNodeOfAPodThatWaitsInPermitIsAnnounced) {
  start(kFirstHoldsLow, KubeVersion::k1_36);
  EXPECT_THAT(turn({changes({node(Operation::kAdded, "a"), pod(Operation::kAdded, "low", 0)})}),
              ElementsAre("announce low n"));
  // The watch tells of it, which changes nothing; what follows is cleared at the server.
  EXPECT_THAT(turn({changes({pod(Operation::kModified, "low", 0, {}, "n")})}), IsEmpty());
  EXPECT_THAT(turn({changes({pod(Operation::kAdded, "high", 9)})}),
              ElementsAre("low: Preempted by pod high on node n (in kube-scheduler memory).",
                          "nominate high n", "nominate low ", "bind high n"));
}

// The server puts the zone of the node on a pod that it binds. The answer may come first.
TEST_F(Owner, AnAnsweredBindingHelpsThoseThatWaitForAPodOfTheZone) {
  start({}, KubeVersion::k1_36);
  const std::string near =
      R"("affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)"
      R"({"labelSelector":{"matchLabels":{"topology.kubernetes.io/zone":"z"}},)"
      R"("topologyKey":"topology.kubernetes.io/zone"}]}},)";
  const kube::Watched node = object("Node", Operation::kAdded,
                                    R"({"metadata":{"name":"n","uid":"n","resourceVersion":"1",)"
                                    R"("labels":{"topology.kubernetes.io/zone":"z"}},)"
                                    R"("status":{"allocatable":{"cpu":"2","pods":"9"}}})");
  EXPECT_THAT(turn({changes({node, pod(Operation::kAdded, "near", 0, near)})}), IsEmpty());
  EXPECT_THAT(turn({changes({pod(Operation::kAdded, "a", 0)})}), ElementsAre("bind a n"));
  EXPECT_THAT(turn({runtime::BindingAnswer{out_.binding, {}}}), ElementsAre("bind near n"));
}

}  // namespace
}  // namespace berth::service
