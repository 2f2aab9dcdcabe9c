#include "engine/framework/hints/queueing_hints.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/framework/testing/fake_plugin.h"

namespace berth::framework {
namespace {

using testing::FakeCall;
using testing::FakeFailure;
using testing::FakePlugin;
using testing::FakeWorld;

using Answers = std::vector<uint8_t>;
using Interests = std::map<std::pair<uint32_t, bool>, uint32_t>;  // by kind and `asks`

class QueueingHintsTest : public ::testing::Test {
 protected:
  QueueingHintsTest() {
    filtering(plugin_);
    plugin_.hint = [](const FakeCall&, const berth_event&) { return true; };
  }

  static void filtering(FakePlugin& plugin) {
    plugin.filter = [](const FakeCall&, size_t) -> uint8_t { return BERTH_UNSCHEDULABLE; };
  }
  // With one profile of these plugins.
  QueueingHints& start(std::vector<FakePlugin*> plugins) {
    profiles_.clear();
    profiles_.push_back(world_.profile(std::move(plugins)));
    return hints_.emplace(profiles_, world_.cluster(), world_.calls());
  }
  Interests interests(std::string_view plugin) {
    Interests found;
    for (const auto& one : hints_->plugins()[hints_->find(0, plugin).value()].interests) {
      const bool fresh = found.try_emplace({one.kind, one.asks}, one.actions).second;
      EXPECT_TRUE(fresh);
    }
    return found;
  }
  model::PodId add(const std::string& name, int32_t priority = 0) {
    model::Pod pod = FakeWorld::pod(name);
    pod.spec.priority = priority;
    pod.spec.labels = {{"app", "web"}};
    return world_.add(pod).id;
  }
  Answers ask(const HintEvent& event, const std::vector<model::PodId>& pods) {
    Answers answers(pods.size(), 77);
    hints_->hint(event, hints_->find(0, "Plugin").value(), pods, answers);
    return answers;
  }
  model::Slot slot(std::string_view node) {
    return cluster().nodes().find(cluster().strings().find(node));
  }
  HintEvent node_added(std::string_view node = "n0") {
    return node_event(BERTH_DID_ADD, slot(node), nullptr, cluster());
  }
  model::Cluster& cluster() { return world_.cluster(); }

  template <typename T>
  static T value(const berth_column* columns, size_t index) {
    return static_cast<const T*>(columns[index].data)[0];
  }

