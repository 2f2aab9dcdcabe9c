// Reading files of objects: lists, several documents and files, hostile input.

#include "engine/ingest/objects/objects.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/ingest/objects/objects_for_tests.h"

namespace berth::ingest {
namespace {

using Unread = std::map<std::string, uint64_t>;

template <typename Object>
std::string names(const std::vector<Object>& objects) {
  std::string text;
  for (const Object& object : objects) text += (text.empty() ? "" : " ") + object.name;
  return text;
}

template <typename Kind>
std::string names_of(const Objects& objects) {
  return names(model::objects_of<Kind>(objects.others));
}

std::string node_yaml(const std::string& name) {
  return R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": ")" + name + "\"}}";
}

std::string pod_yaml(const std::string& name, const std::string& space = "default") {
  return R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": ")" + space +
         R"(", "name": ")" + name + "\"}}";
}

TEST(Objects, KeepTheOrderOfTheInput) {
  Read read(pod_yaml("b") + node_yaml("y") + pod_yaml("a") +
            R"({"kind": "Namespace", "metadata": {"name": "s"}})" + node_yaml("x"));
  EXPECT_EQ(read.errors, Texts());
  EXPECT_EQ(names_of<model::Node>(read.objects), "y x");
  EXPECT_EQ(names(read.objects.pods), "b a");
  EXPECT_EQ(names_of<model::Namespace>(read.objects), "s");
}

TEST(Objects, OfYamlWithAKeyTwiceLoseNoneOfTheOthers) {
  Diagnostics diagnostics;
  ObjectReader reader(diagnostics);
  reader.read_text(
      "kind: List\napiVersion: v1\nitems:\n"
      "- {kind: Pod, apiVersion: v1, metadata: {name: a}}\n"
      "- kind: Pod\n  metadata:\n    name: b\n    uid: u\n    name: c\n"
      "- {kind: Node, apiVersion: v1, metadata: {name: n1}}\n"
      "---\n{kind: PodList, items: [{metadata: {name: d}}], items: []}\n"
      "---\n{kind: Pod, metadata: {name: e}}\n",
      "file");
  const Objects objects = reader.take();
  EXPECT_EQ(names(objects.pods), "a e");
  EXPECT_EQ(names_of<model::Node>(objects), "n1");
  EXPECT_EQ(objects.rejected, 2u);
  ASSERT_EQ(objects.rejected_pods.size(), 1u);
  const Texts said = messages(diagnostics);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0],
            "file:9:5: items[1].metadata.name: duplicate field \"metadata.name\"; the first is in "
            "line 7");
  EXPECT_TRUE(said[1].starts_with("file:12:")) << said[1];
  EXPECT_NE(said[1].find("duplicate field \"items\""), std::string::npos) << said[1];
  EXPECT_EQ(objects.rejected_pods[0].message, said[0]);
}

TEST(Objects, OfAListAreInItems) {
  const Read read("kind: List\nItems:\n- {kind: Pod, metadata: {name: p}}\n---\n" + node_yaml("a") +
                  "\n---\nkind: NodeList\nmetadata: {resourceVersion: \"\"}\n");
  EXPECT_EQ(names_of<model::Node>(read.objects), "a");
  ASSERT_EQ(read.errors.size(), 1u);
  EXPECT_EQ(read.errors[0], "file:3:1: Items: not a field of a list; did you mean items?");
}

TEST(Objects, ComeInLists) {
  Read read(R"({"apiVersion": "v1", "kind": "List", "items": [)" + node_yaml("a") + "," +
            pod_yaml("p") +
            R"(, {"kind": "NodeList", "items": [{"metadata": {"name": "b"}}]}]}
      {"apiVersion": "v1", "kind": "PodList", "items": [{"metadata": {"name": "q"}}]}
      {"apiVersion": "v1", "kind": "NamespaceList", "items": null}
      {"apiVersion": "v1", "kind": "List"}
      [)" + node_yaml("c") +
            "]");
  EXPECT_EQ(read.errors, Texts());
  EXPECT_EQ(names_of<model::Node>(read.objects), "a b c");
  EXPECT_EQ(names(read.objects.pods), "p q");
}

TEST(Objects, OfOtherKindsAreCounted) {
  Read read(R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
---
kind: ConfigMap
---
kind: ConfigMapList
items: [{metadata: {name: a}}, {metadata: {name: b}}]
---
apiVersion: example.com/v1
kind: Node
---
apiVersion: example.com/v1
kind: AllowList
spec: {}
)");
  EXPECT_EQ(read.errors, Texts());
  EXPECT_TRUE(read.objects.others.empty());
  EXPECT_EQ(
      read.objects.remarks.unread_kinds,
      (Unread{{"AllowList", 1}, {"ConfigMap", 3}, {"Deployment", 1}, {"Node.example.com", 1}}));
}

