// Reading a file item by item gives what reading its whole text gives: objects, lines, errors and
// remarks.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/ingest/objects/objects.h"
#include "engine/ingest/written/object_json.h"

namespace berth::ingest {
namespace {

// All that a reader tells of a file, as text.
std::string told(const Objects& objects, const Diagnostics& diagnostics) {
  std::string text;
  for (size_t i = 0; i < objects.others.size(); ++i) {
    append(std::get<model::Node>(objects.others[i].object), text);
    text += " line " + std::to_string(objects.lines.others[i]) + "\n";
  }
  for (size_t i = 0; i < objects.pods.size(); ++i) {
    append(objects.pods[i], text);
    text += " line " + std::to_string(objects.lines.pods[i]) + "\n";
  }
  for (const auto& [kind, count] : objects.remarks.unread_kinds)
    text += kind + " " + std::to_string(count) + "\n";
  for (const Error& error : diagnostics.kept()) text += std::string(error.what()) + "\n";
  for (const Remarks::Field& field : objects.remarks.unknown_fields)
    text += std::string(field.first.what()) + " " + std::to_string(field.count) + "\n";
  for (const RejectedPod& pod : objects.rejected_pods) text += pod.name + " rejected\n";
  return text + std::to_string(objects.rejected) + " rejected";
}

void expect_equal(const std::string& text) {
  const std::string path =
      testing::TempDir() + "read_items." + std::to_string(::getpid()) + ".json";
  std::ofstream(path) << text;
  Diagnostics of_items, of_text;
  ObjectReader items(of_items), whole(of_text);
  items.read(path);
  whole.read_text(text, path);
  std::filesystem::remove(path);
  EXPECT_EQ(told(items.objects(), of_items), told(whole.objects(), of_text))
      << text.substr(0, 4000);
}

const std::string kPod = R"({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "NAME", "namespace": "n"},
            "spec": {"containers": [{"name": "c", "resource": {}}], "nodeName": "a"}
        })";
std::string pod_item(const std::string& name) {
  std::string text = kPod;
  return text.replace(text.find("NAME"), 4, name);
}
const std::string kNode = R"({"kind": "Node", "metadata": {"name": "a"}, "spec": {"taint": 1}})";
const std::string kBadNode = R"({"kind": "Node",
   "metadata": {"name": "b", "labels": {"x": 5}}})";
const std::string kHead = "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n        ";
const std::string kTail =
    "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\"resourceVersion\": \"\"}\n}\n";

TEST(ReadItems, AsTheWholeText) {
  const std::string items =
      pod_item("p") + ",\n        " + kNode + ", " + kBadNode + "," + pod_item("q");
  for (const std::string& text : std::initializer_list<std::string>{
           kHead + items + kTail,
           kHead + kTail,
           R"({"kind":"PodList","items":[)" + pod_item("p") + "]}",
           R"({"kind":"PodList","items":[{"metadata":{"name":"a"}},)" + pod_item("p") + "]}",
           R"({"items":[)" + pod_item("p") + R"(,{"metadata":{"name":"a"}}],"kind":"PodList"})",
           R"({"items":[)" + items + R"(],"kind":"Widget"})",  // no list, though it has items
           R"({"items":[)" + items + "]}",
           R"({"items":[)" + items + R"(],"items":[],"kind":"List"})",
           R"({"kind":"List","items":[)" + items + "]} " + kNode + kHead + pod_item("z") + kTail,
           R"({"kind":"List","items":[)" + items + ",5]}",
           R"({"kind":"List","items":[)" + items + ",]}",
           R"({"kind":"List","items":[)" + items + R"(,{"kind":"List","items":[)" + pod_item("in") +
               "]}]}",
           R"({"kind":"List","items":[)" + items +
               ",\n{\"kind\":\"Node\",\"metadata\":{\"name\":\"\xff\"}}]}",
           R"({"kind":"List","items":[{"kind":"ConfigMap"}]})",
           R"({"kind":"List","items":null})",
           R"({"kind":"List","metadata":{"a":[1]},"items":[)" + pod_item("p") + "," +
               pod_item("p") + "]}",
           "\xef\xbb\xbf" + kHead + items + kTail,
           kHead + items + kTail + "---\n" + kNode,
           std::string("{items: [") + kNode + "], kind: List}",
           pod_item("p"),
           std::string(),
       })
    expect_equal(text);
}