  FakeWorld world_{2};
  FakePlugin plugin_{"Plugin"};
  std::vector<std::unique_ptr<Profile>> profiles_;
  std::optional<QueueingHints> hints_;
};

TEST_F(QueueingHintsTest, WithoutHintsEveryEventHelps) {
  FakePlugin silent("Silent"), scoring("Scoring");
  filtering(silent);
  scoring.score = [](const FakeCall&, size_t) { return int64_t{0}; };
  start({&silent, &scoring});
  Interests all;
  for (const uint32_t kind : host::Hints::kKinds) all[{kind, false}] = host::Hints::kEveryAction;
  EXPECT_EQ(interests("Silent"), all);
  Answers answers(1);
  const std::vector<model::PodId> pods = {add("p")};
  hints_->hint(node_added(), *hints_->find(0, "Silent"), pods, answers);
  EXPECT_EQ(answers, Answers{1});
  EXPECT_FALSE(hints_->find(0, "Scoring"));
  EXPECT_FALSE(hints_->find(1, "Silent"));
}

TEST_F(QueueingHintsTest, ActionsThatAreNotNamedDoNotHelp) {
  plugin_.actions = [](uint32_t kind) {
    return kind == BERTH_ON_NODE ? BERTH_DID_UPDATE_LABEL | BERTH_DID_UPDATE_TAINT : 0u;
  };
  start({&plugin_});
  EXPECT_EQ(interests("Plugin"),
            (Interests{{{BERTH_ON_NODE, true}, BERTH_DID_UPDATE_LABEL | BERTH_DID_UPDATE_TAINT}}));
  const std::vector<model::PodId> pods = {add("p")};
  EXPECT_EQ(ask(node_added(), pods), Answers{0});
  HintEvent labels = node_added();
  labels.action = BERTH_DID_UPDATE_LABEL;
  EXPECT_EQ(ask(labels, pods), Answers{1});
  plugin_.actions = [](uint32_t) { return 0u; };
  start({&plugin_});
  EXPECT_EQ(interests("Plugin"), Interests{});
}

TEST_F(QueueingHintsTest, AdditionsOfNodesBringUpdatesOfTaints) {
  plugin_.actions = [](uint32_t kind) { return kind == BERTH_ON_NODE ? BERTH_DID_ADD : 0u; };
  plugin_.hint = [](const FakeCall&, const berth_event&) { return false; };
  start({&plugin_});
  EXPECT_EQ(interests("Plugin"), (Interests{{{BERTH_ON_NODE, true}, BERTH_DID_ADD},
                                            {{BERTH_ON_NODE, false}, BERTH_DID_UPDATE_TAINT}}));
  const std::vector<model::PodId> pods = {add("p")};
  EXPECT_EQ(ask(node_added(), pods), Answers{0});
  HintEvent taints = node_added();
  taints.action = BERTH_DID_UPDATE_TAINT;
  EXPECT_EQ(ask(taints, pods), Answers{1});
  taints.action = BERTH_DID_ADD | BERTH_DID_UPDATE_TAINT;
  EXPECT_EQ(ask(taints, pods), Answers{1});
}

TEST_F(QueueingHintsTest, OneCallForEachTemplateAndEvent) {
  int calls = 0;
  plugin_.hint = [&](const FakeCall& call, const berth_event&) {
    ++calls;
    EXPECT_EQ(call.raw().count, 1u);
    return call.at<int64_t>(0, 0) == 2;
  };
  start({&plugin_});
  const std::vector<model::PodId> pods = {add("a", 1), add("b", 2), add("c", 1), add("d", 2)};
  EXPECT_EQ(ask(node_added(), pods), (Answers{0, 1, 0, 1}));
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(ask(node_added(), pods), (Answers{0, 1, 0, 1}));
  EXPECT_EQ(calls, 4);
}

TEST_F(QueueingHintsTest, TheNodeBeforeAndAfter) {
  plugin_.hints_hook.inputs = {"pod.priority", "node.label:disk", "node.allocatable:cpu",
                               "node.count:*", "node.row"};
  std::vector<uint32_t> disks;
  std::vector<int64_t> cpus;
  plugin_.hint = [&](const FakeCall& call, const berth_event& event) {
    EXPECT_EQ(cluster().text(event.node), "n1");
    EXPECT_EQ(event.pod, 0u);
    EXPECT_EQ(call.raw().columns[1].data, nullptr);
    for (const berth_column* columns : {event.before, event.after}) {
      if (columns == nullptr) continue;
      EXPECT_EQ(columns[0].data, nullptr);
      EXPECT_EQ(columns[3].data, nullptr);
      EXPECT_EQ(columns[4].data, nullptr);
      disks.push_back(value<uint32_t>(columns, 1));
      cpus.push_back(value<int64_t>(columns, 2));
    }
    return event.before == nullptr;
  };
  start({&plugin_});
  const std::vector<model::PodId> pods = {add("p")};
  EXPECT_EQ(ask(node_added("n1"), pods), Answers{1});
  model::Node node = FakeWorld::node("n1");
  node.labels = {{"disk", "ssd"}};
  node.allocatable[0].second = model::Quantity::from_units(7);
  model::NodeTable::Values before;
  cluster().put_node(node, &before);
  EXPECT_EQ(ask(node_event(BERTH_DID_UPDATE_LABEL, slot("n1"), &before, cluster()), pods),
            Answers{0});
  before = cluster().nodes().node(slot("n1"));
  const model::Slot gone = slot("n1");
  cluster().remove_node("n1");
  ask(node_event(BERTH_DID_DELETE, gone, &before, cluster()), pods);
  const uint32_t ssd = cluster().strings().find("ssd");
  EXPECT_EQ(disks, (std::vector<uint32_t>{0, 0, ssd, ssd}));
  EXPECT_EQ(cpus, (std::vector<int64_t>{4000, 4000, 7000, 7000}));
}

TEST_F(QueueingHintsTest, ThePodBeforeAndAfter) {
  const auto selector = cluster().label_selectors().of(model::LabelSelector{{{"app", "web"}}, {}});
  const model::TermId term = cluster().terms().of(
      {{cluster().strings().intern("default")}, model::LabelSelectors::kNothing, selector});
  plugin_.hints_hook.inputs = {"pod.priority", "event.matches:" + std::to_string(term),
                               "node.unschedulable"};
  std::vector<int> seen;  // priority and match, of each object
  plugin_.hint = [&](const FakeCall&, const berth_event& event) {
    EXPECT_EQ(event.self, 0u);
    for (const berth_column* columns : {event.before, event.after}) {
      if (columns == nullptr) continue;
      EXPECT_EQ(columns[2].data, nullptr);
      seen.push_back(static_cast<int>(value<int64_t>(columns, 0)));
      seen.push_back(value<uint8_t>(columns, 1));
    }
    return cluster().text(event.node) == "n0";
  };
  start({&plugin_});
  const std::vector<model::PodId> pods = {add("p")};
  const model::PodId other = add("other", 5);
  const model::StringId node = cluster().strings().find("n0");
  const auto event = [&](uint32_t action, const model::PodRecord* before,
                         const model::PodRecord* after) {
    return pod_event(BERTH_ON_POD_ASSIGNED, action, before, after, node);
  };
  EXPECT_EQ(ask(event(BERTH_DID_ADD, nullptr, &cluster().pod(other)), pods), Answers{1});
  EXPECT_EQ(seen, (std::vector{5, 1}));
  seen.clear();
  const model::PodRecord before = cluster().pod(other);
  model::Pod changed = FakeWorld::pod("other");
  changed.spec.priority = 6;
  cluster().update_pod(other, cluster().record_of(changed));
  ask(event(BERTH_DID_UPDATE_LABEL, &before, &cluster().pod(other)), pods);
  EXPECT_EQ(seen, (std::vector{5, 1, 6, 0}));
  seen.clear();
  const model::PodRecord last = cluster().pod(other);
  cluster().remove_pod(other);
  ask(event(BERTH_DID_DELETE, &last, nullptr), pods);
  EXPECT_EQ(seen, (std::vector{6, 0}));
}

// Pods of one template are asked about separately where the event's pod regards them differently.
TEST_F(QueueingHintsTest, WhomTheAntiAffinityOfTheEventsPodMatches) {
  int calls = 0;
  plugin_.hints_hook.inputs = {"event.anti_affinity_matches"};
  plugin_.hint = [&](const FakeCall&, const berth_event& event) {
    ++calls;
    return value<uint8_t>(event.before, 0) != 0;
  };
  start({&plugin_});
  const auto labelled = [&](const std::string& name, const std::string& app) {
    model::Pod pod = FakeWorld::pod(name);
    pod.spec.labels = {{"app", app}, {"tier", "front"}};
    return world_.add(pod).id;
  };
  const std::vector<model::PodId> pods = {labelled("a", "web"), labelled("b", "db"),
                                          labelled("c", "web"), labelled("d", "db")};
  model::Pod shy = FakeWorld::pod("shy");
  const auto shuns = [&](const std::string& key, const std::string& label) {
    model::PodAffinityTerm term;
    term.label_selector.emplace().match_labels = {{key, label}};
    term.topology_key = "zone";
    auto& anti = shy.spec.affinity.pod_anti_affinity;
    if (!anti) anti.emplace();
    anti->required.push_back(term);
  };
  const auto after_end_of = [&](const model::Pod& pod) {
    calls = 0;
    const model::PodRecord last = cluster().pod(world_.add(pod).id);
    cluster().remove_pod(last.id);
    return ask(pod_event(BERTH_ON_POD_ASSIGNED, BERTH_DID_DELETE, &last, nullptr, 1), pods);
  };
  EXPECT_EQ(after_end_of(shy), (Answers{0, 0, 0, 0}));
  EXPECT_EQ(calls, 1);
  shuns("app", "web");
  EXPECT_EQ(after_end_of(shy), (Answers{1, 0, 1, 0}));
  EXPECT_EQ(calls, 2);
  shy.namespace_name = "other";
  EXPECT_EQ(after_end_of(shy), (Answers{0, 0, 0, 0}));
  shy.namespace_name = FakeWorld::pod("p").namespace_name;
  shy.spec.affinity = {};
  shuns("app", "web");
  shuns("tier", "back");  // all terms have to match
  EXPECT_EQ(after_end_of(shy), (Answers{0, 0, 0, 0}));
}

TEST_F(QueueingHintsTest, TheEventsOwnPodIsAskedAboutByItself) {
  plugin_.hint = [](const FakeCall&, const berth_event& event) { return event.self != 0; };
  start({&plugin_});
  const std::vector<model::PodId> pods = {add("a"), add("b"), add("c")};
  const model::PodRecord before = cluster().pod(pods[1]);
  const HintEvent event = pod_event(BERTH_ON_POD_PENDING, BERTH_DID_UPDATE_TOLERATION, &before,
                                    &cluster().pod(pods[1]), 0);
  EXPECT_EQ(event.pod(), pods[1]);
  EXPECT_EQ(ask(event, pods), (Answers{0, 1, 0}));
}

TEST_F(QueueingHintsTest, AHookThatReadsNamesIsAskedAboutEachPod) {
  start({&plugin_});
  EXPECT_TRUE(hints_->follow_shapes());
  plugin_.hints_hook.inputs = {"pod.name"};
  int calls = 0;
  plugin_.hint = [&](const FakeCall& call, const berth_event&) {
    ++calls;
    return cluster().text(call.at<uint32_t>(0, 0)) == "b";
  };
  start({&plugin_});
  EXPECT_FALSE(hints_->follow_shapes());
  EXPECT_EQ(ask(node_added(), {add("a"), add("b")}), (Answers{0, 1}));
  EXPECT_EQ(calls, 2);
}

TEST_F(QueueingHintsTest, AHookWithoutInputsIsAskedOnce) {
  int calls = 0;
  plugin_.hints_hook.inputs = {};
  plugin_.hint = [&](const FakeCall&, const berth_event& event) {
    ++calls;
    EXPECT_EQ(event.before, nullptr);
    EXPECT_NE(event.after, nullptr);
    return true;
  };
  start({&plugin_});
  EXPECT_EQ(ask(node_added(), {add("a", 1), add("b", 2)}), (Answers{1, 1}));
  EXPECT_EQ(calls, 1);
}

TEST_F(QueueingHintsTest, AnErrorHelps) {
  plugin_.hint = [](const FakeCall&, const berth_event&) -> bool { throw FakeFailure{"no rack"}; };
  start({&plugin_});
  const std::vector<model::PodId> pods = {add("p")};
  EXPECT_EQ(ask(node_added(), pods), Answers{1});
  EXPECT_EQ(hints_->failures(), 1u);
  EXPECT_EQ(hints_->last_failure(), "no rack");
  plugin_.hint = [](const FakeCall&, const berth_event&) { return false; };
  plugin_.hints_hook.prepare = [](const berth_template&) -> int64_t {
    throw FakeFailure{"no room"};
  };
  start({&plugin_});
  EXPECT_EQ(ask(node_added(), pods), Answers{1});
  EXPECT_EQ(hints_->last_failure(), "no room");
}

}  // namespace
}  // namespace berth::framework