// Kinds of Kubernetes that are not read, and kinds of other groups, resemble some that are.
TEST(Objects, OfKindsWithATypingErrorAreNamedOnce) {
  const Read read(R"(
apiVersion: v1
kind: Nod
---
{apiVersion: v1, kind: Nod}
---
apiVersion: v1
kind: pod
---
{kind: StatfulSetList, apiVersion: apps/v1, items: [{metadata: {name: a}}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role}
---
{apiVersion: example.com/v1, kind: Nodes}
---
{apiVersion: batch/v1, kind: CronJob, metadata: {name: c}}
---
{apiVersion: v1, kind: Secret}
---
{apiVersion: v1, kind: Endpoints}
)");
  EXPECT_EQ(read.errors, Texts());
  Texts said;
  for (const auto& [kind, first] : read.objects.remarks.near_kinds) said.emplace_back(first.what());
  const std::string none = "no kind that is read is called ";
  EXPECT_EQ(said,
            Texts({"file:3:7: kind: " + none + "\"Nod\"; did you mean Node?",
                   "file:10:53: items[0]: " + none + "\"StatfulSet\"; did you mean StatefulSet?",
                   "file:8:7: kind: " + none + "\"pod\"; did you mean Pod?"}));
  EXPECT_EQ(read.objects.remarks.unread_kinds, (Unread{{"CronJob", 1},
                                                       {"Endpoints", 1},
                                                       {"Nod", 2},
                                                       {"Nodes", 1},
                                                       {"Role", 1},
                                                       {"Secret", 1},
                                                       {"StatfulSet", 1},
                                                       {"pod", 1}}));
}

std::string kinds_and_names(const Objects& objects) {
  std::string text;
  model::each<model::SelectorOwner>(objects.others, [&](const auto& owner) {
    text += (text.empty() ? "" : " ") + std::string(kind_of(owner)) + ":" + full_name(owner);
  });
  return text;
}

TEST(Objects, ThatSelectPodsAreReadWhateverTheirKind) {
  Read read(R"(
apiVersion: v1
kind: Service
metadata: {name: a}
---
apiVersion: v1
kind: List
items:
- {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: b, namespace: team}}
- {apiVersion: v1, kind: ReplicationController, metadata: {name: c}}
- {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: d}}
- {kind: ReplicaSet, metadata: {name: e}}
---
apiVersion: v1
kind: ServiceList
items: [{metadata: {name: f}}, {metadata: {generateName: g-}}]
---
{apiVersion: v1, kind: ReplicationControllerList, items: [{metadata: {name: h}}]}
---
{apiVersion: apps/v1, kind: ReplicaSetList, items: [{metadata: {name: i}}]}
---
{apiVersion: apps/v1, kind: StatefulSetList, items: [{metadata: {name: j}}]}
---
{apiVersion: apps/v1, kind: StatefulSetList}
)");
  EXPECT_EQ(read.errors, Texts());
  EXPECT_EQ(kinds_and_names(read.objects),
            "Service:default/a StatefulSet:team/b ReplicationController:default/c "
            "ReplicaSet:default/d ReplicaSet:default/e Service:default/f Service:default/g-1 "
            "ReplicationController:default/h ReplicaSet:default/i StatefulSet:default/j");
  EXPECT_EQ(read.objects.remarks.unread_kinds, Unread());
}

TEST(Objects, OfTheirNameInOtherGroupsAreCounted) {
  Read read(R"(
{apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: a}}
---
{apiVersion: serving.knative.dev/v1, kind: ServiceList, items: [{metadata: {name: b}}, {metadata: {name: c}}]}
---
{apiVersion: extensions/v1beta1, kind: ReplicaSet, metadata: {name: d}}
---
{apiVersion: v1, kind: StatefulSet, metadata: {name: e}}
---
{apiVersion: example.com/v1, kind: PodList, items: [{apiVersion: v1, kind: Pod, metadata: {name: p}}]}
)");
  EXPECT_EQ(read.errors, Texts());
  EXPECT_TRUE(read.objects.others.empty());
  EXPECT_EQ(names(read.objects.pods), "p");
  EXPECT_EQ(read.objects.remarks.unread_kinds, (Unread{{"ReplicaSet.extensions", 1},
                                                       {"Service.serving.knative.dev", 3},
                                                       {"StatefulSet", 1}}));
}

