#include "engine/ingest/admission/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/ingest/admission/policies/resource_lists.h"
#include "engine/ingest/objects/objects_for_tests.h"
#include "engine/ingest/workloads/creation.h"

namespace berth::ingest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Reads policies and pods of one text and admits the pods.
struct Admitted {
  explicit Admitted(std::string_view text, bool admission = true, OptionalPlugins plugins = {}) {
    ObjectReader reader(diagnostics, Defaults::kApiServer, Workloads::kManifests);
    reader.read_text(text, "file");
    objects = reader.take();
    Creation creation([] { return std::vector<model::Node>(); }, admission, plugins);
    creation.create(objects, "file", diagnostics);
    errors = messages(diagnostics);
  }

  const model::PodSpec& spec(size_t pod = 0) const { return objects.pods.at(pod).spec; }

  Diagnostics diagnostics;
  Objects objects;
  Texts errors;
};

std::string pod(const std::string& name, const std::string& spec = "",
                const std::string& resources = "") {
  return "{apiVersion: v1, kind: Pod, metadata: {name: " + name + "}, spec: {" + spec +
         "containers: [{name: c, resources: {" + resources + "}}]}}\n---\n";
}

std::string priority_class(const std::string& name, const std::string& rest) {
  return "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: " + name +
         "}, " + rest + "}\n---\n";
}

std::string keys(const model::PodSpec& spec) {
  std::string text;
  for (const model::Toleration& toleration : spec.tolerations)
    text += (text.empty() ? "" : " ") + toleration.key + ":" + toleration.effect;
  return text;
}

