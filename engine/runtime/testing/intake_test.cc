#include "engine/runtime/testing/intake_for_tests.h"

namespace berth::runtime {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(IntakeTest, TheFirstNodeOfANameStays) {
  model::Node again = node("n");
  again.unschedulable = true;
  add_cluster({node("n")}, {});
  add_cluster({again, node("m")}, {});
  EXPECT_FALSE(
      cluster_.nodes().node(cluster_.nodes().find(cluster_.strings().find("n"))).unschedulable);
  EXPECT_THAT(said(), ElementsAre(AllOf(HasSubstr("cluster.json: n"), HasSubstr("left out"))));
  cluster_.order_rows();
  EXPECT_EQ(cluster_.nodes().rows(), 2u);
}

TEST_F(IntakeTest, EveryPodOfAClusterIsInOneBook) {
  model::Pod finished = pod("done", "n"), failed = pod("failed");
  finished.phase = model::PodPhase::kSucceeded;
  failed.phase = model::PodPhase::kFailed;
  model::Pod nominated = pod("nominated");
  nominated.nominated_node_name = "n";
  model::Pod terminating = pod("going", "n");
  terminating.terminating = true;
  add_cluster({node("n")}, {pod("a", "n"), finished, failed, pod("pending"), nominated, terminating,
                            pod("a", "n")});
  const Intake::Counts& c = intake_.counts();
  EXPECT_EQ(c.placed_before, 2u);
  EXPECT_EQ(c.finished_in_cluster, 2u);
  EXPECT_EQ(c.pending_in_cluster, 2u);
  EXPECT_EQ(c.work, 0u);
  EXPECT_EQ(pods_on("n"), 2);
  EXPECT_EQ(cluster_.nodes().nominations().slots().size(), 1u);
  EXPECT_THAT(said(), ElementsAre(HasSubstr("default/a")));
}

TEST_F(IntakeTest, EveryPodOfTheWorkIsInOneBook) {
  add_cluster({node("n")}, {pod("there", "n")});
  model::Pod finished = pod("done"), going = pod("going");
  finished.phase = model::PodPhase::kSucceeded;
  going.terminating = true;
  model::Pod elsewhere = pod("a");
  elsewhere.namespace_name = "team";
  add_work({pod("a"), finished, going, pod("bound", "n"), pod("a"), pod("there"), elsewhere,
            pod("done")});
  EXPECT_THAT(waiting(), ElementsAre("a", "a", "done"));
  const Intake::Counts& c = intake_.counts();
  EXPECT_EQ(c.work, 8u);
  EXPECT_EQ(c.finished, 1u);
  EXPECT_EQ(c.terminating, 1u);
  EXPECT_EQ(c.already_placed, 1u);
  EXPECT_EQ(c.rejected, 2u);
  EXPECT_EQ(pods_on("n"), 2);
  expect_balance();
  EXPECT_THAT(said(), ElementsAre(HasSubstr("default/a"), HasSubstr("default/there")));
  EXPECT_THAT(said()[0], HasSubstr("pods.json"));
}

// The queue decides whether a pod that arrives counts as nominated: a gated one does not.
TEST_F(IntakeTest, APendingPodThatBecomesWorkIsNominatedNoMore) {
  model::Pod nominated = pod("p");
  nominated.nominated_node_name = "n";
  add_cluster({node("n")}, {nominated});
  EXPECT_THAT(cluster_.nodes().nominations().slots(), testing::SizeIs(1));
  add_work({nominated});
  ASSERT_THAT(waiting(), ElementsAre("p"));
  EXPECT_FALSE(waits(0).nominated);
  EXPECT_EQ(cluster_.text(waits(0).nominated_node), "n");
  EXPECT_THAT(cluster_.nodes().nominations().slots(), testing::IsEmpty());
}

// Of two files that describe one object the first counts, whatever it is.
TEST_F(IntakeTest, TheFirstOfANameStays) {
  ingest::Objects objects;
  objects.others = {model::added(model::Namespace{"team", {{"a", "1"}}}),
                    model::added(selector_owner(model::SelectorOwnerKind::kService, "web"))};
  intake_.add_cluster(objects, "one.yaml");
  const uint64_t context = cluster_.pod_context();
  std::get<model::Namespace>(objects.others[0].object).labels = {{"a", "2"}};
  std::get<model::SelectorOwner>(objects.others[1].object).selector = std::nullopt;
  intake_.add_cluster(objects, "two.yaml");
  EXPECT_EQ(cluster_.pod_context(), context);
  ASSERT_EQ(diagnostics_.count(), 2u);
  EXPECT_STREQ(
      diagnostics_.kept()[0].what(),
      "two.yaml: team: a Namespace of this name is there already, at one.yaml; this one is "
      "left out");
  EXPECT_STREQ(
      diagnostics_.kept()[1].what(),
      "two.yaml: default/web: a Service of this name is there already, at one.yaml; this one "
      "is left out");
}

TEST_F(IntakeTest, SelectorOwnersComeWithClustersAndWithPods) {
  using model::SelectorOwnerKind;
  ingest::Objects objects;
  objects.others = {model::added(selector_owner(SelectorOwnerKind::kService, "a"))};
  intake_.add_cluster(objects, "cluster.json");
  const std::vector part = {model::added(selector_owner(SelectorOwnerKind::kReplicaSet, "b"))};
  intake_.add_cluster(part, "cluster.berth");
  objects.others = {model::added(selector_owner(SelectorOwnerKind::kStatefulSet, "c"))};
  objects.pods = {pod("p")};
  add_file(objects, "pods.yaml");
  EXPECT_EQ(intake_.counts().work, 1u);
  EXPECT_TRUE(cluster_.remove_selector_owner(SelectorOwnerKind::kService, "default", "a"));
  EXPECT_TRUE(cluster_.remove_selector_owner(SelectorOwnerKind::kReplicaSet, "default", "b"));
  EXPECT_TRUE(cluster_.remove_selector_owner(SelectorOwnerKind::kStatefulSet, "default", "c"));
  EXPECT_FALSE(cluster_.remove_selector_owner(SelectorOwnerKind::kService, "default", "a"));
  EXPECT_EQ(diagnostics_.count(), 0u);
}

TEST_F(IntakeTest, PodsOfAFrameHaveTheirControllers) {
  define(0, {});
  const model::Controller web{"apps/v1", "ReplicaSet", "web", "1"};
  const model::Controller db{"apps/v1", "StatefulSet", "db", "2"};
  ingest::PodBatch pods = batch({"w1", "d1", "w2", "alone"});
  pods.controllers = {db, web};
  pods.controller_indices = {2, 1, 2, 0};
  intake_.add_work(pods, "stream", waiting_);
  intake_.add_work(batch({"old"}), "stream", waiting_);
  ASSERT_THAT(waiting(), ElementsAre("w1", "d1", "w2", "alone", "old"));
  EXPECT_EQ(waits(0).controller, cluster_.templates().controller(web));
  EXPECT_EQ(waits(1).controller, cluster_.templates().controller(db));
  EXPECT_EQ(waits(2).controller, waits(0).controller);
  EXPECT_NE(waits(0).controller, waits(1).controller);
  EXPECT_NE(waits(0).controller, 0u);
  EXPECT_EQ(waits(3).controller, 0u);
  EXPECT_EQ(waits(4).controller, 0u);
  // As those of files have them.
  model::Pod of_file = pod("f");
  of_file.controller = web;
  add_work({of_file});
  EXPECT_EQ(waits(5).controller, waits(0).controller);
}

TEST_F(IntakeTest, EventsChangeTheSelectorOwners) {
  using model::SelectorOwnerKind;
  apply(model::added(selector_owner(SelectorOwnerKind::kService, "a")));
  apply(model::modified(selector_owner(SelectorOwnerKind::kService, "a")));
  apply(model::modified(selector_owner(SelectorOwnerKind::kReplicaSet, "a")));
  apply(model::deleted(selector_owner(SelectorOwnerKind::kService, "a")));
  EXPECT_EQ(diagnostics_.count(), 0u);
  EXPECT_TRUE(cluster_.remove_selector_owner(SelectorOwnerKind::kReplicaSet, "default", "a"));
  apply(model::deleted(
      model::SelectorOwner{SelectorOwnerKind::kReplicationController, "b", "team", {}}));
  EXPECT_EQ(diagnostics_.count(), 0u);  // it is gone already
  EXPECT_EQ(intake_.counts().events, 5u);
}

TEST_F(IntakeTest, AnUnknownNodeIsKeptInMind) {
  add_cluster({}, {pod("a", "later")});
  add_work({pod("b", "later")});
  model::PodSpec spec;
  spec.node_name = "later";
  define(0, spec);
  intake_.add_work(batch({"c"}), "stream", waiting_);
  apply(model::added(placed("d", "later")));
  EXPECT_EQ(diagnostics_.count(), 0u);
  cluster_.put_node(node("later"));
  EXPECT_EQ(pods_on("later"), 4);
  EXPECT_TRUE(waiting_.empty());
  expect_balance();
}

TEST_F(IntakeTest, InstancesTakeTheirTemplates) {
  model::PodSpec web, db;
  web.labels = {{"app", "web"}, {"tier", "front"}};
  web.priority = 3;
  db.scheduler_name = "db";
  define(2, web);
  define(0, db);
  ingest::PodBatch pods = batch({"w1", "w2", "w1"}, 2);
  pods.label_ends = {0, 2, 2};
  pods.labels = {{"app", "api"}, {"index", "1"}};
  pods.uids = {"u1", "u2", ""};
  pods.nominated_nodes = {"", "n", ""};
  intake_.add_work(pods, "stream", waiting_);
  intake_.add_work(batch({"d1"}, 0), "stream", waiting_);
  ASSERT_THAT(waiting(), ElementsAre("w1", "w2", "d1"));
  EXPECT_EQ(cluster_.templates()[waits(0).pod_template].priority, 3);
  EXPECT_EQ(waits(0).pod_template, waits(1).pod_template);
  EXPECT_NE(waits(0).pod_template, waits(2).pod_template);
  auto label = [&](size_t i, const char* key) {
    return cluster_.text(model::label_value(cluster_.templates().labels(waits(i).labels),
                                            cluster_.strings().find(key)));
  };
  EXPECT_EQ(label(0, "app"), "web");
  EXPECT_EQ(label(1, "app"), "api");
  EXPECT_EQ(label(1, "tier"), "front");
  EXPECT_EQ(label(1, "index"), "1");
  EXPECT_EQ(waits(0).nominated_node, 0u);
  EXPECT_EQ(cluster_.text(waits(1).nominated_node), "n");
  EXPECT_EQ(cluster_.text(waits(1).uid), "u2");
  EXPECT_EQ(intake_.counts().rejected, 1u);
  expect_balance();
}

TEST_F(IntakeTest, EventsChangeTheCluster) {
  apply(model::added(node("n")));
  model::Node cordoned = node("n");
  cordoned.unschedulable = true;
  apply(model::modified(cordoned));
  apply(model::added(placed("a", "n")));
  apply(model::added(placed("b", "n")));
  apply(model::added(placed("c", "n")));
  apply(model::finished_pod("default", "a"));
  apply(model::deleted_pod("default", "b"));
  apply(model::added(model::Namespace{"team", {}}));
  apply(model::modified(model::Namespace{"team", {{"a", "b"}}}));
  EXPECT_TRUE(
      cluster_.nodes().node(cluster_.nodes().find(cluster_.strings().find("n"))).unschedulable);
  EXPECT_EQ(pods_on("n"), 1);
  EXPECT_EQ(cluster_.namespaces(), 1u);
  apply(model::deleted(model::Namespace{"team", {}}));
  apply(model::deleted(node("n")));
  cluster_.order_rows();
  EXPECT_EQ(cluster_.nodes().rows(), 0u);
  EXPECT_EQ(intake_.counts().events, 11u);
  EXPECT_EQ(diagnostics_.count(), 0u);
}

TEST_F(IntakeTest, AnUpdateOfAPlacedPodCountsAnew) {
  apply(model::added(node("n")));
  apply(model::added(placed("p", "n")));
  ingest::TemplatePod larger = placed("p", "n");
  model::PodSpec spec;
  spec.containers.resize(1);
  spec.containers[0].requests = {{"cpu", model::Quantity::from_units(2)}};
  larger.spec = std::make_shared<model::PodSpec>(spec);
  apply(model::modified(larger));
  cluster_.order_rows();
  berth_column cpu = cluster_.view(cluster_.find_column("node.requested:cpu"));
  EXPECT_EQ(static_cast<const int64_t*>(cpu.data)[0], 2000);
  EXPECT_EQ(pods_on("n"), 1);
  larger.phase = model::PodPhase::kSucceeded;
  apply(model::modified(larger));
  EXPECT_EQ(pods_on("n"), 0);
  apply(model::modified(placed("new", "n")));  // bound in the meantime, by somebody else
  EXPECT_EQ(pods_on("n"), 1);
  EXPECT_EQ(cluster_.placed_pods(), 1u);
  EXPECT_EQ(diagnostics_.count(), 0u);
}

// As an informer has it: what is not known yet is new.
TEST_F(IntakeTest, AnUpdateOfAPodThatWasNeverAddedAddsIt) {
  apply(model::modified(placed("p", "")));
  EXPECT_THAT(waiting(), ElementsAre("p"));
  apply(model::modified(placed("p", "")));
  EXPECT_THAT(waiting(), ElementsAre("p"));
  ingest::TemplatePod terminating = placed("t", "");
  terminating.terminating = true;
  apply(model::modified(terminating));
  EXPECT_EQ(intake_.counts().terminating, 1u);
  apply(model::deleted_pod("default", "p"));
  apply(model::modified(placed("p", "")));
  EXPECT_EQ(waiting_.size(), 2u);
  EXPECT_EQ(diagnostics_.count(), 0u);
  expect_balance();
}

TEST_F(IntakeTest, MessagesNameTheLineOrTheByte) {
  ingest::Objects objects;
  objects.others = {model::added(node("n")), model::added(node("n"))};
  objects.pods = {pod("a", "n"), pod("a", "n")};
  objects.lines.others = {3, 5};
  objects.lines.pods = {7, 9};
  intake_.add_cluster(objects, "cluster.json");
  add_file(objects, "pods.json");
  EXPECT_THAT(said(), ElementsAre(testing::StartsWith("cluster.json:5: n: a node of this name"),
                                  testing::StartsWith("cluster.json:9: default/a: a pod of this"),
                                  testing::StartsWith("pods.json:5: n: a Node of this name"),
                                  testing::StartsWith("pods.json:7: default/a: a pod of this"),
                                  testing::StartsWith("pods.json:9: default/a: a pod of this")));
}

TEST_F(IntakeTest, MessagesAboutStreamsNameTheLineOrTheFrame) {
  define(0, {});
  const std::vector<uint32_t> lines = {4, 8};
  intake_.add_work(batch({"a", "a"}), Origin("watch", lines), waiting_);
  intake_.add_work(batch({"a"}), Origin("stream", {}, 96), waiting_);
  const std::vector part = {model::added(node("n")), model::added(node("m")),
                            model::added(placed("p", "n")), model::added(placed("p", "m"))};
  const std::vector<uint32_t> of_part = {1, 2, 3, 4};
  intake_.add_cluster(part, Origin("part", of_part));
  EXPECT_THAT(said(), ElementsAre(testing::StartsWith("watch:8: default/a: "),
                                  testing::StartsWith("stream: byte 96: default/a: "),
                                  testing::StartsWith("part:4: default/p: the pod runs on")));
}

TEST_F(IntakeTest, AFileWithoutPodsIsNoWork) {
  ingest::Objects objects;
  add_file(objects, "empty.json");
  EXPECT_EQ(diagnostics_.count(), 0u);  // as kubectl lists no pods
  objects.others = {model::added(node("n"))};
  add_file(objects, "nodes.json");
  EXPECT_THAT(said(), ElementsAre("nodes.json: there is no pod in it, and pods are what is "
                                  "scheduled; it has 1 other object"));
}

// A name is free again when its pod is gone.
TEST_F(IntakeTest, ANameCanBeTakenAgain) {
  add_cluster({node("n")}, {});
  add_work({pod("p", "n")});
  add_work({pod("p")});
  EXPECT_EQ(intake_.counts().rejected, 1u);
  apply(model::deleted_pod("default", "p"));
  add_work({pod("p")});
  EXPECT_THAT(waiting(), ElementsAre("p"));
  expect_balance();
}

}  // namespace
}  // namespace berth::runtime