// Items that windows cut, and one that is larger than a window.
TEST(ReadItems, BeyondTheWindow) {
  std::string text = kHead;
  for (int i = 0; i < 6000; ++i)
    text += (i == 0 ? "" : ",\n        ") + pod_item("p" + std::to_string(i));
  text += ",\n" + pod_item("large" + std::string(3'000'000, ' '));
  expect_equal(text + kTail);
  expect_equal(text + "," + kBadNode + kTail);
  expect_equal(text);
}

std::string yaml_pod(const std::string& name) {
  return R"(- apiVersion: v1
  kind: Pod
  metadata:
    annotations:
      a: |+
        text

       # no comment
      b: "one
        - two"
    name: )" +
         name + R"(
    namespace: ns
  spec:
    containers:
    - name: c
      resource: {}  # unknown
    nodeName: a
)";
}
const std::string kYamlNode = "- kind: Node\n  metadata: {name: a}\n  spec: {taint: 1}\n";
const std::string kYamlBadNode = "-\n  kind: Node\n  metadata: {name: b, labels: {x: 5}}\n";
const std::string kYamlHead = "apiVersion: v1\nitems:\n";
const std::string kYamlTail = "kind: List\nmetadata:\n  resourceVersion: \"\"\n";

std::string indented(const std::string& text, const std::string& by) {
  std::string out = by;
  for (size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] != '\n') out += by;
  }
  return out;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

TEST(ReadItems, OfYamlAsTheWholeText) {
  const std::string items =
      yaml_pod("p") + kYamlNode + kYamlBadNode + yaml_pod("\u00e4") + yaml_pod("q");
  const std::string list = kYamlHead + items + kYamlTail;
  for (const std::string& text : {
           list,
           "---\n# comment\n\n" + list,
           "%YAML 1.1\n---\n" + list,
           "%TAG !! tag:example.com,2000:\n---\n" + list,
           kYamlHead + "\n# comment\n" + items + "\n#comment\n" + kYamlTail,
           kYamlHead + indented(items, "  ") + kYamlTail,
           kYamlHead + indented(items, "  ") + items + kYamlTail,
           kYamlHead + indented(items, "  ") + " - x\n" + kYamlTail,
           replaced(list, "\n", "\r\n"),
           replaced(list, "\n", "\r"),
           replaced(list, "text\n\n", "text\n\r"),
           replaced(list, "text\n\n", "text\n\u2028"),
           kYamlHead + items + "- \rkind: Node\nmetadata: {name: z}\n",
           kYamlHead + items + "- \u0085kind: Node\nmetadata: {name: z}\n",
           kYamlHead + items,
           "kind: PodList\nitems:\n- metadata: {name: a}\n" + yaml_pod("p"),
           kYamlHead + "- metadata: {name: a}\n" + yaml_pod("p") + "kind: PodList\n",
           "kind: Widget\n" + kYamlHead + items,
           // Two lists, of which the malformed file keeps one.
           kYamlHead + items + kYamlTail + "items:\n" + kYamlNode + yaml_pod("r") + "!",
           list + "items: []\n",
           list + "---\n{kind: Node, metadata: {name: z}}\n",
           "kind: Node\nmetadata: {name: z}\n---\n" + list,
           kYamlHead + items + "- 5\n" + kYamlTail,
           kYamlHead + items + "-\n" + kYamlTail,
           kYamlHead + items + "- - 5\n" + kYamlTail,
           kYamlHead + items + "-\tkind: Node\n" + kYamlTail,
           kYamlHead + items + "- &a {kind: Node, metadata: {name: y}}\n- *a\n" + kYamlTail,
           kYamlHead + items + "- {kind: Node,\n   metadata: {name: y\n}}\n" + kYamlTail,
           kYamlHead + items + "- kind: Node\n  metadata: {name: \"y\n- kind: z\"}\n" + kYamlTail,
           kYamlHead + items + "- kind: Node\n  kind: Node\n  metadata: {name: y}\n" + kYamlTail,
           kYamlHead + items + "- {kind: Node, metadata: {name: y, <<: {labels: {a: b}}}}\n",
           kYamlHead + items + "- kind: Node\n  metadata: {name: \xff}\n" + kYamlTail,
           kYamlHead + items + "- kind: Node\n metadata: {name: y}\n" + kYamlTail,
           kYamlHead + items + "- kind: List\n  items:\n" + indented(yaml_pod("in"), "  ") +
               kYamlTail,
           kYamlHead + items + "- kind: List\n  items:\n" + yaml_pod("in") + kYamlTail,
           kYamlHead + "- kind: ConfigMap\n" + kYamlTail,
           kYamlHead + kYamlTail,
           "text: |\n" + indented(list, " "),
           "text: \"\n" + kYamlHead + yaml_pod("p"),
           "--- |\n" + list,
           // The first of two is a part of a text.
           "text: \"\n" + kYamlHead + yaml_pod("p") + "\"\nitems:\n" + yaml_pod("q") +
               "kind: List\n",
           "text: \"\n" + kYamlHead + yaml_pod("p") + "\"\nitems:\n" + yaml_pod("q") +
               "- 5\nkind: List\n",
           "items: # of the list\n" + items + kYamlTail,
           "items:#\n" + items + kYamlTail,
           kYamlHead + items + "x",
           kYamlHead + yaml_pod("p") + "-",
       })
    expect_equal(text);
}