TEST(Objects, ThatSelectPodsAreToldApartByKindNamespaceAndName) {
  Read read(R"({"kind": "Service", "metadata": {"name": "a"}}
{"kind": "ReplicaSet", "metadata": {"name": "a"}}
{"kind": "Service", "metadata": {"name": "a", "namespace": "team"}}
{"kind": "Service", "metadata": {"name": "a", "namespace": "default"}}
{"kind": "Service", "metadata": {}}
{"kind": "StatefulSet", "metadata": {"name": "b"}, "spec": {"selector": 3}}
)" + pod_yaml("a"));
  EXPECT_EQ(kinds_and_names(read.objects), "Service:default/a ReplicaSet:default/a Service:team/a");
  EXPECT_EQ(names(read.objects.pods), "a");
  EXPECT_EQ(read.objects.rejected, 3u);
  EXPECT_EQ(
      read.errors,
      Texts({"file:4:1: Service \"default/a\" is there already, at file:1:1: this one is left out",
             "file:5:33: metadata.name: a Service needs a name",
             "file:6:73: spec.selector: expected an object, found the number 3"}));
}

TEST(Objects, KindsThatSelectPodsHaveTheirNamesInTheirGroups) {
  using model::SelectorOwnerKind;
  EXPECT_EQ(selector_owner_kind("Service", "v1"), SelectorOwnerKind::kService);
  EXPECT_EQ(selector_owner_kind("ReplicationController", ""),
            SelectorOwnerKind::kReplicationController);
  EXPECT_EQ(selector_owner_kind("ReplicaSet", "apps/v1"), SelectorOwnerKind::kReplicaSet);
  EXPECT_EQ(selector_owner_kind("StatefulSet", "apps/v1"), SelectorOwnerKind::kStatefulSet);
  EXPECT_EQ(selector_owner_kind("Service", "serving.knative.dev/v1"), std::nullopt);
  EXPECT_EQ(selector_owner_kind("StatefulSet", "v1"), std::nullopt);
  EXPECT_EQ(selector_owner_kind("Pod", "v1"), std::nullopt);
  EXPECT_EQ(selector_owner_kind("Deployment", "apps/v1"), std::nullopt);
}

TEST(Objects, ThatAreWrongLoseNoOther) {
  Read read(
      "kind: Node\nmetadata: {name: a}\n---\nkind: Node\nmetadata: {name: b}\nspec: {taints: x}\n"
      "---\n\tbad\n---\nkind: List\nitems:\n- kind: Pod\n  metadata: {name: p}\n- kind: Pod\n- 7\n"
      "- metadata: {name: q}\n---\nkind: PodList\nitems: x\n---\nkind: Node\nmetadata: {name: "
      "c}\n");
  EXPECT_EQ(names_of<model::Node>(read.objects), "a c");
  EXPECT_EQ(names(read.objects.pods), "p");
  EXPECT_EQ(read.objects.rejected, 5u);
  EXPECT_EQ(read.errors, Texts({"file:8:1: malformed YAML: while scanning for the next token: "
                                "found character that cannot start "
                                "any token",
                                "file:6:16: spec.taints: expected an array, found the string \"x\"",
                                "file:14:3: items[1].metadata.name: a pod needs a name",
                                "file:15:3: items[2]: expected a Kubernetes object",
                                "file:16:3: items[3]: an object needs a kind, such as Node or Pod",
                                "file:19:8: items: the items of a list must be an array"}));
}

TEST(Objects, OfAnyKindWithAFaultAreReported) {
  for (const std::string_view kind : {"Node",
                                      "Pod",
                                      "Namespace",
                                      "Service",
                                      "ReplicationController",
                                      "ReplicaSet",
                                      "StatefulSet",
                                      "PodDisruptionBudget",
                                      "PriorityClass",
                                      "RuntimeClass",
                                      "LimitRange",
                                      "ResourceQuota",
                                      "PersistentVolumeClaim",
                                      "PersistentVolume",
                                      "StorageClass",
                                      "CSINode",
                                      "CSIDriver",
                                      "CSIStorageCapacity",
                                      "VolumeAttachment",
                                      "PodGroup"}) {
    Read read("kind: " + std::string(kind) + "\nmetadata: 5\n---\n" + node_yaml("good"));
    EXPECT_EQ(names_of<model::Node>(read.objects), "good") << kind;
    EXPECT_EQ(read.objects.rejected, 1u) << kind;
    EXPECT_FALSE(read.errors.empty()) << kind;
  }
}

