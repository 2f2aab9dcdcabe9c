// Objects that two files have, and those that a stream tells of again.

#include "engine/runtime/testing/intake_for_tests.h"

namespace berth::runtime {
namespace {

using ::testing::ElementsAre;

// What was applied to a cluster is newer than it.
TEST_F(IntakeTest, WorkTakesThePlaceOfObjectsOfTheCluster) {
  ingest::Objects objects;
  objects.others = {model::added(model::Namespace{"team", {{"a", "1"}}}), model::added(node("n"))};
  intake_.add_cluster(objects, "cluster.json");
  const uint64_t context = cluster_.pod_context();
  std::get<model::Namespace>(objects.others[0].object).labels = {{"a", "2"}};
  std::get<model::Node>(objects.others[1].object).unschedulable = true;
  objects.pods = {pod("a")};
  add_file(objects, "pods.json");
  EXPECT_EQ(diagnostics_.count(), 0u);
  EXPECT_NE(cluster_.pod_context(), context);
  objects.pods = {pod("b")};
  add_file(objects, "again.json");
  ASSERT_EQ(diagnostics_.count(), 2u);
  EXPECT_STREQ(
      diagnostics_.kept()[0].what(),
      "again.json: team: a Namespace of this name is there already, at pods.json; this one "
      "is left out");
}

TEST_F(IntakeTest, ATerminatingPodKeepsItsNominationAsAnEmptyPod) {
  add_cluster({node("n")}, {});
  ingest::Objects objects;
  objects.pods = {pod("a")};
  objects.pods[0].terminating = true;
  objects.pods[0].nominated_node_name = "n";
  add_file(objects, "pods.json");
  const model::PodRecord& record = cluster_.pod(cluster_.find_pod("default", "a"));
  EXPECT_TRUE(record.nominated);
  EXPECT_TRUE(record.nominated_empty);
}

// A manifest of a claim lacks what the volume controller wrote.
TEST_F(IntakeTest, StorageOfTheClusterStays) {
  ingest::Objects objects;
  model::PersistentVolumeClaim claim;
  claim.namespace_name = "default";
  claim.name = "data";
  claim.volume_name = "pv";
  objects.others = {model::added(claim)};
  intake_.add_cluster(objects, "cluster.json");
  claim.volume_name.clear();
  objects.others = {model::added(claim)};
  objects.pods = {pod("a")};
  add_file(objects, "pods.json");
  EXPECT_EQ(diagnostics_.count(), 0u);
  EXPECT_THAT(intake_.kept().examples, ElementsAre("PersistentVolumeClaim default/data"));
  const berth_claim* kept =
      cluster_.volumes().claim(cluster_.strings().find("default"), cluster_.strings().find("data"));
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(cluster_.text(kept->volume), "pv");
  objects.pods = {pod("b")};
  claim.name = "new";
  objects.others = {model::added(claim), model::added(claim)};
  add_file(objects, "twice.json");
  EXPECT_EQ(intake_.kept().count, 1u);
  EXPECT_EQ(diagnostics_.count(), 1u);
}

TEST_F(IntakeTest, RunningPodsOfADumpAreThoseOfTheCluster) {
  ingest::Objects objects;
  objects.pods = {pod("runs", "n"), pod("waits"), pod("ended", "n")};
  objects.pods[2].phase = model::PodPhase::kSucceeded;
  ingest::Objects nodes;
  nodes.others = {model::added(node("n"))};
  const std::vector<WorkFile> files = {{"pods.json", objects, true}, {"nodes.json", nodes, true}};
  intake_.add_work(files, waiting_);
  EXPECT_THAT(waiting(), ElementsAre("waits"));
  EXPECT_EQ(intake_.counts().placed_before, 1u);
  EXPECT_EQ(intake_.counts().finished_in_cluster, 1u);
  EXPECT_EQ(intake_.counts().work, 1u);
  EXPECT_EQ(diagnostics_.count(), 0u);
}

TEST_F(IntakeTest, APodOfTwoFilesIsOneByItsUid) {
  model::Pod placed = pod("a", "n"), waits = pod("w");
  placed.uid = "u";
  add_cluster({node("n")}, {placed});
  ingest::Objects objects;
  objects.pods = {placed, waits};
  add_file(objects, "pods.json");
  EXPECT_EQ(diagnostics_.count(), 0u);
  EXPECT_EQ(intake_.counts().already_placed, 1u);
  EXPECT_EQ(intake_.counts().rejected, 0u);
  add_file(objects, "dump.json", true);
  EXPECT_EQ(intake_.counts().placed_before, 1u);
  objects.pods[0].uid = "another";
  objects.pods.resize(1);
  add_file(objects, "other.json");
  EXPECT_EQ(intake_.counts().rejected, 2u);
}

TEST_F(IntakeTest, NodesAmongPodsCount) {
  ingest::Objects objects;
  objects.others = {model::added(node("n")), model::added(model::Namespace{"team", {}})};
  objects.pods = {pod("a"), pod("b", "n")};
  add_file(objects, "pods.json");
  EXPECT_EQ(cluster_.nodes().rows(), 1u);
  EXPECT_THAT(waiting(), ElementsAre("a"));
  EXPECT_EQ(intake_.counts().already_placed, 1u);
  EXPECT_EQ(diagnostics_.count(), 0u);
}

TEST_F(IntakeTest, WhatIsNotKnownIsGoneAlready) {
  apply(model::deleted(node("n")));
  apply(model::deleted_pod("default", "p"));
  apply(model::finished_pod("nowhere", "p"));
  apply(model::deleted(model::Namespace{"team", {}}));
  apply(model::deleted(model::DisruptionBudget{"b", "team", {}, 0, {}}));
  ingest::TemplatePod finished = placed("p", "n");
  finished.phase = model::PodPhase::kFailed;
  apply(model::modified(finished));
  EXPECT_EQ(diagnostics_.count(), 0u);
  EXPECT_EQ(intake_.counts().work, 0u);
  EXPECT_EQ(intake_.counts().events, 6u);
}

// As an informer hears it when it lists again.
TEST_F(IntakeTest, WhatIsAddedAgainIsUpdated) {
  apply(model::added(node("n")));
  apply(model::added(placed("p", "n")));
  ingest::TemplatePod labelled = placed("p", "n");
  labelled.labels = {{"a", "b"}};
  apply(model::added(labelled));
  EXPECT_EQ(pods_on("n"), 1);
  EXPECT_NE(cluster_.pod(cluster_.find_pod("default", "p")).labels, 0u);
  model::Node cordoned = node("n");
  cordoned.unschedulable = true;
  ingest::TemplatePod other = placed("q", "n");
  std::vector part = {model::added(cordoned), model::added(model::Namespace{"team", {}}),
                      model::added(placed("p", "n")), model::added(other)};
  intake_.add_cluster(part, "list");
  intake_.add_cluster(part, "list");
  EXPECT_EQ(pods_on("n"), 2);
  EXPECT_TRUE(
      cluster_.nodes().node(cluster_.nodes().find(cluster_.strings().find("n"))).unschedulable);
  EXPECT_EQ(intake_.counts().placed_before, 1u);
  other.phase = model::PodPhase::kSucceeded;
  part.back() = model::added(other);
  intake_.add_cluster(part, "list");
  EXPECT_EQ(pods_on("n"), 1);
  EXPECT_EQ(diagnostics_.count(), 0u);
}

TEST_F(IntakeTest, APodThatWaitsIsOneByItsUid) {
  define(0, {});
  model::PodBatch pods = batch({"a"});
  pods.uids = {"u"};
  intake_.add_work(pods, "watch", waiting_);
  intake_.add_work(pods, "watch", waiting_);
  EXPECT_THAT(waiting(), ElementsAre("a"));
  EXPECT_EQ(intake_.counts().work, 1u);
  pods.uids = {"v"};  // deleted and created again, of which the deletion was missed
  intake_.add_work(pods, "watch", waiting_);
  EXPECT_THAT(waiting(), ElementsAre("a"));
  EXPECT_EQ(cluster_.text(waits(0).uid), "v");
  EXPECT_EQ(intake_.counts().work, 2u);
  EXPECT_EQ(diagnostics_.count(), 0u);
  intake_.add_work(batch({"a"}), "watch", waiting_);
  EXPECT_EQ(diagnostics_.count(), 1u) << "without a UID it is another pod of that name";
}

TEST_F(IntakeTest, APodIsAsReadyAsItsLatestObjectTells) {
  model::Pod there = pod("a", "n");
  there.ready = model::PodReady::kTrue;
  add_cluster({node("n")}, {there});
  const model::PodId id = cluster_.find_pod(there.namespace_name, "a");
  EXPECT_EQ(cluster_.pod(id).ready, model::PodReady::kTrue);
  there.ready = model::PodReady::kFalse;
  apply(model::modified(ingest::TemplatePod::of(there)));
  EXPECT_EQ(cluster_.pod(id).ready, model::PodReady::kFalse);
}

TEST_F(IntakeTest, AnEvictionThatNobodyAnsweredIsReported) {
  add_cluster({node("n")}, {pod("a", "n")});
  const model::EvictionRequest request{"a", "default", {}, false, {}, {}};
  apply(model::added(request));
  ingest::Objects file;
  file.others = {model::added(request), model::added(request)};
  intake_.add_cluster(file, "file.yaml");
  const std::string what =
      "default/a: nobody answers evictions here: the pod stays; delete it, or leave the Eviction "
      "out";
  EXPECT_THAT(said(), ElementsAre("events: " + what, "file.yaml: " + what, "file.yaml: " + what));
  EXPECT_EQ(pods_on("n"), 1);
}

TEST_F(IntakeTest, TheLatestTimeIsThatOfAllObjects) {
  EXPECT_EQ(intake_.latest_time(), 0);
  model::Pod old = pod("a");
  old.created_at = 50;
  add_work({old});
  model::Pod started = pod("b", "n");
  started.started_at = 70;
  add_cluster({node("n")}, {started});
  EXPECT_EQ(intake_.latest_time(), 70);
  ingest::TemplatePod later = placed("c", "n");
  later.created_at = INT64_MAX;
  apply(model::added(later));
  EXPECT_LT(intake_.latest_time(), INT64_MAX / 4 * 3 + INT64_MAX / 8);
}

}  // namespace
}  // namespace berth::runtime
