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

// What the core writes: "bind POD NODE", "evict POD", "nominate POD NODE".
class Written : public Outbox {
 public:
  void bind(uint64_t, kube::PodName pod, std::string node) override {
    lines.push_back("bind " + pod.name + " " + node);
  }
  void write(kube::PodName pod, kube::StatusChange change) override {
    if (change.nominated_node)
      lines.push_back("nominate " + pod.name + " " + *change.nominated_node);
  }
  void evict(kube::Eviction victim, events::Event) override {
    lines.push_back("evict " + victim.victim.name);
  }
  void put(model::VolumeObject, std::string) override {}
  void record(events::Event) override {}
  void send() override {}

  std::vector<std::string> lines;
};

class Owner : public ::testing::Test {
 protected:
  Owner() { folder_.add_shipped_but(""); }

  void SetUp() override {
    plugins_.emplace(folder_.discover());
    SchedulingOptions options;
    options.core.binding_thread = false;
    scheduling_.emplace(options,
                        config::parse(R"({"apiVersion":"kubescheduler.config.k8s.io/v1",
                                          "kind":"KubeSchedulerConfiguration"})",
                                      "config"),
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
  static kube::Watched node(Operation operation, const std::string& zone) {
    return object("Node", operation,
                  R"({"metadata":{"name":"n","uid":"n","resourceVersion":"1","labels":{"zone":")" +
                      zone + R"("}},"status":{"allocatable":{"cpu":"1","pods":"9"}}})");
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

 private:
  tests::PluginFolder folder_;
  Time now_{};
  Written out_;
  std::optional<runtime::Plugins> plugins_;
  std::optional<Scheduling> scheduling_;
};

TEST_F(Owner, TheEndOfANominationHelpsThoseThatItKeptOut) {
  const std::string only_a = R"("nodeSelector":{"zone":"a"},)";
  EXPECT_THAT(turn({changes({node(Operation::kAdded, "a"),
                             pod(Operation::kAdded, "low", 0, R"("nodeName":"n",)"),
                             pod(Operation::kAdded, "high", 9, only_a)})}),
              ElementsAre("evict low", "nominate high n"));
  // The one that comes is tried before the other, which backs off and whose nomination counts. Then
  // that is tried, and does not fit the node any more.
  EXPECT_THAT(turn({changes({pod(Operation::kModified, "high", 9, only_a, "n"),
                             pod(Operation::kDeleted, "low", 0), node(Operation::kModified, "b"),
                             pod(Operation::kAdded, "late", 5)})}),
              ElementsAre("nominate high "));
  EXPECT_THAT(turn({}), IsEmpty());
  EXPECT_THAT(turn({changes({pod(Operation::kModified, "high", 9, only_a)})}),
              ElementsAre("bind late n"));
}

}  // namespace
}  // namespace berth::service