TEST(Objects, OfOneNameAreReportedAndTheFirstStays) {
  Read read(node_yaml("a") + "\n" + pod_yaml("a") + "\n" + pod_yaml("a", "other") + "\n" +
            R"({"kind": "Node", "metadata": {"name": "a", "labels": {"second": "yes"}}})" + "\n" +
            pod_yaml("a") + "\n" + node_yaml("b"));
  EXPECT_EQ(names_of<model::Node>(read.objects), "a b");
  EXPECT_TRUE(std::get<model::Node>(read.objects.others[0].object).labels.empty());
  EXPECT_EQ(names(read.objects.pods), "a a");
  EXPECT_EQ(read.objects.rejected, 2u);
  EXPECT_EQ(
      read.errors,
      Texts({"file:4:1: Node \"a\" is there already, at file:1:1: this one is left out",
             "file:5:1: Pod \"default/a\" is there already, at file:2:1: this one is left out"}));
}

TEST(Objects, WithoutANameOfTheirOwnAreNumbered) {
  std::string unnamed = R"({"kind": "Pod", "metadata": {"generateName": "web-"}})";
  Read read(unnamed + pod_yaml("web-2") + unnamed +
            R"({"kind": "Node", "metadata": {"generateName": "web-"}})" + unnamed +
            R"({"kind": "CSIDriver", "metadata": {"generateName": "web-"}})");
  EXPECT_EQ(read.errors, Texts());
  EXPECT_EQ(full_name(read.objects.others.back().object), "web-1");
  EXPECT_EQ(names(read.objects.pods), "web-1 web-2 web-3 web-4");
  EXPECT_EQ(names_of<model::Node>(read.objects), "web-1");
  EXPECT_EQ(Read(unnamed, Defaults::kNone).objects.rejected, 1u);
}

class FilesTest : public testing::Test {
 protected:
  ~FilesTest() override {
    for (const std::string& path : paths_) std::remove(path.c_str());
  }
  std::string write(const std::string& text) {
    paths_.push_back(testing::TempDir() + "objects_test." + std::to_string(::getpid()) + "." +
                     std::to_string(paths_.size()));
    std::ofstream(paths_.back(), std::ios::binary) << text;
    return paths_.back();
  }

  std::vector<std::string> paths_;
};

TEST_F(FilesTest, AreReadAsOneCluster) {
  std::string first = write(node_yaml("a") + pod_yaml("p"));
  std::string second = write("\n" + node_yaml("a") + node_yaml("b"));
  Diagnostics diagnostics;
  Objects objects = read_objects({first, second}, diagnostics);
  EXPECT_EQ(names_of<model::Node>(objects), "a b");
  EXPECT_EQ(names(objects.pods), "p");
  EXPECT_EQ(messages(diagnostics), Texts({second + ":2:1: Node \"a\" is there already, at " +
                                          first + ":1:1: this one is left out"}));
}

TEST_F(FilesTest, WithoutObjectsAreReported) {
  Diagnostics diagnostics;
  std::string empty = write("");
  std::string blank = write("---\n# nothing\n");
  std::string list = write(R"({"kind": "List", "items": []})");
  Objects objects = read_objects({empty, blank, list}, diagnostics);
  EXPECT_EQ(messages(diagnostics),
            Texts({empty + ": there is no object in it", blank + ": there is no object in it"}));
  EXPECT_THROW(read_objects({"/nowhere"}, diagnostics), Error);
}

