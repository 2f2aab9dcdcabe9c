// Decoding of single objects: every field that is read.

#include <gtest/gtest.h>

#include <string>

#include "engine/ingest/objects/objects_for_tests.h"

namespace berth::ingest {
namespace {

model::Pod decoded_pod(std::string_view text, Defaults defaults = Defaults::kNone) {
  Decoded<model::Pod> decoded(decode_pod, text, defaults);
  EXPECT_EQ(decoded.errors, Texts()) << text;
  return decoded.object.value_or(model::Pod());
}

model::Node decoded_node(std::string_view text, Defaults defaults = Defaults::kNone) {
  Decoded<model::Node> decoded(decode_node, text, defaults);
  EXPECT_EQ(decoded.errors, Texts()) << text;
  return decoded.object.value_or(model::Node());
}

Texts faults_of_pod(std::string_view text) {
  Decoded<model::Pod> decoded(decode_pod, text, Defaults::kNone);
  EXPECT_EQ(decoded.object.has_value(), decoded.errors.empty());
  return decoded.errors;
}

TEST(DecodeNode, ReadsEveryField) {
  model::Node n = decoded_node(R"(
metadata:
  name: n1
  labels: {zone: b, arch: amd64}
  annotations: {note: x}
spec:
  unschedulable: true
  taints:
  - {key: k, value: v, effect: NoSchedule, timeAdded: "2024-01-01T00:00:00Z"}
  - {key: l, effect: NoExecute}
status:
  capacity: {cpu: "8"}
  allocatable: {memory: 16Gi, cpu: 3920m, pods: 110, example.com/gpu: "2"}
  images:
  - names: [a:1, "a@sha256:0"]
    sizeBytes: 123456789012
  - names: []
  conditions:
  - {type: MemoryPressure, status: "False", reason: KubeletHasSufficientMemory}
  - {type: Ready, status: Unknown, lastHeartbeatTime: "2024-01-01T00:00:00Z"}
  declaredFeatures: [B, A]
  features: {supplementalGroupsPolicy: true}
)");
  EXPECT_TRUE(n.supplemental_groups_policy);
  EXPECT_EQ(n.declared_features, Texts({"B", "A"}));
  EXPECT_EQ(n.name, "n1");
  EXPECT_EQ(pairs(n.labels), "arch=amd64 zone=b");
  EXPECT_EQ(pairs(n.annotations), "note=x");
  EXPECT_TRUE(n.unschedulable);
  EXPECT_EQ(n.taints,
            (std::vector<model::Taint>{{"k", "v", "NoSchedule"}, {"l", "", "NoExecute"}}));
  EXPECT_EQ(amounts(n.allocatable), "cpu=3920m example.com/gpu=2 memory=17179869184 pods=110");
  ASSERT_EQ(n.images.size(), 2u);
  EXPECT_EQ(n.images[0].names, Texts({"a:1", "a@sha256:0"}));
  EXPECT_EQ(n.images[0].size_bytes, 123456789012);
  EXPECT_TRUE(n.images[1].names.empty());
  EXPECT_EQ(n.conditions,
            (std::vector<model::NodeCondition>{{"MemoryPressure", "False"}, {"Ready", "Unknown"}}));
}

TEST(DecodeNode, RefusesStatesThatNoNodeHas) {
  const auto fault = [](const std::string& more) {
    const Read read(R"({"kind":"Node","metadata":{"name":"n")" + more + "}");
    return read.errors.empty() ? std::string() : read.errors.front();
  };
  EXPECT_EQ(fault(R"(},"status":{"conditions":[{"type":"Ready","status":"Unknown"}]})"), "");
  const std::string maybe =
      fault(R"(},"status":{"conditions":[{"type":"Ready","status":"Maybe"}]})");
  EXPECT_NE(maybe.find("status: expected True, False or Unknown, found \"Maybe\""), maybe.npos)
      << maybe;
  EXPECT_EQ(fault(R"(,"annotations":{"berth/kubelet":"stopped"}})"), "");
  const std::string stoped = fault(R"(,"annotations":{"berth/kubelet":"stoped"}})");
  EXPECT_NE(stoped.find("expected stopped, found \"stoped\""), stoped.npos) << stoped;
}

TEST(DecodeNode, NullIsTheSameAsAbsent) {
  model::Node n = decoded_node(R"({"metadata": {"name": "n", "labels": null}, "spec": null,
      "status": {"allocatable": {"cpu": null}, "images": [null, {"names": [null]}]}})");
  EXPECT_EQ(n.name, "n");
  EXPECT_EQ(amounts(n.allocatable), "cpu=0");
  ASSERT_EQ(n.images.size(), 2u);
  EXPECT_EQ(n.images[1].names, Texts({""}));
}

TEST(DecodeNode, AllocatableIsTheCapacityOnlyByDefault) {
  const char text[] = R"({"metadata": {"name": "n"}, "status": {"capacity": {"cpu": "4"}}})";
  EXPECT_EQ(amounts(decoded_node(text, Defaults::kNone).allocatable), "");
  EXPECT_EQ(amounts(decoded_node(text, Defaults::kApiServer).allocatable), "cpu=4");
  const char both[] =
      R"({"metadata": {"name": "n"}, "status": {"capacity": {"cpu": "4"}, "allocatable": {}}})";
  EXPECT_EQ(amounts(decoded_node(both, Defaults::kApiServer).allocatable), "");
}

TEST(DecodeNode, OfAKeyThatIsGivenTwiceTheLastCounts) {
  model::Node n =
      decoded_node(R"({"metadata": {"name": "n", "labels": {"b": "1", "a": "2", "b": "3"}}})");
  EXPECT_EQ(pairs(n.labels), "a=2 b=3");
}

TEST(DecodePod, ReadsTheImagesOfVolumes) {
  const model::Pod pod = decoded_pod(R"({"metadata": {"name": "p"}, "spec": {"volumes": [
      {"name": "a", "image": {"reference": "registry.example/model:v1", "pullPolicy": "Always"}},
      {"name": "b", "emptyDir": {}}, {"name": "c", "image": {}}, {"name": "d", "image": null}]}})");
  ASSERT_EQ(pod.spec.volumes.size(), 1u);
  EXPECT_EQ(pod.spec.volumes[0].image, "registry.example/model:v1");
}

