// Remarks: fields that the API does not have, claims, and priorities that nobody filled in.

#include "engine/ingest/objects/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/ingest/objects/fields/api_fields.h"
#include "engine/ingest/objects/objects_for_tests.h"

namespace berth::ingest {
namespace {

using testing::ElementsAre;

std::string inspected_pod(const std::string& name, const std::string& spec,
                          const std::string& more = "") {
  return R"({"kind":"Pod","metadata":{"name":")" + name + R"("},"spec":{)" + spec + "}" + more +
         "}\n";
}

Texts fields(const Read& read) {
  Texts texts;
  for (const Remarks::Field& field : read.objects.remarks.unknown_fields)
    texts.push_back(std::to_string(field.count) + " " + field.path + ": " + field.first.what());
  return texts;
}

TEST(ApiFields, AreSortedWithinEachType) {
  const ApiFields& api = ApiFields::get();
  for (uint16_t type = 0; api.begin(type) + 1u < api.size(); ++type) {
    EXPECT_EQ(api.name(api.begin(type)), "");
    for (auto field = static_cast<uint16_t>(api.begin(type) + 2); field < api.end(type); ++field)
      EXPECT_LT(api.name(static_cast<uint16_t>(field - 1)), api.name(field)) << api.type_name(type);
    if (api.end(type) == api.size()) break;
  }
}

TEST(Inspect, NamesAnUnknownFieldOnceWithWhatMayBeMeant) {
  const Read read(inspected_pod("a", R"("nodeSelectors":{"x":"y"})") +
                  inspected_pod("b", R"("nodeselector":{"x":"y"},"tolerationz":[])") +
                  inspected_pod("c", R"("nodeSelectors":{},"colour":1)"));
  EXPECT_EQ(read.errors, Texts());
  EXPECT_EQ(read.objects.pods.size(), 3u);
  const std::string not_a_field = ": not a field of the Kubernetes API";
  EXPECT_THAT(fields(read), ElementsAre("2 Pod.spec.nodeSelectors: file:1:47: spec.nodeSelectors" +
                                            not_a_field + "; did you mean nodeSelector?",
                                        "1 Pod.spec.nodeselector: file:2:47: spec.nodeselector" +
                                            not_a_field + "; did you mean nodeSelector?",
                                        "1 Pod.spec.tolerationz: file:2:72: spec.tolerationz" +
                                            not_a_field + "; did you mean tolerations?",
                                        "1 Pod.spec.colour: file:3:66: spec.colour" + not_a_field));
  EXPECT_EQ(read.objects.remarks.unknown_field_occurrences, 5u);
}

TEST(Inspect, LooksIntoWhatIsWithinAPod) {
  const Read read(
      inspected_pod("a", R"("containers":[{"name":"c","resource":{}},{"name":"d","ports":[
      {"containerPort":1,"hostport":2}],"livenessProbe":{"httpGet":{"pth":"/"}}}],
      "affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
      {"topologyKey":"zone","labelSelector":{"matchlabels":{}}}]}})"));
  Texts paths;
  for (const Remarks::Field& field : read.objects.remarks.unknown_fields)
    paths.push_back(field.path);
  EXPECT_THAT(
      paths, ElementsAre("Pod.spec.containers[].resource", "Pod.spec.containers[].ports[].hostport",
                         "Pod.spec.containers[].livenessProbe.httpGet.pth",
                         "Pod.spec.affinity.podAffinity."
                         "requiredDuringSchedulingIgnoredDuringExecution[]."
                         "labelSelector.matchlabels"));
}

TEST(Inspect, LooksIntoNodes) {
  const Read read(
      R"({"kind":"Node","metadata":{"name":"n","lables":{}},"status":{"alocatable":{}}})");
  EXPECT_THAT(fields(read),
              ElementsAre(testing::StartsWith("1 Node.metadata.lables: "),
                          testing::AllOf(testing::StartsWith("1 Node.status.alocatable: "),
                                         testing::EndsWith("did you mean allocatable?"))));
}