TEST(HostileObjects, AreReportedAndTheGoodOnesStay) {
  std::string deep = std::string(100'000, '[');
  std::string bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c < 'm'; ++c) {
    std::string before = std::string("*") + char(c - 1);
    bomb += std::string(1, c) + ": &" + c + " [" + before;
    for (int i = 1; i < 10; ++i) bomb += "," + before;
    bomb += "]\n";
  }
  std::string zero = "kind: Node\nmetadata: {name: \"z\0\"}\n";
  zero[28] = '\0';
  const std::string kBad[] = {
      deep,
      "{\"kind\":" + std::string(100'000, '['),
      bomb,
      "kind: Node\nmetadata: {name: \"\xff\xfe\"}\n",
      zero,
      "kind: Node\n\tmetadata: {name: x}\n",
      R"({"kind": "Node", "metadata": {"name": "x"}, "status": {"allocatable": {"cpu": 1e999999999999999999999}}})",
      R"({"kind": "Node", "metadata": {"name": "x"}, "status": {"allocatable": {"cpu": )" +
          std::string(1'000'000, '9') + "}}}",
      R"({"kind": "Node", "metadata": {"name": "x"}, "status": {"allocat)",
      "kind: Node\nmetadata: {name: x\n",
      R"({"kind": "Node", "metadata": {"name": ""}})",
  };
  for (const std::string& bad : kBad) {
    Read read("\xef\xbb\xbf" + node_yaml("a") + "\r\n---\r\n" + bad +
              "\n---\nkind: Pod\r\nmetadata:\r\n  name: p\r\n");
    EXPECT_EQ(names_of<model::Node>(read.objects), "a") << bad.substr(0, 100);
    EXPECT_EQ(names(read.objects.pods), "p") << bad.substr(0, 100);
    EXPECT_EQ(read.errors.size(), 1u) << bad.substr(0, 100);
  }
}

TEST(HostileObjects, ManyFaultsAreCountedAndCostNoMoreThanTheyMust) {
  std::string text = R"({"kind": "PodList", "items": [)";
  for (int i = 0; i < 100'000; ++i) text += i == 0 ? "{}" : ",{}";
  Read read(text + "]}");
  EXPECT_EQ(read.diagnostics.count(), 100'000u);
  EXPECT_EQ(read.errors.size(), Diagnostics::kKept);
  EXPECT_EQ(read.objects.rejected, 100'000u);
}

TEST(HostileObjects, AnObjectWithManyFaultsSaysThatThereAreMore) {
  Read read(
      "kind: Pod\nmetadata: {name: p}\nspec: {containers: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, "
      "12]}");
  ASSERT_EQ(read.errors.size(), 11u);
  EXPECT_NE(read.errors.back().find("more faults"), std::string::npos) << read.errors.back();
}

class SharedTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(shared_)) GTEST_SKIP() << "no data for tests at " << shared_;
  }

  const std::filesystem::path shared_ = BERTH_SHARED_DIR;
};

// The objects of a conformance case and of its history.
void add_case(document::Value root, ObjectReader& reader) {
  reader.add(root.find("objects"));
  reader.add(root.find("pods"));
}

TEST_F(SharedTest, ObjectsOfTheConformanceCasesAreFaultless) {
  size_t objects = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared_ / "conformance")) {
    if (entry.path().extension() != ".json") continue;
    Diagnostics diagnostics;
    document::Document document = document::Document::read(entry.path(), diagnostics);
    ASSERT_EQ(document.roots().size(), 1u) << entry.path();
    document::Value root = document.roots()[0];
    ObjectReader reader(diagnostics, Defaults::kNone);
    if (root.find("pods").present()) add_case(root, reader);
    for (document::Value step : root.find("history").elements()) {
      std::string_view op = step.find("op").as_string();
      if (op.ends_with("Node") && step.find("object").present()) {
        objects +=
            decode_node(step.find("object"), diagnostics, Defaults::kNone).has_value() ? 1 : 0;
      }
      if (step.find("pod").is(document::Kind::kObject)) {
        objects += decode_pod(step.find("pod"), diagnostics, Defaults::kNone).has_value() ? 1 : 0;
      }
    }
    objects += model::objects_of<model::Node>(reader.objects().others).size() +
               reader.objects().pods.size();
    EXPECT_EQ(messages(diagnostics), Texts()) << entry.path();
  }
  EXPECT_GT(objects, 10'000u);
}

// Files that are Go templates and not YAML are skipped.
TEST_F(SharedTest, ObjectsOfTheBenchmarkWorkloadsAreFaultless) {
  size_t objects = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(shared_ / "scheduler_perf")) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() != ".yaml" || path.parent_path().filename() != "templates") continue;
    std::ifstream file(path);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (text.find("{{") != std::string::npos) continue;
    if (path.filename() == "namespace-with-labels.yaml")
      text += "\n  name: sched-1\n";  // upstream sets the name
    Read read(text);
    // The benchmark names volumes and claims itself.
    const bool nameless = path.filename().string().starts_with("pv");
    for (const std::string& error : read.errors)
      EXPECT_TRUE(nameless && error.ends_with("needs a name")) << path << ": " << error;
    objects += model::objects_of<model::Node>(read.objects.others).size() +
               read.objects.pods.size() + read.objects.remarks.unread_kinds.size();
  }
  EXPECT_GT(objects, 30u);
}

}  // namespace
}  // namespace berth::ingest