TEST(DecodePod, ReadsWhatScheduling_LooksAt) {
  model::Pod p = decoded_pod(R"(
metadata:
  name: p
  namespace: ns
  uid: u-1
  labels: {app: web}
  deletionTimestamp: 2024-01-01T00:00:00Z
spec:
  schedulerName: mine
  nodeName: n1
  priority: -5
  preemptionPolicy: Never
  nodeSelector: {disk: ssd}
  tolerations:
  - {key: k, operator: Equal, value: v, effect: NoSchedule, tolerationSeconds: 30}
  - operator: Exists
  schedulingGates: [{name: g1}, {name: g2}]
  topologySpreadConstraints:
  - maxSkew: 2
    topologyKey: zone
    whenUnsatisfiable: DoNotSchedule
    labelSelector: {matchLabels: {app: web}}
    minDomains: 3
    nodeAffinityPolicy: Ignore
    nodeTaintsPolicy: Honor
    matchLabelKeys: [hash]
  - {maxSkew: 1, topologyKey: host, whenUnsatisfiable: ScheduleAnyway}
status:
  phase: Running
  nominatedNodeName: n2
)");
  EXPECT_EQ(p.name, "p");
  EXPECT_EQ(p.namespace_name, "ns");
  EXPECT_EQ(p.uid, "u-1");
  EXPECT_TRUE(p.terminating);
  EXPECT_EQ(p.phase, model::PodPhase::kRunning);
  EXPECT_EQ(p.nominated_node_name, "n2");
  EXPECT_TRUE(p.bound());
  const model::PodSpec& s = p.spec;
  EXPECT_EQ(pairs(s.labels), "app=web");
  EXPECT_EQ(s.scheduler_name, "mine");
  EXPECT_EQ(s.node_name, "n1");
  EXPECT_EQ(s.priority, -5);
  EXPECT_EQ(s.preemption_policy, "Never");
  EXPECT_TRUE(s.has_node_selector);
  EXPECT_EQ(pairs(s.node_selector), "disk=ssd");
  EXPECT_EQ(s.tolerations, (std::vector<model::Toleration>{{"k", "Equal", "v", "NoSchedule", 30},
                                                           {"", "Exists", "", ""}}));
  EXPECT_EQ(s.scheduling_gates, Texts({"g1", "g2"}));
  ASSERT_EQ(s.topology_spread_constraints.size(), 2u);
  const model::TopologySpreadConstraint& spread = s.topology_spread_constraints[0];
  EXPECT_EQ(spread.max_skew, 2);
  EXPECT_EQ(spread.topology_key, "zone");
  EXPECT_EQ(spread.when_unsatisfiable, "DoNotSchedule");
  ASSERT_TRUE(spread.label_selector);
  EXPECT_EQ(pairs(spread.label_selector->match_labels), "app=web");
  EXPECT_EQ(spread.min_domains, 3);
  EXPECT_EQ(spread.node_affinity_policy, "Ignore");
  EXPECT_EQ(spread.node_taints_policy, "Honor");
  EXPECT_EQ(spread.match_label_keys, Texts({"hash"}));
  EXPECT_FALSE(s.topology_spread_constraints[1].label_selector);
  EXPECT_FALSE(s.topology_spread_constraints[1].min_domains);
}

