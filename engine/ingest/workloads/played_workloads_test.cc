#include "engine/ingest/workloads/played_workloads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/base/io/io.h"
#include "engine/ingest/watch/watch_stream.h"
#include "engine/ingest/workloads/creation.h"
#include "engine/ingest/workloads/made_pods.h"
#include "engine/model/objects/controller_objects.h"

namespace berth::ingest {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The fields are those beside the template.
std::string manifest_of(const std::string& kind, const std::string& fields,
                        const std::string& metadata = "", const std::string& image = "i") {
  const std::string version = kind == "Job" ? "batch/v1" : "apps/v1";
  const std::string selector = kind == "Job" ? "" : R"("selector":{"matchLabels":{"a":"b"}},)";
  return R"({"apiVersion":")" + version + R"(","kind":")" + kind + R"(","metadata":{"name":"w")" +
         metadata + R"(},"spec":{)" + selector + fields +
         R"("template":{"metadata":{"labels":{"a":"b"}},"spec":{)" +
         (kind == "Job" ? R"("restartPolicy":"Never",)" : "") +
         R"("containers":[{"name":"c","image":")" + image + R"("}]}}}})";
}
std::string event_of(const std::string& type, const std::string& object) {
  return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

// The workloads that a watch of manifests tells of.
struct Played {
  explicit Played(const std::string& text) {
    MemorySource source({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, "in");
    Creation creation([] { return std::vector<model::Node>(); }, true);
    creation.play_workloads();
    WatchStream watch(source, diagnostics, false, false, &creation, Validation::kNew1_34);
    for (Batch batch; watch.next(batch);) {
      pods += batch.kind == BatchKind::kPods ? batch.pods.size() : 0;
      if (batch.kind != BatchKind::kCluster && batch.kind != BatchKind::kEvents) continue;
      for (const model::Change& change : batch.changes) take(change, pods);
    }
    remarks = watch.remarks();
  }
  void take(const model::Change& change, size_t pods_before) {
    const auto* object = std::get_if<model::ControllerObject>(&change.object);
    if (object == nullptr) return;
    said.push_back(std::string(model::event_type(change.operation)) + " " + object->kind + " " +
                   full_name(*object) + " after " + std::to_string(pods_before));
    if (object->data != nullptr)
      workloads.push_back(std::get<model::Workload>(object->data->value));
  }

  Diagnostics diagnostics;
  Remarks remarks;
  size_t pods = 0;
  std::vector<std::string> said;
  std::vector<model::Workload> workloads;
};

TEST(PlayedWorkloads, GoOnWithTheTemplateThatWasAdmitted) {
  const Played played(event_of("ADDED", manifest_of("Deployment", R"("replicas":3,)")));
  EXPECT_THAT(played.said, ElementsAre("ADDED Deployment default/w after 0"));
  EXPECT_EQ(played.pods, 3u);
  ASSERT_THAT(played.workloads, SizeIs(1));
  const model::Workload& of = played.workloads[0];
  EXPECT_EQ(of.replicas, 3u);
  EXPECT_EQ(of.next_ordinal, 3u);
  EXPECT_FALSE(of.has_pods);
  EXPECT_EQ(of.controller.kind, "ReplicaSet");
  EXPECT_EQ(of.pod->spec.priority, 0);
  EXPECT_THAT(of.pod->spec.tolerations, SizeIs(2));
  const model::Pod pod = replica_pod(of, suffixed_name(of, 3));
  EXPECT_TRUE(pod.name.starts_with(of.controller.name + "-")) << pod.name;
  EXPECT_EQ(pod.controller, of.controller);
}

TEST(PlayedWorkloads, AStatefulSetSaysHowLongAPodIsReadyBeforeItCounts) {
  const Played played(event_of("ADDED", manifest_of("StatefulSet", R"("minReadySeconds":7,)")));
  ASSERT_THAT(played.workloads, SizeIs(1));
  EXPECT_EQ(played.workloads[0].min_ready_seconds, 7);
}

TEST(PlayedWorkloads, ChangesFollowWithoutPods) {
  const Played played(event_of("ADDED", manifest_of("ReplicaSet", R"("replicas":1,)")) +
                      event_of("MODIFIED", manifest_of("ReplicaSet", R"("replicas":4,)")) +
                      event_of("DELETED", manifest_of("ReplicaSet", "")));
  EXPECT_THAT(played.said, ElementsAre("ADDED ReplicaSet default/w after 0",
                                       "MODIFIED ReplicaSet default/w after 1",
                                       "DELETED ReplicaSet default/w after 1"));
  EXPECT_EQ(played.pods, 1u);
  ASSERT_THAT(played.workloads, SizeIs(2));
  EXPECT_EQ(played.workloads[1].replicas, 4u);
  EXPECT_EQ(played.remarks.changed_workloads.count, 0u);
}

TEST(PlayedWorkloads, OneThatComesAgainGetsItsPodsFromItsController) {
  const std::string manifest = manifest_of("Deployment", "");
  const Played played(event_of("ADDED", manifest) + event_of("DELETED", manifest) +
                      event_of("ADDED", manifest));
  EXPECT_EQ(played.pods, 1u);
  ASSERT_THAT(played.workloads, SizeIs(2));
  EXPECT_FALSE(played.workloads[0].creates);
  EXPECT_TRUE(played.workloads[1].creates && played.workloads[1].has_pods);
}

TEST(PlayedWorkloads, ARolloutOfOthersThanDeploymentsIsNamed) {
  const auto changed = [](const std::string& kind) {
    return Played(event_of("ADDED", manifest_of(kind, "")) +
                  event_of("MODIFIED", manifest_of(kind, "", "", "other")));
  };
  EXPECT_THAT(changed("StatefulSet").remarks.changed_workloads.examples,
              ElementsAre("StatefulSet default/w (its template)"));
  const Played played = changed("Deployment");
  EXPECT_EQ(played.remarks.changed_workloads.count, 0u);
  ASSERT_THAT(played.workloads, SizeIs(2));
  EXPECT_NE(played.workloads[0].controller.name, played.workloads[1].controller.name);
  EXPECT_NE(played.workloads[1].pod->spec.labels, played.workloads[0].pod->spec.labels);
}

TEST(PlayedWorkloads, ADeploymentSaysHowItRollsOut) {
  const auto rollout = [](const std::string& fields) {
    return Played(event_of("ADDED", manifest_of("Deployment", fields))).workloads.at(0).rollout;
  };
  const model::Rollout plain = rollout("");
  EXPECT_FALSE(plain.paused || plain.recreates);
  EXPECT_TRUE(plain.surge.percent && plain.unavailable.percent);
  EXPECT_EQ(plain.surge.value, 25u);
  const model::Rollout rolling = rollout(
      R"("paused":true,"strategy":{"rollingUpdate":{"maxSurge":3,"maxUnavailable":"40%"}},)");
  EXPECT_TRUE(rolling.paused && !rolling.surge.percent && rolling.unavailable.percent);
  EXPECT_EQ(rolling.surge.value, 3u);
  EXPECT_EQ(rolling.unavailable.value, 40u);
  EXPECT_TRUE(rollout(R"("strategy":{"type":"Recreate"},)").recreates);
}

TEST(PlayedWorkloads, WhatAnApiServerMadeIsNotPlayed) {
  const Played played(event_of("ADDED", manifest_of("Deployment", "", R"(,"uid":"u")")) +
                      event_of("MODIFIED", manifest_of("Deployment", "", R"(,"uid":"u")")));
  EXPECT_THAT(played.said, IsEmpty());
}

TEST(PlayedWorkloads, AJobSaysWhenItEnds) {
  const Played played(event_of(
      "ADDED",
      manifest_of("Job",
                  R"("completions":4,"parallelism":2,"completionMode":"Indexed","backoffLimit":1,)"
                  R"("activeDeadlineSeconds":60,"podFailurePolicy":{"rules":[{"action":"FailJob",)"
                  R"("onExitCodes":{"containerName":"c","operator":"In","values":[1,42]}},)"
                  R"({"action":"Ignore","onPodConditions":[{"type":"DisruptionTarget"}]}]},)")));
  EXPECT_EQ(played.diagnostics.count(), 0u);
  ASSERT_THAT(played.workloads, SizeIs(1));
  const model::JobSpec& job = played.workloads[0].job;
  EXPECT_EQ(played.workloads[0].replicas, 2u);
  EXPECT_EQ(job.completions, 4u);
  EXPECT_EQ(job.backoff_limit, 1u);
  EXPECT_EQ(job.active_deadline_seconds, 60);
  EXPECT_TRUE(job.indexed && job.replaces_failed_alone);
  ASSERT_THAT(job.failure_rules, SizeIs(2));
  EXPECT_EQ(job.failure_rules[0].operation, "In");
  EXPECT_THAT(job.failure_rules[0].exit_codes, ElementsAre(1, 42));
  EXPECT_EQ(job.failure_rules[0].container, "c");
  EXPECT_EQ(job.failure_rules[1].action, model::FailureRule::Action::kIgnore);
  EXPECT_THAT(job.failure_rules[1].conditions,
              ElementsAre(std::pair<std::string, std::string>("DisruptionTarget", "True")));
}

TEST(PlayedWorkloads, ThoseInANamespaceWithAQuotaAreNamedOnce) {
  const std::string quota = event_of(
      "ADDED",
      R"({"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q","namespace":"SPACE"},)"
      R"("spec":{"hard":{"pods":"9"}}})");
  const std::string workloads = event_of("ADDED", manifest_of("Deployment", R"("replicas":1,)")) +
                                event_of("MODIFIED", manifest_of("Deployment", R"("replicas":2,)"));
  const auto in = [&](const std::string& space) {
    std::string all = quota + workloads;
    return Played(all.replace(all.find("SPACE"), 5, space)).remarks.workloads_beyond_quotas;
  };
  EXPECT_THAT(in("default").examples, ElementsAre("Deployment default/w"));
  EXPECT_EQ(in("default").count, 1u);
  EXPECT_EQ(in("other").count, 0u);
}

TEST(PlayedWorkloads, WhatCannotBePlayedIsNamed) {
  const Played played(event_of(
      "ADDED",
      manifest_of("Job", R"("completions":2,"completionMode":"Indexed","successPolicy":{},)")));
  EXPECT_EQ(played.pods, 1u);
  EXPECT_THAT(played.said, IsEmpty());
  EXPECT_THAT(played.remarks.unplayed_workloads.examples,
              ElementsAre("Job default/w (spec.successPolicy)"));
}

TEST(PlayedWorkloads, ThoseOfAClusterHaveTheirPods) {
  Diagnostics diagnostics;
  ObjectReader reader(diagnostics);
  reader.keep_workloads();
  const std::string set = R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","labels":)"
                          R"({"a":"b","pod-template-hash":"h"},"ownerReferences":[{"apiVersion":)"
                          R"("apps/v1","kind":"ReplicaSet","name":"w-h","uid":"s","controller":)"
                          R"(true}]},"spec":{"nodeName":"n","containers":[{"name":"c"}]}})";
  for (const std::string& text : {manifest_of("Deployment", "", R"(,"uid":"u")"), set}) {
    const document::Document document = document::Document::parse(text, "file", diagnostics);
    for (document::Value root : document.roots()) reader.add(root);
  }
  const Objects objects = reader.take();
  EXPECT_EQ(diagnostics.count(), 0u);
  Creation creation([] { return std::vector<model::Node>(); }, true);
  creation.play_workloads();
  creation.add_cluster(objects);
  Remarks remarks;
  const std::vector<model::Change> made = creation.cluster_workloads(remarks);
  ASSERT_THAT(made, SizeIs(1));
  const auto& object = std::get<model::ControllerObject>(made[0].object);
  const auto& of = std::get<model::Workload>(object.data->value);
  EXPECT_TRUE(of.has_pods);
  EXPECT_EQ(of.controller.name, "w-h");
  EXPECT_EQ(of.controller.uid, "s");
}

}  // namespace
}  // namespace berth::ingest
