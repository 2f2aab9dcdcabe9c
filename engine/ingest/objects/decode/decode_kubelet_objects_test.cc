#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <variant>

#include "engine/ingest/conversion/dropped.h"
#include "engine/ingest/objects/objects_for_tests.h"
#include "engine/ingest/written/object_json.h"
#include "engine/model/objects/controller_objects.h"

namespace berth::ingest {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

Decoded<model::ControllerObject> of_kubelet(const std::string& kind, const std::string& text) {
  return {[&](document::Value value, Diagnostics& diagnostics, Defaults defaults) {
            return decode_kubelet_object(value, kind, diagnostics, defaults);
          },
          text, Defaults::kApiServer};
}

model::KubeletConfiguration configuration(const std::string& text) {
  const auto decoding = of_kubelet("KubeletConfiguration", text);
  EXPECT_EQ(decoding.errors, Texts());
  return std::get<model::KubeletConfiguration>(decoding.object.value().data->value);
}

std::string fault(const std::string& text) {
  const auto decoding = of_kubelet("KubeletConfiguration", text);
  EXPECT_FALSE(decoding.object);
  return decoding.errors.empty() ? "" : decoding.errors.front();
}

TEST(DecodeKubeletObjects, ReadsAConfiguration) {
  const model::KubeletConfiguration all = configuration(R"(
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
metadata: {name: small, annotations: {berth/node-selector: "pool=small,tier!=spare,ssd,!old"}}
evictionHard: {memory.available: 1Gi, nodefs.available: 12%}
mergeDefaultEvictionSettings: true
evictionSoft: {memory.available: 2Gi}
evictionSoftGracePeriod: {memory.available: 1m30s}
evictionMinimumReclaim: {memory.available: 500Mi}
evictionMaxPodGracePeriod: 60
evictionPressureTransitionPeriod: 1m0s
nodeStatusUpdateFrequency: 20s
enforceNodeAllocatable: [none]
systemReserved: {memory: 1Gi, cpu: 500m}
kubeReserved: {memory: 1Gi}
shutdownGracePeriod: 0s
cgroupDriver: systemd
)");
  ASSERT_TRUE(all.eviction_hard);
  EXPECT_THAT(*all.eviction_hard,
              ElementsAre(Pair("memory.available", "1Gi"), Pair("nodefs.available", "12%")));
  EXPECT_TRUE(all.merges_default_eviction);
  EXPECT_THAT(all.eviction_soft, ElementsAre(Pair("memory.available", "2Gi")));
  EXPECT_THAT(all.eviction_soft_grace, ElementsAre(Pair("memory.available", "1m30s")));
  EXPECT_THAT(all.minimum_reclaim, ElementsAre(Pair("memory.available", "500Mi")));
  EXPECT_EQ(all.most_grace_seconds, 60);
  EXPECT_EQ(all.pressure_transition, Time(1min));
  EXPECT_EQ(all.status_update, Time(20s));
  EXPECT_FALSE(all.enforces_pods);
  EXPECT_EQ(amounts(all.reserved), "cpu=500m memory=2147483648");
  const std::vector<model::Requirement> wanted = {{"pool", "In", {"small"}},
                                                  {"tier", "NotIn", {"spare"}},
                                                  {"ssd", "Exists", {}},
                                                  {"old", "DoesNotExist", {}}};
  EXPECT_EQ(all.node_selector.value().match_expressions, wanted);
}

TEST(DecodeKubeletObjects, AnEmptyConfigurationHasTheDefaults) {
  const model::KubeletConfiguration none = configuration("{kind: KubeletConfiguration}");
  EXPECT_FALSE(none.eviction_hard);
  EXPECT_FALSE(none.node_selector);
  EXPECT_EQ(none.pressure_transition, Time(5min));
  EXPECT_TRUE(none.enforces_pods);
  EXPECT_EQ(configuration("{evictionPressureTransitionPeriod: 0s}").pressure_transition,
            Time(5min));
}

TEST(DecodeKubeletObjects, FaultsNameTheFieldAndItsLine) {
  EXPECT_THAT(fault("evictionHard:\n  memory.free: 1Gi"),
              HasSubstr("file:2:16: evictionHard[memory.free]: there is no such signal"));
  EXPECT_THAT(fault("evictionHard: {memory.available: 1Gb}"),
              HasSubstr("expected a quantity above 0 or a percentage"));
  EXPECT_THAT(fault("evictionHard: {memory.available: 110%}"), HasSubstr("\"110%\""));
  EXPECT_THAT(fault("evictionSoft: {memory.available: 1Gi}"),
              HasSubstr("has no grace period; expected one in evictionSoftGracePeriod"));
  EXPECT_THAT(fault("evictionSoftGracePeriod: {memory.available: 90}"), HasSubstr("a string"));
  EXPECT_THAT(fault("evictionMinimumReclaim: {memory.available: 0%}"),
              HasSubstr("expected a quantity or a percentage above 0%"));
  EXPECT_THAT(fault("evictionPressureTransitionPeriod: long"), HasSubstr("expected a duration"));
  EXPECT_THAT(fault("shutdownGracePeriod: 30s"),
              HasSubstr("the graceful shutdown of nodes is not played"));
  EXPECT_THAT(fault("{metadata: {annotations: {berth/node-selector: pool in (a)}}}"),
              HasSubstr("expected labels of nodes such as pool=small"));
}

TEST(DecodeKubeletObjects, ReadsMeasures) {
  const auto pod = of_kubelet("PodMetrics", R"(
metadata: {name: p}
timestamp: "2024-01-01T00:00:00Z"
containers:
- {name: a, usage: {cpu: 250m, memory: 100Mi}}
- {name: b, usage: {memory: "7", ephemeral-storage: 1Ki, berth/inodes: 3, berth/pids: "2"}}
)");
  ASSERT_EQ(pod.errors, Texts());
  EXPECT_EQ(full_name(*pod.object), "default/p");
  const auto& containers = std::get<model::PodMetrics>(pod.object->data->value).containers;
  const std::vector<model::ContainerMetrics> wanted = {
      {"a", {.memory = 104857600}},
      {"b", {.memory = 7, .storage = 1024, .inodes = 3, .processes = 2}}};
  EXPECT_EQ(containers, wanted);

  const auto node = of_kubelet("NodeMetrics", "{metadata: {name: n1}, usage: {memory: 5Gi}}");
  ASSERT_EQ(node.errors, Texts());
  EXPECT_EQ(full_name(*node.object), "n1");
  const model::MeasuredUsage five{.memory = int64_t{5} << 30};
  EXPECT_EQ(std::get<model::NodeMetrics>(node.object->data->value).usage, five);
  EXPECT_FALSE(std::get<model::NodeMetrics>(node.object->data->value).beside_pods);
  EXPECT_THAT(of_kubelet("NodeMetrics", "{metadata: {name: n1}, usage: {memory: much}}").errors,
              ElementsAre(HasSubstr("usage.memory: expected a quantity")));
}

TEST(DecodeKubeletObjects, NodeMetricsMayLeavePodsOut) {
  const auto beside = [](const std::string& value) {
    return of_kubelet("NodeMetrics", R"({"metadata":{"name":"n","labels":{"a":"b"},)"
                                     R"("annotations":{"x":"y","berth/beside-pods":")" +
                                         value + R"("}},"usage":{"memory":"7"}})");
  };
  const auto node = beside("true");
  ASSERT_EQ(node.errors, Texts());
  EXPECT_TRUE(std::get<model::NodeMetrics>(node.object->data->value).beside_pods);
  EXPECT_EQ(node.object->json,
            R"({"apiVersion":"metrics.k8s.io/v1beta1","kind":"NodeMetrics","metadata":{"name":)"
            R"("n","annotations":{"berth/beside-pods":"true"}},"usage":{"memory":"7"}})");
  EXPECT_THAT(beside("1").errors, ElementsAre(HasSubstr("beside-pods]: expected \"true\"")));
}

