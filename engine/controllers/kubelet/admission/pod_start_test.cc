#include "engine/controllers/kubelet/admission/pod_start.h"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <string>

#include "engine/controllers/kubelet/testing.h"

namespace berth::controllers::kubelet {
namespace {

using namespace testing;

model::ResourceList resources(const Texts& texts) {
  model::ResourceList list;
  for (const auto& [name, one] : amounts(texts)) list.emplace_back(name, one.quantity);
  return list;
}

// A pod and its spec say the same.
StartingPod starting(std::string name, const Texts& requests = {}, int32_t priority = 0,
                     const Texts& limits = {}) {
  Pod own = pod(std::move(name), requests, limits);
  own.priority = priority;
  model::PodSpec spec;
  spec.priority = priority;
  spec.node_name = "n1";
  spec.containers.push_back(
      {.name = "c", .image = {}, .requests = resources(requests), .ports = {}});
  return {std::move(own), spec};
}

constexpr int32_t kCritical = 2'000'000'000;

class Starts {
 public:
  NodeFacts node{"n1", {}, {}, resources({{"cpu", "4"}, {"memory", "8Gi"}, {"pods", "10"}}), kGi};

  void run(StartingPod one) { running_.push_back(std::move(one)); }
  // "reason: message", or the names of the pods that are stopped.
  std::string start(const StartingPod& one) {
    std::vector<const StartingPod*> others;
    for (const StartingPod& other : running_) others.push_back(&other);
    const PodStart start = decide_start(predicates_, node, one, others);
    if (start.refusal) return start.refusal->reason + ": " + start.refusal->message;
    std::string names;
    for (const Pod* stopped : start.preempted) names += stopped->name;
    return names;
  }
  std::string reason(const StartingPod& one) {
    const std::string text = start(one);
    return text.substr(0, text.find(':'));
  }