TEST(Admission, GivesThePriorityOfTheClass) {
  const Admitted read(priority_class("high", "value: 1000, preemptionPolicy: Never") +
                      pod("a", "priorityClassName: high, ") +
                      pod("b", "priorityClassName: system-node-critical, ") + pod("c") +
                      pod("d", "priority: 7, "));
  EXPECT_EQ(read.errors, Texts());
  EXPECT_EQ(read.spec(0).priority, 1000);
  EXPECT_EQ(read.spec(0).preemption_policy, "Never");
  EXPECT_EQ(read.spec(1).priority, 2'000'001'000);
  EXPECT_EQ(read.spec(2).priority, 0);
  EXPECT_EQ(read.spec(3).priority, 7);
}

TEST(Admission, TakesTheSmallestGlobalDefault) {
  const Admitted read(priority_class("x, uid: u", "value: 50, globalDefault: true") +
                      priority_class("z, uid: v", "value: 20, globalDefault: true") + pod("a"));
  EXPECT_EQ(read.errors, Texts());
  EXPECT_EQ(read.spec().priority, 20);
}

TEST(Admission, RefusesASecondGlobalDefault) {
  const Admitted read(priority_class("x", "value: 50, globalDefault: true") +
                      priority_class("z", "value: 20, globalDefault: true") +
                      priority_class("other", "value: 7") + pod("a"));
  EXPECT_EQ(read.errors,
            Texts({"file:3: z: priorityclasses.scheduling.k8s.io \"z\" is forbidden: PriorityClass "
                   "x is already marked as default. Only one default can exist"}));
  EXPECT_EQ(read.objects.rejected, 1u);
  EXPECT_EQ(read.spec().priority, 50);
}

TEST(Admission, RefusesClassesWithoutAValue) {
  EXPECT_EQ(Admitted(priority_class("x", "globalDefault: true")).errors,
            Texts({"file:1:1: value: Required value"}));
}

TEST(Admission, RefusesUnknownClassesAndOtherPriorities) {
  const Admitted read(priority_class("high", "value: 1000") +
                      pod("a", "priorityClassName: gold, ") +
                      pod("b", "priorityClassName: high, priority: 5, ") +
                      pod("c", "priorityClassName: high, preemptionPolicy: Never, "));
  EXPECT_TRUE(read.objects.pods.empty());
  EXPECT_EQ(read.objects.rejected_pods.size(), 3u);
  EXPECT_THAT(
      read.errors,
      ElementsAre(
          "file:3: default/a: pods \"a\" is forbidden: no PriorityClass with name gold was found",
          HasSubstr("the integer value of priority (5) must not be provided in pod spec; priority "
                    "admission controller computed 1000 from the given PriorityClass name"),
          HasSubstr(
              "the string value of PreemptionPolicy (Never) must not be provided in pod spec; "
              "priority admission controller computed PreemptLowerPriority")));
}

TEST(Admission, RefusesClassesOfTheSystem) {
  const Admitted read(priority_class("system-mine", "value: 1") +
                      priority_class("huge", "value: 1000000001") +
                      priority_class("system-node-critical", "value: 2000001000"));
  EXPECT_THAT(read.errors,
              ElementsAre(HasSubstr("names with 'system-' prefix are reserved"),
                          HasSubstr("value: Forbidden: maximum allowed value of a user "
                                    "defined priority is 1000000000")));
}

TEST(Admission, LeavesPodsAloneThatAreThereOrThatAnApiServerMade) {
  const std::string placed =
      "{kind: Pod, metadata: {name: a}, spec: {nodeName: node, containers: []}}";
  const std::string made = "{kind: Pod, metadata: {name: b, uid: u}, spec: {containers: []}}";
  const Admitted read(placed + "\n---\n" + made + "\n---\n");
  EXPECT_EQ(keys(read.spec(0)) + keys(read.spec(1)), "");
  EXPECT_EQ(read.spec(1).priority, std::nullopt);
  EXPECT_EQ(keys(Admitted(pod("c"), false).spec()), "");
}

TEST(Admission, LetsPodsTolerateTroubleOfNodes) {
  const std::string both =
      "node.kubernetes.io/not-ready:NoExecute node.kubernetes.io/unreachable:NoExecute";
  EXPECT_EQ(keys(Admitted(pod("a")).spec()), both);
  EXPECT_EQ(keys(Admitted(pod("a", "", "limits: {cpu: 1}")).spec()),
            both + " node.kubernetes.io/memory-pressure:NoSchedule");
  EXPECT_EQ(keys(Admitted(pod("a", "tolerations: [{operator: Exists}], ")).spec()), ":");
  const Admitted read(pod("a"));
  for (const model::Toleration& toleration : read.spec().tolerations)
    EXPECT_EQ(toleration.seconds, 300);
}

TEST(Admission, TheMemoryOfANodeInTroubleIsToleratedForEver) {
  const Admitted read(pod("a", "", "limits: {cpu: 1}"));
  EXPECT_EQ(read.spec().tolerations.back().seconds, std::nullopt);
}

constexpr char kKata[] =
    R"({apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: kata-fc}, handler: kata-fc,
 overhead: {podFixed: {memory: 120Mi, cpu: 250m}},
 scheduling: {nodeSelector: {kata: w}, tolerations: [{key: kata, operator: Exists}]}}
---
{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: plain}, handler: runc}
---
)";

TEST(Admission, LetsPodsTolerateTheTaintsOfTheirResourcesIfToldTo) {
  const std::string text =
      pod("a",
          "tolerations: [{key: x.y/gpu, operator: Exists, effect: NoSchedule}], "
          "initContainers: [{name: i, resources: {requests: {a.b/nic: 1, memory: 1}}}], ",
          "requests: {x.y/gpu: 1, cpu: 1, x.y/fpga: 1}");
  const auto own = [](const Admitted& read) {
    std::string found;
    for (const model::Toleration& toleration : read.spec().tolerations)
      if (!toleration.key.starts_with("node."))
        found += toleration.key + " " + toleration.op + " " + toleration.effect + ", ";
    return found;
  };
  EXPECT_EQ(own(Admitted(text, true, {.extended_resource_toleration = true})),
            "x.y/gpu Exists NoSchedule, a.b/nic Exists NoSchedule, x.y/fpga Exists NoSchedule, ");
  EXPECT_EQ(own(Admitted(text)), "x.y/gpu Exists NoSchedule, ");
}

