#include "loadgen/generate.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/base/error.h"
#include "engine/ingest/objects.h"
#include "loadgen/object_json.h"

namespace berth::loadgen {
namespace {

TEST(Generate, TheSameSeedGivesTheSameNodes) {
  std::vector<NodeShape> shapes = builtin_node_shapes();
  bool differs = false;
  for (uint64_t i = 0; i < 100; ++i) {
    std::string a, b, other;
    append_node(make_node(shapes, 7, i, 3), true, a);
    append_node(make_node(shapes, 7, i, 3), true, b);
    append_node(make_node(shapes, 8, i, 3), true, other);
    EXPECT_EQ(a, b);
    differs |= a != other;
  }
  EXPECT_TRUE(differs);
}

TEST(Generate, WeightsDecideHowOftenAShapeComes) {
  std::vector<PodShape> shapes = builtin_pod_shapes(3);
  std::map<std::string, int> seen;
  for (uint64_t i = 0; i < 10000; ++i) ++seen[shapes[pod_shape(shapes, 1, i)].name];
  EXPECT_NEAR(seen["web"], 4000, 200);
  EXPECT_NEAR(seen["monster"], 100, 40);
}

TEST(Generate, ZonesTakeTurns) {
  std::map<std::string, int> zones;
  for (uint64_t i = 0; i < 9; ++i)
    for (const auto& [key, value] : make_node(builtin_node_shapes(), 1, i, 3).labels)
      if (key == "topology.kubernetes.io/zone") ++zones[value];
  EXPECT_EQ(zones, (std::map<std::string, int>{{"zone-0", 3}, {"zone-1", 3}, {"zone-2", 3}}));
}

TEST(Generate, WhatIsWrittenIsReadAgain) {
  std::string text;
  begin_list("a \"note\"", text);
  model::Node node = make_node(builtin_node_shapes(), 1, 0, 3);
  append_node(node, true, text);
  std::vector<PodShape> shapes = builtin_pod_shapes(3);
  for (const PodShape& shape : shapes) {
    model::Pod pod = shape.pod;
    pod.name = shape.name;
    append_pod(pod, false, text);
  }
  end_list(text);

  Diagnostics diagnostics;
  document::Document document = document::Document::parse(text, "list", diagnostics);
  ASSERT_EQ(diagnostics.count(), 0u);
  ingest::ObjectReader reader(diagnostics, ingest::Defaults::kNone);
  reader.add(document.roots()[0]);
  ASSERT_EQ(diagnostics.count(), 0u);
  ingest::Objects objects = reader.take();
  ASSERT_EQ(objects.nodes.size(), 1u);
  EXPECT_EQ(objects.nodes[0].labels, node.labels);
  EXPECT_EQ(objects.nodes[0].allocatable, node.allocatable);
  ASSERT_EQ(objects.pods.size(), shapes.size());
  for (size_t i = 0; i < shapes.size(); ++i) EXPECT_EQ(objects.pods[i].spec, shapes[i].pod.spec);
}

TEST(Shapes, SayWhatIsWrong) {
  EXPECT_THROW(parse_node_shape("small"), Error);
  EXPECT_THROW(parse_node_shape("small=0:cpu=1"), Error);
  EXPECT_THROW(parse_node_shape("small:cpu"), Error);
  EXPECT_THROW(parse_node_shape("small:"), Error);
  EXPECT_THROW(parse_node_shape(":cpu=1"), Error);
  EXPECT_THROW(parse_node_shape("small:cpu=1,cpu=2"), Error);
  EXPECT_THROW(parse_node_shape("small:cpu=lots"), Error);
  NodeShape shape = parse_node_shape("small=3:memory=1Gi,cpu=2");
  EXPECT_EQ(shape.weight, 3u);
  ASSERT_EQ(shape.allocatable.size(), 2u);
  EXPECT_EQ(shape.allocatable[0].first, "cpu");
}

}  // namespace
}  // namespace berth::loadgen