 private:
  Predicates predicates_;
  std::deque<StartingPod> running_;
};

TEST(PodStarts, SystemsAndGroupsThatAreNotSupported) {
  Starts starts;
  StartingPod one = starting("a", {{"cpu", "9"}}, kCritical);
  one.spec.strict_supplemental_groups = true;
  EXPECT_EQ(starts.reason(one), "SupplementalGroupsPolicyNotSupported");
  one.spec.os = "windows";
  EXPECT_EQ(starts.reason(one), "PodOSNotSupported");
  one.spec.labels = {{"kubernetes.io/os", "windows"}};
  EXPECT_EQ(starts.start(one),
            "PodOSSelectorNodeLabelDoesNotMatch: Failed to admit pod as the `kubernetes.io/os` "
            "label doesn't match node label");
  one = starting("a");
  one.spec.os = "linux";
  one.spec.labels = {{"kubernetes.io/os", "linux"}};
  one.spec.strict_supplemental_groups = true;
  starts.node.supplemental_groups_policy = true;
  EXPECT_EQ(starts.start(one), "");
}

TEST(PodStarts, ResourcesThatTheNodeDoesNotListAreIgnoredIfTheyAreExtended) {
  Starts starts;
  EXPECT_EQ(starts.start(starting("a", {{"example.com/gpu", "1"}})), "");
  EXPECT_EQ(starts.reason(starting("a", {{"hugepages-2Mi", "2Mi"}})), "OutOfhugepages-2Mi");
  starts.node.allocatable = resources({{"example.com/gpu", "0"}, {"pods", "10"}});
  EXPECT_EQ(starts.start(starting("a", {{"example.com/gpu", "1"}})),
            "OutOfexample.com/gpu: Node didn't have enough resource: example.com/gpu, requested: "
            "1, used: 0, capacity: 0");
}

TEST(PodStarts, TheNumberOfPodsComesFirst) {
  Starts starts;
  starts.node.allocatable = resources({{"cpu", "1"}, {"pods", "1"}});
  starts.run(starting("a", {{"cpu", "1"}}));
  EXPECT_EQ(starts.reason(starting("b", {{"cpu", "1"}})), "OutOfpods");
}

TEST(PodStarts, TheKubeletLabelsItsNodeWithItsSystem) {
  Starts starts;
  StartingPod one = starting("a");
  one.spec.node_selector = {{"kubernetes.io/os", "linux"}};
  EXPECT_EQ(starts.reason(one), "NodeAffinity");  // there are no labels at all
  starts.node.labels = {{"kubernetes.io/os", "other"}};
  EXPECT_EQ(starts.start(one), "");
  starts.node.labels = {{"disk", "ssd"}};
  EXPECT_EQ(starts.start(one), "");
  one.spec.node_selector = {{"disk", "hdd"}};
  EXPECT_EQ(starts.reason(one), "NodeAffinity");
}

TEST(PodStarts, AffinityKnowsTheNameOfTheNode) {
  Starts starts;
  StartingPod one = starting("a");
  one.spec.affinity.node_required = model::NodeSelector{
      {{.match_expressions = {}, .match_fields = {{"metadata.name", "In", {"n1"}}}}}};
  EXPECT_EQ(starts.start(one), "");
  one.spec.affinity.node_required->terms[0].match_fields[0].values = {"n2"};
  EXPECT_EQ(starts.reason(one), "NodeAffinity");
}

TEST(PodStarts, NamesOfOtherNodes) {
  Starts starts;
  StartingPod one = starting("a");
  one.spec.node_name = "n2";
  EXPECT_EQ(starts.start(one),
            "NodeName: Predicate NodeName failed: node(s) didn't match the requested node name");
}

TEST(PodStarts, Ports) {
  const auto with_port = [](model::ContainerPort port) {
    StartingPod one = starting("a");
    one.spec.containers[0].ports = {std::move(port)};
    return one;
  };
  Starts starts;
  starts.run(with_port({"10.0.0.1", "TCP", 80}));
  EXPECT_EQ(starts.reason(with_port({"", "", 80})), "NodePorts");
  EXPECT_EQ(starts.reason(with_port({"10.0.0.1", "", 80})), "NodePorts");
  EXPECT_EQ(starts.start(with_port({"10.0.0.2", "", 80})), "");
  EXPECT_EQ(starts.start(with_port({"", "UDP", 80})), "");
  StartingPod init = with_port({"", "", 80});
  std::swap(init.spec.containers, init.spec.init_containers);
  EXPECT_EQ(starts.start(init), "");  // it ends before the pod runs
  init.spec.init_containers[0].restart_always = true;
  EXPECT_EQ(starts.reason(init), "NodePorts");
}

TEST(PodStarts, OnlyTaintsThatEvictCount) {
  Starts starts;
  starts.node.taints = {{"k", "v", "NoSchedule"}};
  EXPECT_EQ(starts.start(starting("a")), "");
  starts.node.taints[0].effect = "NoExecute";
  EXPECT_EQ(starts.reason(starting("a")), "TaintToleration");
  StartingPod one = starting("a");
  one.pod.is_mirror = true;
  EXPECT_EQ(starts.reason(one), "TaintToleration");
  one.pod.is_static = true;
  EXPECT_EQ(starts.start(one), "");
  one = starting("a");
  one.spec.tolerations = {{"k", "Equal", "v", ""}};
  EXPECT_EQ(starts.start(one), "");
}

TEST(PodStarts, ShortagesComeBeforeOtherReasonsExceptOfCriticalPods) {
  Starts starts;
  starts.run(starting("a", {{"cpu", "4"}}));
  StartingPod one = starting("b", {{"cpu", "1"}});
  one.spec.node_name = "n2";
  EXPECT_EQ(starts.reason(one), "OutOfcpu");
  one.pod.priority = kCritical;
  EXPECT_EQ(starts.reason(one), "NodeName");
}

TEST(Preemption, SparesHigherClasses) {
  const Texts both = {{"cpu", "1"}, {"memory", "1Gi"}};
  Starts starts;
  starts.node.allocatable = resources({{"cpu", "4"}, {"memory", "3Gi"}, {"pods", "3"}});
  starts.run(starting("g", both, 0, both));
  starts.run(starting("u", both));
  starts.run(starting("e"));
  // A place is all that is missing, and the best effort pod has one.
  EXPECT_EQ(starts.start(starting("x", {}, kCritical)), "e");
  EXPECT_EQ(starts.start(starting("x", {{"memory", "2Gi"}}, kCritical)), "u");
  EXPECT_EQ(starts.start(starting("x", {{"memory", "3Gi"}}, kCritical)), "ug");
}

TEST(Preemption, TheClosestPodGoesFirst) {
  Starts starts;
  starts.node.allocatable = resources({{"cpu", "4"}, {"memory", "8Gi"}, {"pods", "10"}});
  starts.run(starting("a", {{"cpu", "500m"}}));
  starts.run(starting("b", {{"cpu", "2"}}));
  starts.run(starting("c", {{"cpu", "1500m"}}));
  EXPECT_EQ(starts.start(starting("x", {{"cpu", "400m"}}, kCritical)), "a");
  EXPECT_EQ(starts.start(starting("x", {{"cpu", "1500m"}}, kCritical)), "c");
  EXPECT_EQ(starts.start(starting("x", {{"cpu", "3"}}, kCritical)), "bc");
  // Both a and c free the rest; a requests less.
  EXPECT_EQ(starts.start(starting("x", {{"cpu", "2500m"}}, kCritical)), "ba");
}

TEST(Preemption, OfEqualPodsTheLaterOneGoes) {
  Starts starts;
  for (const char* name : {"a", "b", "c"}) starts.run(starting(name, {{"cpu", "1"}}));
  starts.run(starting("d", {{"cpu", "1"}, {"memory", "1Gi"}}));
  EXPECT_EQ(starts.start(starting("x", {{"cpu", "1"}}, kCritical)), "c");
  // The last pod takes the place of one that was chosen.
  EXPECT_EQ(starts.start(starting("x", {{"cpu", "2"}}, kCritical)), "cb");
}

TEST(Preemption, OfCriticalPodsOnlyLowerOnesGo) {
  Starts starts;
  starts.run(starting("a", {{"cpu", "2"}}, kCritical));
  starts.run(starting("b", {{"cpu", "2"}}, kCritical + 1));
  EXPECT_EQ(starts.start(starting("x", {{"cpu", "1"}}, kCritical + 1)), "a");
  EXPECT_EQ(starts.start(starting("x", {{"cpu", "1"}}, kCritical)),
            "UnexpectedAdmissionError: Unexpected error while attempting to recover from "
            "admission failure: preemption: error finding a set of pods to preempt: no set of "
            "running pods found to reclaim resources: [(res: cpu, q: 1000), ]");
}

TEST(Preemption, RequestsOfAPodAsAWholeFreeNothingElse) {
  Starts starts;
  starts.node.allocatable = resources({{"ephemeral-storage", "4Gi"}, {"pods", "10"}});
  StartingPod one = starting("a", {{"ephemeral-storage", "4Gi"}});
  one.pod.resources.emplace().requests = amounts({{"cpu", "1"}});
  starts.run(one);
  EXPECT_EQ(starts.reason(starting("x", {{"ephemeral-storage", "1Gi"}}, kCritical)),
            "UnexpectedAdmissionError");
}

// What runs counts as the scheduler counts it, after a resize of the whole pod.
TEST(PodStart, OtherPodsCountAsTheyWereResized) {
  Starts starts;
  model::PodSpec spec = starting("a", {{"cpu", "1"}}).spec;
  spec.has_pod_resources = true;
  spec.pod_requests = resources({{"cpu", "1"}});
  spec.own_status.has_resources = true;
  spec.own_status.requests = spec.own_status.allocated_resources = resources({{"cpu", "3"}});
  const Pod own = pod("a", {{"cpu", "1"}}, {});
  EXPECT_EQ(StartingPod(own, spec, model::PodLevelResize::kIgnored).requests.running,
            resources({{"cpu", "1"}}));
  starts.run({own, spec});
  EXPECT_EQ(starts.reason(starting("x", {{"cpu", "2"}})), "OutOfcpu");
  EXPECT_EQ(starts.reason(starting("x", {{"cpu", "1"}})), "");
}

}  // namespace
}  // namespace berth::controllers::kubelet