TEST(DecodePod, ReadsAffinities) {
  model::Pod p = decoded_pod(R"(
metadata: {name: p}
spec:
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions: [{key: zone, operator: In, values: [a, b]}]
          matchFields: [{key: metadata.name, operator: NotIn, values: [n1]}]
        - {}
      preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 7
        preference: {matchExpressions: [{key: cores, operator: Gt, values: ["4"]}]}
    podAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: zone
        labelSelector: {matchExpressions: [{key: app, operator: Exists}]}
        namespaces: [x, z]
        matchLabelKeys: [m]
        mismatchLabelKeys: [o]
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm: {topologyKey: host, namespaceSelector: {}}
)");
  const model::Affinity& a = p.spec.affinity;
  ASSERT_TRUE(a.node_required);
  ASSERT_EQ(a.node_required->terms.size(), 2u);
  EXPECT_EQ(a.node_required->terms[0].match_expressions,
            (std::vector<model::Requirement>{{"zone", "In", {"a", "b"}}}));
  EXPECT_EQ(a.node_required->terms[0].match_fields,
            (std::vector<model::Requirement>{{"metadata.name", "NotIn", {"n1"}}}));
  EXPECT_EQ(a.node_required->terms[1], model::NodeSelectorTerm());
  EXPECT_TRUE(a.has_node_preferred);
  ASSERT_EQ(a.node_preferred.size(), 1u);
  EXPECT_EQ(a.node_preferred[0].weight, 7);
  EXPECT_EQ(a.node_preferred[0].preference.match_expressions[0].op, "Gt");
  ASSERT_TRUE(a.pod_affinity);
  ASSERT_EQ(a.pod_affinity->required.size(), 1u);
  const model::PodAffinityTerm& term = a.pod_affinity->required[0];
  EXPECT_EQ(term.topology_key, "zone");
  ASSERT_TRUE(term.label_selector);
  EXPECT_EQ(term.label_selector->match_expressions[0].op, "Exists");
  EXPECT_FALSE(term.namespace_selector);
  EXPECT_EQ(term.namespaces, Texts({"x", "z"}));
  EXPECT_EQ(term.match_label_keys, Texts({"m"}));
  EXPECT_EQ(term.mismatch_label_keys, Texts({"o"}));
  ASSERT_TRUE(a.pod_anti_affinity);
  EXPECT_TRUE(a.pod_anti_affinity->required.empty());
  ASSERT_EQ(a.pod_anti_affinity->preferred.size(), 1u);
  EXPECT_EQ(a.pod_anti_affinity->preferred[0].weight, 100);
  EXPECT_EQ(a.pod_anti_affinity->preferred[0].term.namespace_selector, model::LabelSelector());
}

TEST(DecodePod, TellsAbsentFromEmpty) {
  model::Pod absent =
      decoded_pod(R"({"metadata": {"name": "p"}, "spec": {"affinity": {}, "nodeSelector": null}})");
  EXPECT_FALSE(absent.spec.has_node_selector);
  EXPECT_FALSE(absent.spec.affinity.node_required);
  EXPECT_FALSE(absent.spec.affinity.has_node_preferred);
  EXPECT_FALSE(absent.spec.affinity.pod_affinity);
  EXPECT_FALSE(absent.spec.priority);
  EXPECT_FALSE(absent.spec.has_pod_resources);
  EXPECT_FALSE(absent.terminating);
  model::Pod empty = decoded_pod(
      R"({"metadata": {"name": "p"}, "spec": {"nodeSelector": {}, "priority": 0, "resources": {},
      "affinity": {"podAffinity": {}, "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []},
        "preferredDuringSchedulingIgnoredDuringExecution": []}}}})");
  EXPECT_TRUE(empty.spec.has_node_selector);
  ASSERT_TRUE(empty.spec.affinity.node_required);
  EXPECT_TRUE(empty.spec.affinity.node_required->terms.empty());
  EXPECT_TRUE(empty.spec.affinity.has_node_preferred);
  EXPECT_EQ(empty.spec.affinity.pod_affinity, model::PodAffinity());
  EXPECT_EQ(empty.spec.priority, 0);
  EXPECT_TRUE(empty.spec.has_pod_resources);
}

