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
  for (size_t i = 0; i < objects.nodes.size(); ++i) {
    append(objects.nodes[i], text);
    text += " line " + std::to_string(objects.lines.nodes[i]) + "\n";
  }
  for (size_t i = 0; i < objects.pods.size(); ++i) {
    append(objects.pods[i], text);
    text += " line " + std::to_string(objects.lines.pods[i]) + "\n";
  }
  for (const auto& [kind, count] : objects.unread_kinds)
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
std::string pod(const std::string& name) {
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
  const std::string items = pod("p") + ",\n        " + kNode + ", " + kBadNode + "," + pod("q");
  for (const std::string& text : std::initializer_list<std::string>{
           kHead + items + kTail,
           kHead + kTail,
           R"({"kind":"PodList","items":[)" + pod("p") + "]}",
           R"({"kind":"PodList","items":[{"metadata":{"name":"a"}},)" + pod("p") + "]}",
           R"({"items":[)" + pod("p") + R"(,{"metadata":{"name":"a"}}],"kind":"PodList"})",
           R"({"items":[)" + items + R"(],"kind":"Widget"})",  // no list, though it has items
           R"({"items":[)" + items + "]}",
           R"({"items":[)" + items + R"(],"items":[],"kind":"List"})",
           R"({"kind":"List","items":[)" + items + "]} " + kNode + kHead + pod("z") + kTail,
           R"({"kind":"List","items":[)" + items + ",5]}",
           R"({"kind":"List","items":[)" + items + ",]}",
           R"({"kind":"List","items":[)" + items + R"(,{"kind":"List","items":[)" + pod("in") +
               "]}]}",
           R"({"kind":"List","items":[)" + items +
               ",\n{\"kind\":\"Node\",\"metadata\":{\"name\":\"\xff\"}}]}",
           R"({"kind":"List","items":[{"kind":"ConfigMap"}]})",
           R"({"kind":"List","items":null})",
           R"({"kind":"List","metadata":{"a":[1]},"items":[)" + pod("p") + "," + pod("p") + "]}",
           "\xef\xbb\xbf" + kHead + items + kTail,
           kHead + items + kTail + "---\n" + kNode,
           std::string("{items: [") + kNode + "], kind: List}",
           pod("p"),
           std::string(),
       })
    expect_equal(text);
}

// Items that windows cut, and one that is larger than a window.
TEST(ReadItems, BeyondTheWindow) {
  std::string text = kHead;
  for (int i = 0; i < 6000; ++i)
    text += (i == 0 ? "" : ",\n        ") + pod("p" + std::to_string(i));
  text += ",\n" + pod("large" + std::string(3'000'000, ' '));
  expect_equal(text + kTail);
  expect_equal(text + "," + kBadNode + kTail);
  expect_equal(text);
}

// Any byte taken out or changed: the errors, their places and what stays are equal.
RC_GTEST_PROP(ReadItems, DamagedAsTheWholeText, ()) {
  std::string text =
      kHead + pod("p") + ",\n        " + kNode + ", " + kBadNode + "," + pod("q") + kTail;
  for (int times = *rc::gen::inRange(1, 3); times > 0; --times) {
    const auto at = *rc::gen::inRange<size_t>(0, text.size());
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        text.erase(at, *rc::gen::inRange<size_t>(1, 4));
        break;
      case 1:
        text[at] = *rc::gen::elementOf(std::string("{}[],:\"\\\n a5\xff"));
        break;
      default:
        text.resize(at);
    }
    if (text.empty()) break;
  }
  expect_equal(text);
  RC_ASSERT(!testing::Test::HasFailure());
}

}  // namespace
}  // namespace berth::ingest