TEST(Inspect, IsSilentAboutFieldsThatAreKnownAndNotRead) {
  const Read read(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"any":"x"},
      "annotations":{"any":"x"},"managedFields":[{"fieldsV1":{"f:any":{}}}],"uid":"1"},
      "spec":{"containers":[{"name":"c","env":[{"name":"A","valueFrom":{"fieldRef":{
      "fieldPath":"x"}}}],"resources":{"limits":{"example.com/any":"1"}},"volumeMounts":[
      {"mountPath":"/","name":"v","readOnly":true}],"startupProbe":{"grpc":{"port":1}}}],
      "dnsPolicy":"ClusterFirst","nodeSelector":{"any":"x"},"securityContext":{},
      "volumes":[{"name":"v","projected":{"sources":[{"configMap":{"name":"m","items":[
      {"key":"a","path":"b"}]}}]}}],"hostnameOverride":"h"},
      "status":{"conditions":[{"type":"Ready","observedGeneration":1}],"podIPs":[{"ip":"::1"}]}})");
  EXPECT_THAT(fields(read), ElementsAre());
}

TEST(Inspect, FindsFieldsInWhateverOrderTheyStand) {
  const Read read(inspected_pod("a", R"("priority":1,"nodeName":"n","affinity":null)") +
                  inspected_pod("b", R"("affinity":null,"priority":1,"nodeName":"n")") +
                  inspected_pod("c", R"("volumes":[],"name":"c","containers":[])"));
  EXPECT_THAT(fields(read), ElementsAre(testing::StartsWith("1 Pod.spec.name: file:3:")));
}

TEST(Inspect, PodsOfFilesAreReadWithTheirVolumes) {
  const std::string claim = R"("volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}])";
  const Read read(
      inspected_pod("a", claim) +
      inspected_pod("b", R"("volumes":[{"name":"v","ephemeral":{"volumeClaimTemplate":{}}}])") +
      inspected_pod("c", R"("volumes":[{"name":"v","emptyDir":{}}])"));
  ASSERT_EQ(read.objects.pods.size(), 3u);
  ASSERT_EQ(read.objects.pods[0].spec.volumes.size(), 1u);
  EXPECT_EQ(read.objects.pods[0].spec.volumes[0].claim, "c");
  ASSERT_EQ(read.objects.pods[1].spec.volumes.size(), 1u);
  EXPECT_TRUE(read.objects.pods[1].spec.volumes[0].ephemeral);
  EXPECT_TRUE(read.objects.pods[2].spec.volumes.empty());
}

TEST(Inspect, CountsPodsWhosePriorityClassIsNotResolved) {
  const Read read(inspected_pod("a", R"("priorityClassName":"high")") +
                  inspected_pod("b", R"("priorityClassName":"high","priority":5)") +
                  inspected_pod("c", R"("priorityClassName":"")"));
  EXPECT_EQ(read.objects.remarks.without_priority.count, 1u);
  EXPECT_THAT(read.objects.remarks.without_priority.examples, ElementsAre("default/a"));
}

TEST(Inspect, NamesBudgetsWithoutAStatus) {
  const std::string budget =
      R"({"kind":"PodDisruptionBudget","apiVersion":"policy/v1","metadata":)";
  const Read read(budget + R"({"name":"a"},"spec":{"minAvailable":1}})" + budget +
                  R"({"name":"b","namespace":"s"},"status":{"expectedPods":1}})" + budget +
                  R"({"name":"c"},"status":{"disruptionsAllowed":0}})");
  EXPECT_THAT(read.objects.remarks.budgets_without_status.examples,
              ElementsAre("default/a", "s/b"));
}