TEST(DecodePod, ReadsContainersAndResources) {
  model::Pod p = decoded_pod(R"(
metadata: {name: p}
spec:
  initContainers:
  - {name: init, image: i, resources: {requests: {cpu: 1}}}
  - {name: sidecar, restartPolicy: Always}
  containers:
  - name: main
    image: repo/main:v1
    resources: {requests: {cpu: 0.5, memory: 1Gi, hugepages-2Mi: 4Mi}, limits: {cpu: 2}}
    ports:
    - {containerPort: 80, hostPort: 8080, hostIP: 10.0.0.1, protocol: UDP}
    - {containerPort: 81}
  overhead: {cpu: 10m}
  resources: {requests: {cpu: 3}}
)");
  ASSERT_EQ(p.spec.init_containers.size(), 2u);
  EXPECT_FALSE(p.spec.init_containers[0].restart_always);
  EXPECT_EQ(amounts(p.spec.init_containers[0].requests), "cpu=1");
  EXPECT_TRUE(p.spec.init_containers[1].restart_always);
  ASSERT_EQ(p.spec.containers.size(), 1u);
  const model::Container& main = p.spec.containers[0];
  EXPECT_EQ(main.name, "main");
  EXPECT_EQ(main.image, "repo/main:v1");
  EXPECT_EQ(amounts(main.requests), "cpu=500m hugepages-2Mi=4194304 memory=1073741824");
  EXPECT_EQ(main.ports,
            (std::vector<model::ContainerPort>{{"10.0.0.1", "UDP", 8080}, {"", "", 0}}));
  EXPECT_EQ(amounts(p.spec.overhead), "cpu=10m");
  EXPECT_EQ(amounts(p.spec.pod_requests), "cpu=3");
}

TEST(DecodePod, ReadsWhatAResizeLeft) {
  model::Pod p = decoded_pod(R"(
metadata: {name: p}
status:
  containerStatuses:
  - {name: a, resources: {requests: {cpu: 2}}, allocatedResources: {cpu: 1}}
  - {name: b, allocatedResources: {cpu: 1}}
  initContainerStatuses:
  - {name: c, resources: {}}
  conditions:
  - {type: Ready, status: "True"}
  - {type: PodResizePending, reason: Infeasible}
  - {type: PodResizePending, reason: Deferred}
)");
  // A status without `resources` is ignored.
  ASSERT_EQ(p.spec.container_statuses.size(), 2u);
  EXPECT_EQ(p.spec.container_statuses[0].name, "a");
  EXPECT_EQ(amounts(p.spec.container_statuses[0].requests), "cpu=2");
  EXPECT_EQ(amounts(p.spec.container_statuses[0].allocated_resources), "cpu=1");
  EXPECT_EQ(p.spec.container_statuses[1].name, "c");
  EXPECT_TRUE(p.spec.resize_infeasible);
  EXPECT_FALSE(decoded_pod(R"({"metadata": {"name": "p"}, "status": {"conditions": [
      {"type": "PodResizePending", "reason": "Deferred"}]}})")
                   .spec.resize_infeasible);
}

TEST(DecodePod, ReadsWhatAResizeOfThePodLeft) {
  const std::string status = R"("status": {"resources": {"requests": {"cpu": 2}},
                                           "allocatedResources": {"cpu": 1}}})";
  const model::Pod p = decoded_pod(
      R"({"metadata": {"name": "p"}, "spec": {"resources": {"requests": {"cpu": 3}}},)" + status);
  EXPECT_TRUE(p.spec.own_status.has_resources);
  EXPECT_EQ(amounts(p.spec.own_status.requests), "cpu=2");
  EXPECT_EQ(amounts(p.spec.own_status.allocated_resources), "cpu=1");
  // Without requests of the pod there is nothing to resize.
  EXPECT_FALSE(
      decoded_pod(R"({"metadata": {"name": "p"},)" + status).spec.own_status.has_resources);
}

