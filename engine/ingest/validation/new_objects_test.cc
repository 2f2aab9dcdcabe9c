// Tests the rules for new nodes and manifests, and which objects they hold for.

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "engine/ingest/objects/objects_for_tests.h"
#include "engine/ingest/validation/read_kinds.h"

namespace berth::ingest {
namespace {

struct NewObjects {
  explicit NewObjects(std::string_view text, Workloads workloads = Workloads::kManifests,
                      Validation by = Validation::kNew1_34) {
    ObjectReader reader(diagnostics, Defaults::kApiServer, workloads, by);
    const document::Document document = document::Document::parse(text, "file", diagnostics);
    for (document::Value root : document.roots()) reader.add(root);
    objects = reader.take();
    errors = messages(diagnostics);
  }

  Diagnostics diagnostics;
  Objects objects;
  Texts errors;
};

Texts node_errors_of(const std::string& fields, const std::string& metadata = "name: n1") {
  return NewObjects("{apiVersion: v1, kind: Node, metadata: {" + metadata + "}, " + fields + "}")
      .errors;
}

TEST(NewNode, Taints) {
  const std::string at = ": spec.taints[";
  const auto errors = [&](const std::string& taints) {
    Texts found = node_errors_of("spec: {taints: [" + taints + "]}");
    for (std::string& error : found) error.erase(0, error.find(at) + at.size());
    return found;
  };
  EXPECT_EQ(errors("{key: a, value: b, effect: NoSchedule}, {key: a, effect: NoExecute}, "
                   "{key: x.y/z, effect: PreferNoSchedule}"),
            Texts());
  EXPECT_EQ(errors("{key: a}"), Texts({"0].effect: Required value"}));
  EXPECT_EQ(errors("{key: a, effect: Never}"),
            Texts({"0].effect: Unsupported value: \"Never\": supported values: \"NoSchedule\", "
                   "\"PreferNoSchedule\", \"NoExecute\""}));
  EXPECT_EQ(errors("{key: a, value: b, effect: NoSchedule}, {key: a, effect: NoSchedule}"),
            Texts({"1]: Duplicate value: {\"Key\":\"a\",\"Value\":\"\",\"Effect\":\"NoSchedule\","
                   "\"TimeAdded\":null}: taints must be unique by key and effect pair"}));
  const Texts key = errors("{key: '', effect: NoSchedule}");
  ASSERT_EQ(key.size(), 2u);
  EXPECT_EQ(key[0], "0].key: Invalid value: \"\": name part must be non-empty");
  const Texts value = errors("{key: a, value: b c, effect: NoSchedule}");
  ASSERT_EQ(value.size(), 1u);
  EXPECT_TRUE(value[0].starts_with("0].value: Invalid value: \"b c\": a valid label must"))
      << value[0];
}

// From 1.36 on.
TEST(NewNode, DeclaredFeatures) {
  const auto errors = [](const std::string& features, Validation by) {
    const std::string at = "status.declaredFeatures";
    Texts found = NewObjects(
                      "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: "
                      "{declaredFeatures: [" +
                          features + "]}}",
                      Workloads::kManifests, by)
                      .errors;
    for (std::string& error : found) error.erase(0, error.find(at) + at.size());
    return found;
  };
  const auto later = [&](const std::string& features) {
    return errors(features, Validation::kNew1_36);
  };
  EXPECT_EQ(later("Able, Able/part2, B"), Texts());
  EXPECT_EQ(later("B, Able, Able"),
            (Texts{"[1]: Invalid value: \"Able\": list must be sorted alphabetically",
                   "[2]: Duplicate value: \"Able\""}));
  for (const std::string name : {"able", "Able/", "Able//x", "Able/1", "A-b"}) {
    const Texts found = later(name);
    ASSERT_EQ(found.size(), 1u) << name;
    EXPECT_TRUE(found[0].starts_with("[0]: Invalid value: \"" + name +
                                     "\": invalid feature name \"" + name +
                                     "\": must start with an UpperCamelCase segment"))
        << found[0];
  }
  EXPECT_EQ(later(std::string(254, 'A')).size(), 1u);
  EXPECT_EQ(errors("B, able", Validation::kNew1_34), Texts());
}

TEST(NewNode, NamesLabelsAndAmounts) {
  const Texts name = node_errors_of("spec: {}", "name: Node_1, labels: {/: a}");
  ASSERT_EQ(name.size(), 4u);
  EXPECT_TRUE(
      name[0].starts_with("file:1:47: metadata.name: Invalid value: \"Node_1\": a lowercase"))
      << name[0];
  EXPECT_TRUE(
      name[1].starts_with("file:1:64: metadata.labels: Invalid value: \"/\": prefix part must be"))
      << name[1];
  EXPECT_EQ(node_errors_of("status: {allocatable: {x.y/gpu: 500m, pods: 1.5, cpu: 100m}}"),
            Texts({"file:1:96: status.allocatable[pods]: Invalid value: \"1500m\": must be an "
                   "integer",
                   "file:1:84: status.allocatable[x.y/gpu]: Invalid value: \"500m\": must be an "
                   "integer"}));
  EXPECT_EQ(node_errors_of("status: {capacity: {x.y/gpu: 500m}}").size(), 1u);
  EXPECT_EQ(node_errors_of("spec: {taints: [{key: a}]}", "name: Node, uid: u"), Texts());
}

TEST(NewObjects, NeedAVersionOfTheApi) {
  EXPECT_EQ(version_problem("Pod", "v1"), std::nullopt);
  EXPECT_EQ(version_problem("Pod", ""), "apiVersion not set");
  EXPECT_EQ(version_problem("Pod", "v2"),
            "no matches for kind \"Pod\" in version \"v2\"; it is in v1");
  EXPECT_EQ(version_problem("Pod", "apps/v1"),
            "no matches for kind \"Pod\" in version \"apps/v1\"; it is in v1");
  EXPECT_EQ(
      version_problem("Deployment", "extensions/v1beta1"),
      "no matches for kind \"Deployment\" in version \"extensions/v1beta1\"; it is in apps/v1");
  EXPECT_EQ(
      version_problem("PriorityClass", "scheduling.k8s.io/v1alpha1"),
      "no matches for kind \"PriorityClass\" in version \"scheduling.k8s.io/v1alpha1\"; it is "
      "in scheduling.k8s.io/v1");
  EXPECT_EQ(version_problem("Service", "serving.knative.dev/v1"), std::nullopt);
  EXPECT_EQ(version_problem("ConfigMap", "v7"), std::nullopt);

  const NewObjects read(
      "{apiVersion: v2, kind: Pod, metadata: {name: a}}\n---\n"
      "{apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {containers: [{name: c}]}}\n---\n"
      "{kind: Pod, metadata: {name: c}}\n---\n"
      "{kind: Pod, metadata: {name: d, uid: u}}\n");
  EXPECT_EQ(
      read.errors,
      Texts({"file:1:14: apiVersion: no matches for kind \"Pod\" in version \"v2\"; it is in v1",
             "file:5:1: apiVersion not set"}));
  EXPECT_EQ(read.objects.pods.size(), 2u);
  EXPECT_EQ(read.objects.rejected, 2u);
  EXPECT_EQ(read.objects.rejected_pods.size(), 2u);
}

TEST(NewObjects, AFaultLeavesOutItsObjectAlone) {
  const NewObjects read(
      "{apiVersion: v1, kind: PodList, items: [{metadata: {name: a}}, {metadata: {name: b}, spec: "
      "{containers: [{name: c}]}}]}");
  EXPECT_EQ(read.errors, Texts({"file:1:41: items[0].spec.containers: Required value"}));
  ASSERT_EQ(read.objects.pods.size(), 1u);
  EXPECT_EQ(read.objects.pods[0].name, "b");
}

TEST(NewObjects, TemplatesOfWorkloadsAreValidatedOnce) {
  const NewObjects read(
      "{apiVersion: apps/v1, kind: Deployment, metadata: {name: W, labels: {a: b}}, spec: "
      "{selector: "
      "{matchLabels: {app: w}}, template: {metadata: {labels: {app: w}}, spec: {containers: "
      "[{name: a}, {name: a}], tolerations: [{key: a, operator: Foo}]}}}}");
  ASSERT_EQ(read.errors.size(), 3u);
  EXPECT_NE(read.errors[0].find(": spec.template.spec.containers[1].name: Duplicate value: \"a\""),
            std::string::npos)
      << read.errors[0];
  EXPECT_NE(read.errors[1].find(": spec.template.spec.tolerations[0].operator: Unsupported value"),
            std::string::npos)
      << read.errors[1];
  EXPECT_NE(read.errors[2].find(": metadata.name: Invalid value: \"W\""), std::string::npos)
      << read.errors[2];
  EXPECT_EQ(NewObjects("{apiVersion: apps/v1, kind: Deployment, metadata: {name: w}, spec: "
                       "{selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, "
                       "spec: {}}}}")
                .errors.size(),
            1u);
}

TEST(NewObjects, TheMetadataOfAllKindsIsValidated) {
  const auto errors = [](const std::string& kind, const std::string& metadata) {
    return NewObjects("{" + kind + ", metadata: {" + metadata + "}, value: 1}").errors;
  };
  const std::string priority_class = "apiVersion: scheduling.k8s.io/v1, kind: PriorityClass";
  const std::string space = "apiVersion: v1, kind: Namespace";
  const std::string service = "apiVersion: v1, kind: Service";
  const std::string claim = "apiVersion: v1, kind: PersistentVolumeClaim";
  for (const auto& [kind, metadata, text] : std::vector<std::array<std::string, 3>>{
           {priority_class, "name: Gold_1", "\"Gold_1\": a lowercase RFC 1123 subdomain must"},
           {space, "name: a.b", "\"a.b\": must not contain dots"},
           {service, "name: 1a", "\"1a\": a DNS-1035 label must"},
           {service, "name: a.b", "\"a.b\": a DNS-1035 label must"},
           {claim, "name: A", "\"A\": a lowercase RFC 1123 subdomain must"},
           {claim, "name: a, namespace: b.c",
            "metadata.namespace: Invalid value: \"b.c\": must"}}) {
    const Texts found = errors(kind, metadata);
    ASSERT_EQ(found.size(), 1u) << kind << metadata;
    EXPECT_NE(found[0].find(text), std::string::npos) << found[0];
    EXPECT_EQ(errors(kind, metadata + ", uid: u"), Texts()) << "an API server took it";
  }
  EXPECT_EQ(errors(priority_class, "name: gold.1"), Texts());
  EXPECT_EQ(errors(space, "name: 1-a"), Texts());
  EXPECT_EQ(errors(service, "name: a-1"), Texts());
}

TEST(NewObjects, OfAClusterAreItsNodes) {
  const char text[] =
      "{apiVersion: v1, kind: Pod, metadata: {name: P}}\n---\n"
      "{kind: Deployment, metadata: {name: D}, spec: {template: {}}}\n---\n"
      "{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {taints: [{key: a}]}}\n";
  EXPECT_EQ(NewObjects(text, Workloads::kOwners).errors,
            Texts({"file:5:68: spec.taints[0].effect: Required value"}));
}

}  // namespace
}  // namespace berth::ingest