TEST(Inspect, NamesPodsThatTolerateTaintsForATime) {
  const auto with = [](const char* name, const std::string& toleration) {
    return inspected_pod(name,
                         R"("tolerations":[{"key":"a","operator":"Exists"},)" + toleration + "]");
  };
  const Read read(with("a", R"({"key":"k","operator":"Exists","tolerationSeconds":300})") +
                  with("b", R"({"key":"node.kubernetes.io/not-ready","tolerationSeconds":300})") +
                  with("c", R"({"key":"node.kubernetes.io/not-ready","tolerationSeconds":30})") +
                  with("d", R"({"key":"k","operator":"Exists"})"));
  EXPECT_THAT(read.objects.remarks.tolerating_for_a_time.examples,
              ElementsAre("default/a", "default/c"));
}

TEST(Inspect, NamesNodesWithAConditionAndWithoutItsTaint) {
  const auto node = [](const char* name, const char* taints, const char* type, const char* status) {
    return std::string(R"({"kind":"Node","apiVersion":"v1","metadata":{"name":")") + name +
           R"("},"spec":{"taints":[)" + taints + R"(]},"status":{"conditions":[{"type":")" + type +
           R"(","status":")" + status + R"("}]}})";
  };
  const char taint[] = R"({"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"})";
  const Read read(node("a", "", "Ready", "False") + node("b", "", "Ready", "True") +
                  node("c", taint, "Ready", "False") + node("d", taint, "Ready", "Unknown") +
                  node("e", "", "DiskPressure", "True") + node("f", "", "DiskPressure", "False"));
  EXPECT_THAT(read.objects.remarks.untainted_nodes.examples,
              ElementsAre("a (Ready=False)", "d (Ready=Unknown)", "e (DiskPressure=True)"));
}

TEST(Inspect, NamesNodesWithoutAmounts) {
  const auto node = [](const std::string& name, const std::string& status) {
    return R"({"kind":"Node","apiVersion":"v1","metadata":{"name":")" + name + R"("})" + status +
           "}\n";
  };
  const Read read(node("a", "") + node("b", R"(,"status":{"allocatable":{"pods":"1"}})") +
                  node("c", R"(,"status":{"capacity":{"pods":"1"}})") +
                  node("d", R"(,"status":{"allocatable":{}})") + node("e", R"(,"status":{})") +
                  node("f", ""));
  EXPECT_EQ(read.objects.remarks.empty_nodes.count, 4u);
  EXPECT_THAT(read.objects.remarks.empty_nodes.examples,
              ElementsAre("a (file:1:1)", "d (file:4:1)", "e (file:5:1)"));
}

TEST(Remarks, AddUp) {
  Remarks all, more;
  more.add_unknown_field("Pod.x", Error("first"), 2);
  more.add_unknown_field("Pod.y", Error("second"));
  model::Pod pod;
  pod.namespace_name = "s";
  pod.name = "p";
  more.with_resource_claims.add(pod);
  more.budgets_without_status.add("b");
  more.tolerating_for_a_time.add("t");
  more.running_for_a_time.add("r");
  more.untainted_nodes.add("n");
  more.empty_nodes.add("e");
  all.add(more);
  all.add(more);
  EXPECT_EQ(all.unknown_field_occurrences, 6u);
  ASSERT_EQ(all.unknown_fields.size(), 2u);
  EXPECT_EQ(all.unknown_fields[0].count, 4u);
  EXPECT_EQ(all.with_resource_claims.count, 2u);
  EXPECT_EQ(all.budgets_without_status.count, 2u);
  EXPECT_EQ(all.tolerating_for_a_time.count, 2u);
  EXPECT_EQ(all.running_for_a_time.count, 2u);
  EXPECT_EQ(all.untainted_nodes.count, 2u);
  EXPECT_EQ(all.empty_nodes.count, 2u);
}

TEST(Remarks, KeepABoundedNumberOfFields) {
  Remarks remarks;
  for (size_t i = 0; i < 2 * Remarks::kMostFields; ++i)
    remarks.add_unknown_field("Pod." + std::to_string(i), Error(""));
  EXPECT_EQ(remarks.unknown_fields.size(), Remarks::kMostFields);
  EXPECT_EQ(remarks.unknown_field_occurrences, 2 * Remarks::kMostFields);
}

}  // namespace
}  // namespace berth::ingest