TEST(DecodePod, KnowsWhatNotEveryNodeCanRun) {
  const auto spec = [](const std::string& text) {
    return decoded_pod(R"({"metadata": {"name": "p"}, "spec": {)" + text + "}}").spec;
  };
  EXPECT_TRUE(spec(R"("hostNetwork": true, "hostUsers": false)").host_user_namespace);
  EXPECT_FALSE(spec(R"("hostNetwork": true, "hostUsers": true)").host_user_namespace);
  EXPECT_FALSE(spec(R"("hostNetwork": true)").host_user_namespace);
  EXPECT_FALSE(spec(R"("hostUsers": false)").host_user_namespace);
  EXPECT_EQ(spec(R"("os": {"name": "windows"})").os, "windows");
  const auto groups = [&](const std::string& policy) {
    return spec(R"("securityContext": {"supplementalGroupsPolicy": ")" + policy + "\"}");
  };
  EXPECT_TRUE(groups("Strict").strict_supplemental_groups);
  EXPECT_FALSE(groups("Merge").strict_supplemental_groups);
  const auto restarts = [&](const std::string& actions) {
    return spec(R"("containers": [{"name": "c", "restartPolicyRules": [)" + actions + "]}]")
        .containers[0]
        .restart_all;
  };
  EXPECT_TRUE(restarts(R"({"action": "Restart"}, {"action": "RestartAllContainers"})"));
  EXPECT_FALSE(restarts(R"({"action": "Restart"})"));
}

TEST(DecodePod, KnowsWhatDrainsAskFor) {
  const model::Pod p = decoded_pod(R"({"metadata": {"name": "p", "annotations": {
      "kubernetes.io/config.mirror": "x"}}, "spec": {"volumes": [{"name": "a", "configMap": {}},
      {"name": "b", "emptyDir": {}}]}, "status": {"conditions": [{"type": "DisruptionTarget",
      "status": "True", "reason": "EvictionByEvictionAPI", "message": "Evicting."}]}})");
  EXPECT_TRUE(p.spec.mirror);
  EXPECT_TRUE(p.spec.empty_dir);
  EXPECT_EQ(p.disrupted_because, "EvictionByEvictionAPI: Evicting.");
  const model::Pod other = decoded_pod(R"({"metadata": {"name": "p"}, "spec": {"volumes": [
      {"name": "a", "configMap": {}}]}, "status": {"conditions": [{"type": "DisruptionTarget",
      "status": "False", "reason": "PreemptionByScheduler"}]}})");
  EXPECT_FALSE(other.spec.mirror);
  EXPECT_FALSE(other.spec.empty_dir);
  EXPECT_EQ(other.disrupted_because, "");
}

TEST(DecodePod, KnowsTheFinishedOnes) {
  auto with_phase = [](const std::string& phase) {
    return decoded_pod(R"({"metadata": {"name": "p"}, "status": {"phase": ")" + phase + "\"}}");
  };
  EXPECT_TRUE(with_phase("Succeeded").finished());
  EXPECT_TRUE(with_phase("Failed").finished());
  EXPECT_FALSE(with_phase("Pending").finished());
  EXPECT_EQ(with_phase("Unknown").phase, model::PodPhase::kUnknown);
  EXPECT_EQ(with_phase("").phase, model::PodPhase::kUnknown);
}

TEST(DecodePod, DefaultsAreThoseOfAnApiServer) {
  const char text[] = R"(
metadata: {generateName: web-}
spec:
  hostNetwork: true
  initContainers: [{name: i, resources: {limits: {memory: 1Gi}}}]
  containers:
  - name: c
    resources: {requests: {cpu: 100m}, limits: {cpu: 200m, memory: 2Gi, a: 100u}}
    ports: [{containerPort: 80}, {containerPort: 81, hostPort: 91}]
)";
  model::Pod p = decoded_pod(text, Defaults::kApiServer);
  EXPECT_EQ(p.name, "web-");
  EXPECT_EQ(p.namespace_name, "default");
  EXPECT_EQ(p.spec.scheduler_name, "");
  EXPECT_EQ(amounts(p.spec.init_containers[0].requests), "memory=1073741824");
  EXPECT_EQ(amounts(p.spec.containers[0].requests), "a=1m cpu=100m memory=2147483648");
  EXPECT_EQ(p.spec.containers[0].ports[0].host_port, 80);
  EXPECT_EQ(p.spec.containers[0].ports[1].host_port, 91);
  EXPECT_EQ(faults_of_pod(text), Texts({"file:2:11: metadata.name: a pod needs a name"}));
  model::Pod bare =
      decoded_pod(R"({"metadata": {"name": "p"}, "spec": {"hostNetwork": true, "containers": [
      {"ports": [{"containerPort": 80}], "resources": {"limits": {"cpu": "0.1m"}}}]}})");
  EXPECT_EQ(bare.namespace_name, "");
  EXPECT_EQ(amounts(bare.spec.containers[0].requests), "");
  EXPECT_EQ(bare.spec.containers[0].ports[0].host_port, 0);
}