TEST(ReadItems, OfYamlBeyondTheWindow) {
  std::string text = kYamlHead;
  for (int i = 0; i < 6000; ++i) text += yaml_pod("p" + std::to_string(i)) + "\n\n";
  text += "# " + std::string(700'000, '-') + "\n" + yaml_pod("large" + std::string(3'000'000, ' '));
  expect_equal(text + kYamlTail);
  expect_equal(text + kYamlBadNode + kYamlTail + ",");
  expect_equal(text);
}

// Damages a text in a few places.
std::string damaged(std::string text, const std::string& characters) {
  for (int times = *rc::gen::inRange(1, 3); times > 0; --times) {
    const auto at = *rc::gen::inRange<size_t>(0, text.size());
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        text.erase(at, *rc::gen::inRange<size_t>(1, 4));
        break;
      case 1:
        text[at] = *rc::gen::elementOf(characters);
        break;
      default:
        text.resize(at);
    }
    if (text.empty()) break;
  }
  return text;
}

// Any byte taken out or changed: the errors, their places and what stays are equal.
RC_GTEST_PROP(ReadItems, DamagedAsTheWholeText, ()) {
  expect_equal(damaged(
      kHead + pod_item("p") + ",\n        " + kNode + ", " + kBadNode + "," + pod_item("q") + kTail,
      "{}[],:\"\\\n a5\xff"));
  RC_ASSERT(!testing::Test::HasFailure());
}

RC_GTEST_PROP(ReadItems, OfYamlDamagedAsTheWholeText, ()) {
  expect_equal(
      damaged(kYamlHead + yaml_pod("p") + kYamlNode + kYamlBadNode + yaml_pod("q") + kYamlTail,
              "{}[],:\"'\\\n\r\t a5-#|&*%\xff"));
  RC_ASSERT(!testing::Test::HasFailure());
}

}  // namespace
}  // namespace berth::ingest