TEST(Admission, AddsOverheadAndSchedulingOfTheRuntimeClass) {
  const Admitted read(kKata + pod("a", "runtimeClassName: kata-fc, nodeSelector: {b: c}, "));
  EXPECT_EQ(read.errors, Texts());
  EXPECT_EQ(amounts(read.spec().overhead), "cpu=250m memory=125829120");
  EXPECT_EQ(pairs(read.spec().node_selector), "b=c kata=w");
  EXPECT_EQ(read.spec().tolerations.back().key, "kata");
}

// It covers the pod's own, which would end earlier.
TEST(Admission, ATolerationOfTheRuntimeClassTakesThePlaceOfAShorterOne) {
  const Admitted read(kKata + pod("a",
                                  "runtimeClassName: kata-fc, tolerations: [{key: kata, operator: "
                                  "Exists, effect: NoExecute, tolerationSeconds: 5}], "));
  EXPECT_EQ(read.errors, Texts());
  EXPECT_EQ(std::ranges::count(read.spec().tolerations, "kata", &model::Toleration::key), 1);
  EXPECT_EQ(read.spec().tolerations.back(), (model::Toleration{"kata", "Exists", "", ""}));
}

TEST(Admission, RefusesWhatTheRuntimeClassDoesNotAllow) {
  const Admitted read(kKata + pod("a", "runtimeClassName: none, ") +
                      pod("b", "runtimeClassName: kata-fc, overhead: {cpu: 1}, ") +
                      pod("c", "overhead: {cpu: 1}, ") +
                      pod("d", "runtimeClassName: kata-fc, nodeSelector: {kata: v}, ") +
                      pod("e", "runtimeClassName: plain, overhead: {cpu: 1}, "));
  EXPECT_THAT(
      read.errors,
      ElementsAre(
          HasSubstr("pods \"a\" is forbidden: pod rejected: RuntimeClass \"none\" not found"),
          HasSubstr("Pod's Overhead doesn't match RuntimeClass's defined Overhead"),
          HasSubstr("Pod Overhead set without corresponding RuntimeClass defined Overhead"),
          HasSubstr("conflict: runtimeClass.scheduling.nodeSelector[kata] = w; "
                    "pod.spec.nodeSelector[kata] = v"),
          HasSubstr("Pod Overhead set without corresponding")));
}

std::string limit_range(const std::string& limits) {
  return "{apiVersion: v1, kind: LimitRange, metadata: {name: r}, spec: {limits: [{" + limits +
         "}]}}\n---\n";
}

TEST(Admission, GivesTheDefaultsOfALimitRange) {
  const Admitted read(limit_range("type: Container, default: {memory: 512Mi}, defaultRequest: "
                                  "{memory: 256Mi}, max: {cpu: 2}, min: {cpu: 100m}") +
                      pod("a") + pod("b", "", "limits: {memory: 1Gi}"));
  EXPECT_EQ(read.errors, Texts());
  const model::Container& a = read.spec(0).containers[0];
  EXPECT_EQ(amounts(a.requests), "cpu=2 memory=268435456");
  EXPECT_EQ(amounts(a.limits), "cpu=2 memory=536870912");
  EXPECT_EQ(amounts(read.spec(1).containers[0].requests), "cpu=2 memory=1073741824");
}

