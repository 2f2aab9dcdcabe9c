#include "cli/need/node_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/base/error.h"

namespace berth::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<NodeTemplate> read(const std::string& text) {
  const std::string path = testing::TempDir() + "berth-node-template-test.yaml";
  std::ofstream(path) << text;
  return read_node_templates({path});
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

constexpr char kLarge[] =
    "apiVersion: berth/v1\nkind: NodeTemplate\nmetadata: {name: large, labels: {a: b}}\n"
    "price: 0.5\nmost: 7\nstatus: {allocatable: {cpu: \"4\", pods: \"10\"}}\n";

TEST(NodeTemplates, HaveAPriceAndAMostNumber) {
  const auto templates = read(kLarge);
  ASSERT_THAT(templates, SizeIs(1));
  EXPECT_EQ(templates[0].name, "large");
  EXPECT_EQ(templates[0].price, 0.5);
  EXPECT_EQ(templates[0].most, 7u);
  const model::Node node = node_of(templates[0], "large-3");
  EXPECT_EQ(node.name, "large-3");
  EXPECT_THAT(node.labels, testing::Contains(testing::Pair("kubernetes.io/hostname", "large-3")));
  EXPECT_THAT(node.labels, testing::Contains(testing::Pair("a", "b")));
}

TEST(NodeTemplates, MayBeNodesWhoseStateDoesNotCount) {
  const auto templates = read(
      "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Node\n"
      "  metadata: {name: n1, annotations: {berth/drain: x}}\n"
      "  spec: {unschedulable: true, taints: [{key: node.kubernetes.io/not-ready, effect: "
      "NoExecute}, {key: mine, effect: NoSchedule}]}\n"
      "  status: {capacity: {cpu: \"4\"}, conditions: [{type: Ready, status: \"False\"}]}\n");
  ASSERT_THAT(templates, SizeIs(1));
  EXPECT_EQ(templates[0].price, 1);
  EXPECT_FALSE(templates[0].node.unschedulable);
  ASSERT_THAT(templates[0].node.taints, SizeIs(1));
  EXPECT_EQ(templates[0].node.taints[0].key, "mine");
  EXPECT_THAT(templates[0].node.conditions, IsEmpty());
  EXPECT_THAT(templates[0].node.annotations, IsEmpty());
}

TEST(NodeTemplates, AreRefusedWithTheirPlace) {
  const std::string text = kLarge;
  EXPECT_THAT(refusal(text + "prise: 1\n"), HasSubstr("unknown field \"prise\""));
  EXPECT_THAT(refusal(text + "spec: {tains: []}\n"), HasSubstr("unknown field \"tains\""));
  EXPECT_THAT(
      refusal("apiVersion: berth/v1\nkind: NodeTemplate\nmetadata: {name: x, lables: {}}\n"),
      HasSubstr("unknown field \"lables\""));
  EXPECT_THAT(refusal(text + "---\n" + text), HasSubstr("there is a template \"large\" already"));
  EXPECT_THAT(refusal("kind: Pod\n"), HasSubstr("found \"Pod\""));
  std::string wrong = text;
  wrong.replace(wrong.find("0.5"), 3, "-1");
  EXPECT_THAT(refusal(wrong), HasSubstr("price: expected a number"));
  EXPECT_THAT(refusal("apiVersion: berth/v1\nkind: NodeTemplate\nmetadata: {name: x}\n"),
              HasSubstr("expected amounts"));
}

}  // namespace
}  // namespace berth::cli