TEST(DecodePod, ANameHasABound) {
  const auto pod = [](const char* field, size_t bytes) {
    return std::string("metadata: {name: p, ") + field + ": " + std::string(bytes, 'a') + "}";
  };
  EXPECT_EQ(faults_of_pod(pod("namespace", 255)), Texts());
  EXPECT_EQ(
      faults_of_pod(pod("namespace", 256)),
      Texts({"file:1:32: metadata.namespace: is 256 bytes long, more than the 255 that a name "
             "may have"}));
  EXPECT_EQ(faults_of_pod("metadata: {name: " + std::string(300, 'a') + "}"),
            Texts({"file:1:18: metadata.name: is 300 bytes long, more than the 255 that a name may "
                   "have"}));
}

TEST(DecodePod, LimitsOfThePodAreItsRequestsWhereContainersSayNothing) {
  model::Pod p = decoded_pod(R"(
metadata: {name: p}
spec:
  containers: [{name: a, resources: {requests: {cpu: 1, x: 1}}}, {name: b, resources: {requests: {cpu: 500m}}}]
  resources: {limits: {cpu: 4, memory: 1Gi, hugepages-2Mi: 2Mi, y: 3}}
)",
                             Defaults::kApiServer);
  EXPECT_EQ(amounts(p.spec.pod_requests), "cpu=1500m hugepages-2Mi=2097152 memory=1073741824");
  model::Pod set = decoded_pod(R"(
metadata: {name: p}
spec:
  containers: [{name: a, resources: {requests: {cpu: 1}}}]
  resources: {requests: {cpu: 3}, limits: {cpu: 4}}
)",
                               Defaults::kApiServer);
  EXPECT_EQ(amounts(set.spec.pod_requests), "cpu=3");
}

// A class is kept only where the containers and the requests of the pod do not give it.
TEST(DecodePod, KnowsTheClassThatTheyCannotGive) {
  const auto qos_class = [](const std::string& spec, const std::string& status = "{}") {
    return decoded_pod("{metadata: {name: p}, spec: {" + spec + "}, status: " + status + "}")
        .spec.qos_class;
  };
  using model::QosClass;
  const std::string burstable = "containers: [{name: a, resources: {requests: {cpu: 1}}}]";
  EXPECT_EQ(qos_class(burstable), std::nullopt);
  EXPECT_EQ(qos_class(burstable, "{qosClass: Burstable}"), std::nullopt);
  EXPECT_EQ(qos_class(burstable, "{qosClass: Other}"), std::nullopt);
  EXPECT_EQ(qos_class(burstable, "{qosClass: BestEffort}"), QosClass::kBestEffort);
  const std::string limited =
      "resources: {requests: {cpu: 1, memory: 1}, limits: {cpu: 1, memory: 1}}";
  EXPECT_EQ(qos_class(limited), QosClass::kGuaranteed);
  EXPECT_EQ(qos_class(limited, "{qosClass: Burstable}"), std::nullopt);
  EXPECT_EQ(qos_class("resources: {requests: {cpu: 1}, limits: {cpu: 2}}"), std::nullopt);
}

TEST(DecodeNamespace, ReadsNameAndLabels) {
  Decoded<model::Namespace> decoded(decode_namespace, "metadata: {name: x, labels: {b: c, a: d}}",
                                    Defaults::kNone);
  ASSERT_TRUE(decoded.object);
  EXPECT_EQ(decoded.object->name, "x");
  EXPECT_EQ(pairs(decoded.object->labels), "a=d b=c");
  EXPECT_EQ(Decoded<model::Namespace>(decode_namespace, "{}", Defaults::kNone).errors,
            Texts({"file:1:1: metadata.name: a namespace needs a name"}));
}

}  // namespace
}  // namespace berth::ingest