// The examples of the documentation: a request above the default limit, and both said.
TEST(Admission, RefusesARequestAboveTheLimitOfALimitRange) {
  const std::string range = limit_range(
      "type: Container, default: {cpu: 500m}, defaultRequest: {cpu: 500m}, max: {cpu: 1}, min: "
      "{cpu: 100m}");
  const Admitted read(range + pod("conflict", "", "requests: {cpu: 700m}") +
                      pod("both", "", "requests: {cpu: 700m}, limits: {cpu: 700m}") +
                      pod("less", "", "requests: {cpu: 300m}"));
  EXPECT_THAT(read.errors,
              ElementsAre(HasSubstr("Pod \"conflict\" is invalid: spec.containers[0].resources."
                                    "requests: Invalid value: \"700m\": must be less than or equal "
                                    "to cpu limit of 500m")));
  ASSERT_EQ(read.objects.pods.size(), 2u);
  EXPECT_EQ(amounts(read.spec(0).containers[0].requests), "cpu=700m");
  EXPECT_EQ(amounts(read.spec(1).containers[0].limits), "cpu=500m");
}

TEST(Admission, RefusesWhatALimitRangeForbids) {
  const std::string range = limit_range(
      "type: Container, max: {memory: 1Gi}, min: {memory: 500Mi}, "
      "maxLimitRequestRatio: {memory: 1500m}");
  const Admitted read(range + pod("a", "", "limits: {memory: 1536Mi}, requests: {memory: 1Gi}") +
                      pod("b", "", "limits: {memory: 800Mi}, requests: {memory: 100Mi}"));
  EXPECT_THAT(
      read.errors,
      ElementsAre(HasSubstr("pods \"a\" is forbidden: maximum memory usage per Container is "
                            "1Gi, but limit is 1536Mi"),
                  HasSubstr("[minimum memory usage per Container is 500Mi, but request is "
                            "100Mi, memory max limit to request ratio per Container is "
                            "1500m, but provided ratio is 8.000000]")));
  const Admitted of_pod(limit_range("type: Pod, max: {cpu: 1}") + pod("a", "", "limits: {cpu: 2}") +
                        pod("b"));
  EXPECT_THAT(of_pod.errors,
              ElementsAre(HasSubstr("maximum cpu usage per Pod is 1, but limit is 2"),
                          HasSubstr("maximum cpu usage per Pod is 1.  No limit is specified")));
}

// The first range by name has the say about defaults, and the first that is broken is named.
TEST(Admission, ComparesAPodWithEachLimitRangeOfItsNamespace) {
  const auto range = [](const std::string& name, const std::string& limits) {
    return "{apiVersion: v1, kind: LimitRange, metadata: {name: " + name + "}, spec: {limits: [{" +
           limits + "}]}}\n---\n";
  };
  const std::string ranges =
      range("b", "type: Container, max: {cpu: 3}, default: {cpu: 2}, defaultRequest: {cpu: 1}") +
      range("c",
            "type: Container, max: {cpu: 2}, min: {cpu: 500m}, maxLimitRequestRatio: {cpu: 3}") +
      range("a", "type: Container, default: {memory: 1Gi}") +
      "{apiVersion: v1, kind: LimitRange, metadata: {name: d, namespace: other}, spec: {limits: "
      "[{type: Container, max: {cpu: 1m}}]}}\n---\n";
  const Admitted read(ranges + pod("a") + pod("b", "", "limits: {cpu: 4}") +
                      pod("c", "", "limits: {cpu: 2500m}") +
                      pod("d", "", "requests: {cpu: 400m}, limits: {cpu: 1}") +
                      pod("e", "", "requests: {cpu: 500m}, limits: {cpu: 2}"));
  ASSERT_EQ(read.objects.pods.size(), 1u);
  EXPECT_EQ(amounts(read.spec(0).containers[0].limits), "cpu=2 memory=1073741824");
  EXPECT_EQ(amounts(read.spec(0).containers[0].requests), "cpu=1 memory=1073741824");
  EXPECT_THAT(
      read.errors,
      ElementsAre(HasSubstr("maximum cpu usage per Container is 3, but limit is 4"),
                  HasSubstr("maximum cpu usage per Container is 2, but limit is 2500m"),
                  HasSubstr("minimum cpu usage per Container is 500m, but request is 400m"),
                  HasSubstr("cpu max limit to request ratio per Container is 3, but provided")));
}

