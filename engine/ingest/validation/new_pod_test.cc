// Tests each rule for new pods, with its message.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/ingest/objects/objects_for_tests.h"

namespace berth::ingest {
namespace {

constexpr char kNameSyntax[] =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr char kLabelSyntax[] =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr char kSubdomainSyntax[] =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr char kDnsLabelSyntax[] =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

Texts errors_of_text(const std::string& text) {
  Diagnostics diagnostics;
  const document::Document document = document::Document::parse(text, "file", diagnostics);
  const std::optional<model::Pod> pod =
      decode_new_pod(document.roots()[0], diagnostics, Validation::kNew1_34);
  EXPECT_EQ(pod.has_value(), diagnostics.count() == 0) << text;
  return messages(diagnostics);
}

// Without file, line and column.
Texts without_places(Texts errors) {
  for (std::string& error : errors) error.erase(0, error.find(": ") + 2);
  return errors;
}

Texts errors_of_spec(const std::string& spec) {
  return without_places(errors_of_text("{metadata: {name: p}, spec: {" + spec + "}}"));
}

// Of a pod with a container.
Texts spec_errors(const std::string& fields) {
  return errors_of_spec("containers: [{name: c}], " + fields);
}

struct SpecCase {
  std::string fields;
  Texts errors;
};

void expect_spec_errors(const std::vector<SpecCase>& cases) {
  for (const SpecCase& one : cases) EXPECT_EQ(spec_errors(one.fields), one.errors) << one.fields;
}

TEST(NewPod, OneWithManyErrorsSaysThatThereAreMore) {
  std::string wrong;
  for (int i = 0; i < 14; ++i) wrong += "{key: a, operator: Wrong" + std::to_string(i) + "}, ";
  const Texts errors = spec_errors("tolerations: [" + wrong + "]");
  ASSERT_EQ(errors.size(), 11u);
  EXPECT_NE(errors.back().find("more faults"), std::string::npos) << errors.back();
}

TEST(NewPod, TakesWhatAnApiServerTakes) {
  EXPECT_EQ(
      without_places(errors_of_text(
          "{metadata: {name: a.b-c, namespace: n-1, labels: {a: '', x.y/Z_z: A.b}, annotations: "
          "{UPPER.case/Key: any text at all}}, spec: {hostNetwork: true, restartPolicy: OnFailure, "
          "preemptionPolicy: Never, activeDeadlineSeconds: 1, nodeSelector: {a: b}, "
          "initContainers: [{name: i, restartPolicy: Always, ports: [{containerPort: 80}]}], "
          "containers: [{name: c, ports: [{containerPort: 80, hostPort: 80, name: web}, "
          "{containerPort: 80, hostPort: 80, protocol: UDP}], resources: {requests: {cpu: 1, "
          "ephemeral-storage: 1Gi, x.y/gpu: 2, hugepages-2Mi: 4Mi}, limits: {cpu: 2, x.y/gpu: 2, "
          "hugepages-2Mi: 4Mi}}}, {name: d}], overhead: {cpu: 1}, "
          "resources: {requests: {cpu: 2}, limits: {cpu: 2}}, schedulingGates: [{name: x.y/a}], "
          "tolerations: [{operator: Exists}, {key: a, value: b}, {key: a, operator: Exists, "
          "effect: NoExecute, tolerationSeconds: 3}], affinity: {nodeAffinity: "
          "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
          "[{matchExpressions: "
          "[{key: a, operator: Gt, values: ['1']}, {key: b, operator: DoesNotExist}], matchFields: "
          "[{key: metadata.name, operator: NotIn, values: [n1]}]}]}, "
          "preferredDuringSchedulingIgnoredDuringExecution: [{weight: 100, preference: {"
          "matchExpressions: [{key: a, operator: In, values: ['any value']}]}}]}}}}")),
      Texts());
}

TEST(NewPod, NamesAndLabels) {
  const std::string spec = ", spec: {containers: [{name: c}]}}";
  const struct {
    std::string metadata;
    Texts errors;
  } cases[] = {
      {"name: My_Pod",
       {std::string("metadata.name: Invalid value: \"My_Pod\": ") + kSubdomainSyntax}},
      {"name: " + std::string(254, 'a'),
       {"metadata.name: Invalid value: \"" + std::string(254, 'a') +
        "\": must be no more than 253 characters"}},
      {"generateName: a-", {}},
      {"generateName: A_-",
       {std::string("metadata.generateName: Invalid value: \"A_-\": ") + kSubdomainSyntax}},
      {"name: p, namespace: a.b",
       {"metadata.namespace: Invalid value: \"a.b\": must not contain dots"}},
      {"name: p, namespace: A",
       {std::string("metadata.namespace: Invalid value: \"A\": ") + kDnsLabelSyntax}},
      {"name: p, labels: {-a: b}",
       {std::string("metadata.labels: Invalid value: \"-a\": name part ") + kNameSyntax}},
      {"name: p, labels: {a: b c}",
       {std::string("metadata.labels: Invalid value: \"b c\": ") + kLabelSyntax}},
      {"name: p, annotations: {a b: c}",
       {std::string("metadata.annotations: Invalid value: \"a b\": name part ") + kNameSyntax}},
      {"name: p, annotations: {a: " + std::string(256 << 10, 'x') + "}",
       {"metadata.annotations: Too long: may not be more than 262144 bytes"}},
      {"{}", {"metadata.name: a pod needs a name"}},
  };
  for (const auto& one : cases) {
    const std::string metadata = one.metadata == "{}" ? "{}" : "{" + one.metadata + "}";
    EXPECT_EQ(without_places(errors_of_text("{metadata: " + metadata + spec)), one.errors)
        << one.metadata.substr(0, 100);
  }
}

TEST(NewPod, OwnerReferences) {
  const auto errors = [](const std::string& owners) {
    return without_places(errors_of_text("{metadata: {name: p, ownerReferences: [" + owners +
                                         "]}, spec: {containers: [{name: c}]}}"));
  };
  const std::string at = "metadata.ownerReferences";
  EXPECT_EQ(errors("{apiVersion: apps/v1, kind: ReplicaSet, name: a, uid: u, controller: true}, "
                   "{apiVersion: v1, kind: ConfigMap, name: b}"),
            Texts());
  EXPECT_EQ(errors("{apiVersion: apps/, name: a}"),
            Texts({at + "[0].apiVersion: Invalid value: \"apps/\": version must not be empty",
                   at + "[0].kind: Invalid value: \"\": must not be empty"}));
  EXPECT_EQ(errors("{kind: A, apiVersion: v1}"),
            Texts({at + "[0].name: Invalid value: \"\": must not be empty"}));
  const Texts two = errors(
      "{apiVersion: v1, kind: A, name: a, controller: true}, "
      "{apiVersion: v1, kind: B, name: b}, "
      "{apiVersion: v1, kind: C, name: c, controller: true}");
  ASSERT_EQ(two.size(), 1u);
  EXPECT_TRUE(two[0].starts_with(at + ": Invalid value: [{")) << two[0];
  EXPECT_TRUE(
      two[0].ends_with("Only one reference can have Controller set to true. Found "
                       "\"true\" in references for A/a and C/c"))
      << two[0];
}

TEST(NewPod, Tolerations) {
  const std::string at = "spec.tolerations[0].";
  expect_spec_errors({
      {"tolerations: [{key: a, operator: Foo}]",
       {at + "operator: Unsupported value: \"Foo\": supported values: \"Equal\", \"Exists\""}},
      {"tolerations: [{key: a, operator: Exists, value: b}]",
       {at + "operator: Invalid value: \"b\": value must be empty when `operator` is 'Exists'"}},
      {"tolerations: [{key: a, value: b c}]",
       {at + "operator: Invalid value: \"b c\": " + kLabelSyntax}},
      {"tolerations: [{operator: Equal}]",
       {at + "operator: Invalid value: \"Equal\": operator must be Exists when `key` is empty, "
             "which means \"match all values and all keys\""}},
      {"tolerations: [{key: a b}]", {at + "key: Invalid value: \"a b\": name part " + kNameSyntax}},
      {"tolerations: [{key: a, effect: NoScedule}]",
       {at + "effect: Unsupported value: \"NoScedule\": supported values: \"NoSchedule\", "
             "\"PreferNoSchedule\", \"NoExecute\""}},
      {"tolerations: [{key: a, effect: NoSchedule, tolerationSeconds: 5}]",
       {at + "effect: Invalid value: \"NoSchedule\": effect must be 'NoExecute' when "
             "`tolerationSeconds` is set"}},
      {"tolerations: [{operator: Exists}, {key: a, tolerationSeconds: 5}]",
       {"spec.tolerations[1].effect: Invalid value: \"\": effect must be 'NoExecute' when "
        "`tolerationSeconds` is set"}},
  });
}

std::string required_affinity(const std::string& term) {
  return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
         "{nodeSelectorTerms: [" +
         term + "]}}}";
}

TEST(NewPod, NodeAffinity) {
  const std::string required =
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
      "nodeSelectorTerms";
  const std::string at = required + "[0].matchExpressions[0].";
  const std::string fields = required + "[0].matchFields[0].";
  const auto expression = [](const std::string& text) {
    return required_affinity("{matchExpressions: [{" + text + "}]}");
  };
  const auto field = [](const std::string& text) {
    return required_affinity("{matchFields: [{" + text + "}]}");
  };
  expect_spec_errors({
      {required_affinity(""),
       {required + ": Required value: must have at least one node selector "
                   "term"}},
      {expression("key: a, operator: Is, values: [b]"),
       {at + "operator: Invalid value: \"Is\": not a valid selector operator"}},
      {expression("key: a, operator: In"),
       {at + "values: Required value: must be specified when `operator` is 'In' or 'NotIn'"}},
      {expression("key: a, operator: Exists, values: [b]"),
       {at + "values: Forbidden: may not be specified when `operator` is 'Exists' or "
             "'DoesNotExist'"}},
      {expression("key: a, operator: Lt, values: ['1', '2']"),
       {at + "values: Required value: must be specified single value when `operator` is 'Lt' or "
             "'Gt'"}},
      {expression("key: /a, operator: Exists"),
       {at + "key: Invalid value: \"/a\": prefix part must be non-empty"}},
      {expression("key: a, operator: In, values: [b c]"),
       {at + "values[0]: Invalid value: \"b c\": " + kLabelSyntax}},
      {field("key: metadata.name, operator: Exists"),
       {fields + "operator: Invalid value: \"Exists\": not a valid selector operator"}},
      {field("key: metadata.name, operator: In, values: [a, b]"),
       {fields + "values: Required value: must be only one value when `operator` is 'In' or "
                 "'NotIn' for node field selector"}},
      {field("key: metadata.uid, operator: In, values: [a]"),
       {fields + "key: Invalid value: \"metadata.uid\": not a valid field selector key"}},
      {field("key: metadata.name, operator: In, values: [Node]"),
       {fields + "values[0]: Invalid value: \"Node\": " + kSubdomainSyntax}},
      {"affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 0, "
       "preference: {}}, {weight: 101, preference: {matchExpressions: [{key: a, operator: "
       "in}]}}]}}",
       {"spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: "
        "Invalid value: 0: must be in the range 1-100",
        "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[1].weight: "
        "Invalid value: 101: must be in the range 1-100",
        "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[1].preference."
        "matchExpressions[0].operator: Invalid value: \"in\": not a valid selector operator"}},
  });
}

TEST(NewPod, Containers) {
  const struct {
    std::string spec;
    Texts errors;
  } cases[] = {
      {"", {"spec.containers: Required value"}},
      {"containers: []", {"spec.containers: Required value"}},
      {"containers: [{}]", {"spec.containers[0].name: Required value"}},
      {"containers: [{name: A}]",
       {std::string("spec.containers[0].name: Invalid value: \"A\": ") + kDnsLabelSyntax}},
      {"containers: [{name: a}, {name: a}]", {"spec.containers[1].name: Duplicate value: \"a\""}},
      {"containers: [{name: a}], initContainers: [{name: a}]",
       {"spec.initContainers[0].name: Duplicate value: \"a\""}},
      {"containers: [{name: a, restartPolicy: Always}]",
       {"spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers"}},
      {"containers: [{name: a}], initContainers: [{name: b, restartPolicy: Never}]",
       {"spec.initContainers[0].restartPolicy: Unsupported value: \"Never\": supported values: "
        "\"Always\""}},
      {"containers: [{name: a}], ephemeralContainers: [{name: b}]",
       {"spec.ephemeralContainers: Forbidden: cannot be set on create"}},
      {"containers: [{name: a, ports: [{name: web}]}]",
       {"spec.containers[0].ports[0].containerPort: Required value"}},
      {"containers: [{name: a, ports: [{containerPort: 1, protocol: tcp}]}]",
       {"spec.containers[0].ports[0].protocol: Unsupported value: \"tcp\": supported values: "
        "\"SCTP\", \"TCP\", \"UDP\""}},
      {"containers: [{name: a, ports: [{containerPort: 1, name: a--}]}]",
       {"spec.containers[0].ports[0].name: Invalid value: \"a--\": must not contain consecutive "
        "hyphens",
        "spec.containers[0].ports[0].name: Invalid value: \"a--\": must not begin or end with a "
        "hyphen"}},
      {"containers: [{name: a, ports: [{containerPort: 1, name: '1_2345678901234'}]}]",
       {"spec.containers[0].ports[0].name: Invalid value: \"1_2345678901234\": must contain only "
        "alpha-numeric characters (a-z, 0-9), and hyphens (-)",
        "spec.containers[0].ports[0].name: Invalid value: \"1_2345678901234\": must contain at "
        "least one letter (a-z)"}},
      {"containers: [{name: a, ports: [{containerPort: 1, name: abcdefghijklmnop}]}]",
       {"spec.containers[0].ports[0].name: Invalid value: \"abcdefghijklmnop\": must be no more "
        "than 15 characters"}},
      {"containers: [{name: a, ports: [{containerPort: 1, name: p}, {containerPort: 2, name: p}]}]",
       {"spec.containers[0].ports[1].name: Duplicate value: \"p\""}},
      {"containers: [{name: a, ports: [{containerPort: 1, hostPort: 9}]}, {name: b, ports: "
       "[{containerPort: 2, hostPort: 9}]}]",
       {"spec.containers[1].ports[0].hostPort: Duplicate value: \"TCP//9\""}},
      {"hostNetwork: true, containers: [{name: a, ports: [{containerPort: 1, hostPort: 9}]}]",
       {"spec.containers[0].ports[0].hostPort: Invalid value: 9: must match `containerPort` when "
        "`hostNetwork` is true"}},
  };
  for (const auto& one : cases) EXPECT_EQ(errors_of_spec(one.spec), one.errors) << one.spec;
}

TEST(NewPod, Resources) {
  const struct {
    std::string resources;
    Texts errors;
  } cases[] = {
      {"requests: {cpu: 2}, limits: {cpu: 1}",
       {"requests: Invalid value: \"2\": must be less than or equal to cpu limit of 1"}},
      {"requests: {x.y/gpu: 1}, limits: {x.y/gpu: 2}",
       {"requests: Invalid value: \"1\": must be equal to x.y/gpu limit of 2"}},
      {"requests: {x.y/gpu: 1}", {}},
      {"requests: {cpu: 1, hugepages-2Mi: 2Mi}",
       {"limits: Required value: Limit must be set for non overcommitable resources"}},
      {"limits: {x.y/gpu: 500m}",
       {"limits[x.y/gpu]: Invalid value: \"500m\": must be an integer",
        "requests[x.y/gpu]: Invalid value: \"500m\": must be an integer"}},
      {"requests: {gpu: 1}",
       {"requests[gpu]: Invalid value: \"gpu\": must be a standard resource type or fully "
        "qualified",
        "requests[gpu]: Invalid value: \"gpu\": must be a standard resource for containers"}},
      {"requests: {pods: 1}",
       {"requests[pods]: Invalid value: \"pods\": must be a standard resource for containers"}},
      {"requests: {requests.x.y/gpu: 1}, limits: {requests.x.y/gpu: 1}",
       {"limits[requests.x.y/gpu]: Invalid value: \"requests.x.y/gpu\": doesn't follow extended "
        "resource name standard",
        "requests[requests.x.y/gpu]: Invalid value: \"requests.x.y/gpu\": doesn't follow extended "
        "resource name standard"}},
      {"requests: {cpu: 1}, limits: {hugepages-2Mi: 3Mi}",
       {"limits[hugepages-2Mi]: Invalid value: \"3Mi\": 3Mi is not positive integer multiple of "
        "hugepages-2Mi",
        "requests[hugepages-2Mi]: Invalid value: \"3Mi\": 3Mi is not positive integer multiple of "
        "hugepages-2Mi"}},
  };
  const std::string at = "spec.containers[0].resources.";
  for (const auto& one : cases) {
    Texts errors = errors_of_spec("containers: [{name: c, resources: {" + one.resources + "}}]");
    for (std::string& error : errors)
      if (error.starts_with(at)) error.erase(0, at.size());
    EXPECT_EQ(errors, one.errors) << one.resources;
  }
  EXPECT_EQ(errors_of_spec("containers: [{name: c, resources: {limits: {hugepages-2Mi: 4Mi}}}]"),
            Texts({"spec.containers[0].resources: Forbidden: HugePages require cpu or memory"}));
  EXPECT_EQ(errors_of_spec("containers: [{name: c, resources: {requests: {a/b/c: 1}}}]")[0],
            "spec.containers[0].resources.requests[a/b/c]: Invalid value: \"a/b/c\": a qualified "
            "name " +
                std::string(kNameSyntax) +
                " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
  expect_spec_errors({
      {"overhead: {gpu: 1}",
       {"spec.overhead.limits[gpu]: Invalid value: \"gpu\": must be a standard resource type or "
        "fully qualified",
        "spec.overhead.limits[gpu]: Invalid value: \"gpu\": must be a standard resource for "
        "containers"}},
      {"resources: {requests: {ephemeral-storage: 1}}",
       {"spec.resources.requests[ephemeral-storage]: Unsupported value: \"ephemeral-storage\": "
        "supported values: \"cpu\", \"hugepages-\", \"memory\""}},
      {"resources: {requests: {cpu: 2}, limits: {cpu: 1}}",
       {"spec.resources.requests: Invalid value: \"2\": must be less than or equal to cpu limit of "
        "1"}},
  });
  EXPECT_EQ(errors_of_spec("containers: [{name: c, resources: {requests: {cpu: 3}, limits: {cpu: "
                           "9}}}], resources: {requests: {cpu: 2}, limits: {cpu: 5}}"),
            Texts({"spec.resources.requests[cpu]: Invalid value: \"2\": must be greater than or "
                   "equal to aggregate container requests of 3",
                   "spec.containers[0].resources.limits[cpu]: Invalid value: \"9\": must be less "
                   "than or equal to pod limits of 5"}));
}

TEST(NewPod, OtherFieldsOfTheSpec) {
  expect_spec_errors({
      {"nodeSelector: {a: b c}",
       {std::string("spec.nodeSelector: Invalid value: \"b c\": ") + kLabelSyntax}},
      {"schedulingGates: [{name: a b}]",
       {std::string("spec.schedulingGates[0]: Invalid value: \"a b\": name part ") + kNameSyntax}},
      {"schedulingGates: [{name: a}, {name: a}]",
       {"spec.schedulingGates[1]: Duplicate value: \"a\""}},
      {"restartPolicy: Sometimes",
       {"spec.restartPolicy: Unsupported value: \"Sometimes\": supported values: \"Always\", "
        "\"OnFailure\", \"Never\""}},
      {"preemptionPolicy: Maybe",
       {"spec.preemptionPolicy: Unsupported value: \"Maybe\": supported values: "
        "\"PreemptLowerPriority\", \"Never\""}},
      {"activeDeadlineSeconds: 0",
       {"spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, "
        "inclusive"}},
  });
}

TEST(NewPod, AllFaultsAreReportedAtOnceEachInItsLine) {
  EXPECT_EQ(
      errors_of_text("metadata:\n"
                     "  name: p\n"
                     "  labels:\n"
                     "    fine: a\n"
                     "    wrong: b c\n"
                     "spec:\n"
                     "  containers:\n"
                     "  - name: a\n"
                     "    resources:\n"
                     "      requests:\n"
                     "        memory: 1Gi\n"
                     "        cpu: 2\n"
                     "      limits:\n"
                     "        cpu: 1\n"
                     "  - name: b\n"
                     "    resources:\n"
                     "      requests:\n"
                     "        cpu: much\n"
                     "  topologySpreadConstraints:\n"
                     "  - {topologyKey: zone, whenUnsatisfiable: DoNotSchedule}\n"
                     "  tolerations:\n"
                     "  - key: a\n"
                     "    operator: Foo\n"),
      Texts({"file:18:14: spec.containers[1].resources.requests.cpu: expected a quantity "
             "such as 500m, 2 or 4Gi, found the string \"much\"",
             "file:5:5: metadata.labels: Invalid value: \"b c\": " + std::string(kLabelSyntax),
             "file:12:9: spec.containers[0].resources.requests: Invalid value: \"2\": must be "
             "less than or equal to cpu limit of 1",
             "file:23:15: spec.tolerations[0].operator: Unsupported value: \"Foo\": "
             "supported values: \"Equal\", \"Exists\"",
             "file:20:5: spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must "
             "be greater than zero"}));
}

TEST(NewPod, WhatCannotBeReadIsNotSaidToBeAbsent) {
  EXPECT_EQ(errors_of_spec("containers: none"),
            Texts({"spec.containers: expected an array, found the string \"none\""}));
  EXPECT_EQ(errors_of_spec("containers: [{name: 7}]"),
            Texts({"spec.containers[0].name: expected a string, found the number 7 (put it in "
                   "quotes)"}));
}

TEST(NewPod, FieldsGivenTwice) {
  EXPECT_EQ(errors_of_text("{\"metadata\": {\"name\": \"p\", \"labels\": {\"a\": \"1\",\n"
                           "\"a\": \"2\"}}, \"spec\": {\"containers\": [{\"name\": \"c\",\n"
                           "\"image\": \"x\", \"name\": \"d\"}]}}"),
            Texts({"file:2:1: metadata.labels.a: duplicate field \"metadata.labels.a\"; the first "
                   "is in line 1",
                   "file:3:15: spec.containers[0].name: duplicate field "
                   "\"spec.containers[0].name\"; the first is in line 2"}));
  // Different keys in one slot of the filter, and more keys than it has slots.
  std::string many;
  for (int i = 0; i < 100; ++i) many += ", \"k" + std::to_string(i) + "\": \"\"";
  EXPECT_EQ(errors_of_text("{\"metadata\": {\"name\": \"p\", \"annotations\": {\"x\": \"\"" + many +
                           "}}, \"spec\": {\"containers\": [{\"name\": \"c\"}]}}"),
            Texts());
}

TEST(NewPod, PodsThatAnApiServerTookAreNotValidated) {
  for (const char* accepted :
       {"{metadata: {name: P, uid: u}}", "{metadata: {name: P}, spec: {nodeName: n1}}",
        "{metadata: {name: P}, status: {phase: Succeeded}}",
        "{metadata: {name: P, deletionTimestamp: '2024-01-01T00:00:00Z'}}"})
    EXPECT_EQ(errors_of_text(accepted), Texts()) << accepted;
  EXPECT_EQ(Decoded<model::Pod>(decode_pod, "{metadata: {name: P}}", Defaults::kApiServer).errors,
            Texts());
}

}  // namespace
}  // namespace berth::ingest