TEST(DecodeKubeletObjects, AreWrittenAsTheyAreRead) {
  const auto pod = of_kubelet("PodMetrics", R"({"metadata":{"name":"p"},"window":"10s",)"
                                            R"("containers":[{"name":"a","usage":{}}]})");
  std::string json;
  append(*pod.object, json);
  EXPECT_EQ(json, R"({"apiVersion":"metrics.k8s.io/v1beta1","kind":"PodMetrics",)"
                  R"("metadata":{"namespace":"default","name":"p"},)"
                  R"("containers":[{"name":"a","usage":{}}]})");
  const auto settings =
      of_kubelet("KubeletConfiguration", R"({"evictionHard":{"memory.available":"1Gi"}})");
  json.clear();
  append(*settings.object, json);
  EXPECT_EQ(json, R"({"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration",)"
                  R"("evictionHard":{"memory.available":"1Gi"}})");
}

TEST(DecodeKubeletObjects, RefusesWhatMeansNothingToAKubelet) {
  EXPECT_THAT(fault("enforceNodeAllocatable: [pod]"), HasSubstr("found \"pod\""));
  EXPECT_THAT(fault("enforceNodeAllocatable: [none, pods]"), HasSubstr("none alone"));
  EXPECT_THAT(fault("systemReserved: {gpu: 1}"),
              HasSubstr("systemReserved.gpu: is not reserved; expected cpu, memory"));
  EXPECT_THAT(fault("kubeReserved: {nvidia.com/gpu: 1}"), HasSubstr("is not reserved"));
  EXPECT_THAT(fault("metadata: {annotations: {berth/node-selektor: pool=a}}"),
              HasSubstr("there is no such annotation; expected berth/node-selector"));
  configuration("{enforceNodeAllocatable: [none], systemReserved: {pid: 100}}");
}

TEST(DecodeKubeletObjects, AreReadFromFilesAndLists) {
  const Read read(R"(
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
evictionHard: {memory.available: 1Gi}
cgroupDriver: systemd
---
apiVersion: metrics.k8s.io/v1beta1
kind: PodMetricsList
items:
- metadata: {name: p, namespace: team}
  containers: [{name: c, usage: {memory: 1Gi}}]
)");
  ASSERT_EQ(read.errors, Texts());
  ASSERT_EQ(read.objects.others.size(), 2);
  EXPECT_EQ(full_name(read.objects.others[1].object), "team/p");
  EXPECT_THAT(read.objects.remarks.unread_kubelet_fields, ElementsAre("cgroupDriver"));
  EXPECT_EQ(read.objects.remarks.of_kubelets.count, 2);
}

TEST(DecodeKubeletObjects, ANodesCapacityIsKeptWhereItSaysMoreThanAllocatable) {
  const Read read(R"(
kind: Node
metadata: {name: a}
status: {capacity: {cpu: "4"}, allocatable: {cpu: "3"}}
---
kind: Node
metadata: {name: b}
status: {capacity: {cpu: "4"}, allocatable: {cpu: "4"}}
---
kind: Node
metadata: {name: c}
status: {capacity: {cpu: "4"}}
)");
  ASSERT_EQ(read.errors, Texts());
  std::vector<std::string> capacities;
  for (const model::Change& change : read.objects.others)
    capacities.push_back(amounts(std::get<model::Node>(change.object).capacity));
  EXPECT_THAT(capacities, ElementsAre("cpu=4", "", ""));
}

}  // namespace
}  // namespace berth::ingest