std::string quota(const std::string& spec, const std::string& status = "") {
  return "{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {" + spec +
         "}, status: {" + status + "}}\n---\n";
}

TEST(Admission, RefusesWhatIsOverTheQuota) {
  const std::string one = "requests: {cpu: 1}";
  const Admitted read(quota("hard: {requests.cpu: 2, pods: 10}") + pod("a", "", one) +
                      pod("b", "", one) + pod("c", "", one));
  EXPECT_EQ(read.objects.pods.size(), 2u);
  EXPECT_THAT(read.errors,
              ElementsAre(HasSubstr("pods \"c\" is forbidden: exceeded quota: q, requested: "
                                    "requests.cpu=1, used: requests.cpu=2, limited: "
                                    "requests.cpu=2")));
}

TEST(Admission, RefusesPodsThatDoNotSayWhatAQuotaLimits) {
  const Admitted read(quota("hard: {limits.cpu: 2, memory: 1Gi}") + pod("a"));
  EXPECT_THAT(
      read.errors,
      ElementsAre(HasSubstr("failed quota: q: must specify limits.cpu for: c; memory for: c")));
}

// As an API server does: first what each quota demands, then what each has left.
TEST(Admission, RefusesWhatAQuotaDemandsBeforeWhatAnotherHasNotLeft) {
  const Admitted read(
      quota("hard: {pods: 0}") +
      "{apiVersion: v1, kind: ResourceQuota, metadata: {name: z}, spec: {hard: {memory: 1Gi}}}\n"
      "---\n" +
      pod("a"));
  EXPECT_THAT(read.errors, ElementsAre(HasSubstr("failed quota: z: must specify memory for: c")));
}

TEST(Admission, CountsInScopesAndFromTheStatus) {
  const Admitted read(quota("hard: {pods: 5}, scopes: [NotBestEffort]", "used: {pods: 5}") +
                      pod("a") + pod("b", "", "requests: {cpu: 1}"));
  EXPECT_EQ(read.objects.pods.size(), 1u);
  EXPECT_THAT(read.errors, ElementsAre(HasSubstr("exceeded quota: q, requested: pods=1, used: "
                                                 "pods=5, limited: pods=5")));
  const Admitted classes(
      priority_class("high", "value: 1") +
      quota("hard: {pods: 0}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass, "
            "operator: In, values: [high]}]}") +
      pod("a") + pod("b", "priorityClassName: high, "));
  EXPECT_EQ(classes.objects.pods.size(), 1u);
}

TEST(Admission, AdmitsThePodsOfManifests) {
  const Admitted read(priority_class("high", "value: 9") + R"(
{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: 2, selector: {matchLabels: {a: b}},
 template: {metadata: {labels: {a: b}}, spec: {priorityClassName: high, containers: [{name: a}]}}}}
)");
  EXPECT_EQ(read.errors, Texts());
  ASSERT_EQ(read.objects.pods.size(), 2u);
  EXPECT_EQ(read.spec(1).priority, 9);
  EXPECT_EQ(read.objects.remarks.without_priority.count, 0u);
}

TEST(Amounts, AreToldWithTheLargestUnit) {
  const auto text = [](const char* resource, const char* amount) {
    return amount_text(resource, *model::Quantity::parse(amount));
  };
  EXPECT_EQ(text("cpu", "500m"), "500m");
  EXPECT_EQ(text("memory", "1536Mi"), "1536Mi");
  EXPECT_EQ(text("memory", "1000"), "1k");
  EXPECT_EQ(text("requests.memory", "2Gi"), "2Gi");
  EXPECT_EQ(text("pods", "0"), "0");
}

}  // namespace
}  // namespace berth::ingest
