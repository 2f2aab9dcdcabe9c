// Frames of each version, which must not contain later additions.

#include "engine/ingest/stream/stream_versions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <string_view>

#include "berth/schema/cluster_generated.h"
#include "engine/ingest/stream/testing/stream_faults_for_tests.h"

namespace berth::ingest {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A stream of version 1 as its writer wrote it: a note, a template, a node, a namespace, another
// template with a placed pod, two waiting pods, two events, the end mark.
constexpr std::string_view kVersion1 =
    "be5254480101000024000000ea3c7d92266b52080c00000000000600080004000600000004000000090000007665"
    "7273696f6e2031000000be525448010200007400000068a7ba681f910fa50c000000000006000800040006000000"
    "04000000010000000c00000008000a0000000400080000001400000000000e000c00000000000400000008000e00"
    "00000700000004000000010000000c00000008000c00040008000800000010000000040000000300000077656200"
    "0300000061707000be52544801030000640000009d3adde9111a9dae0c0000000000060008000400060000000400"
    "00000100000004000000ecffffff3800000004000000010000000c00000008000c00040008000800000010000000"
    "040000000100000061000000040000007a6f6e6500000000060000006e6f64652d310000be525448010300006400"
    "00009d3adde9f80546ec0c000000080008000000040008000000040000000100000004000000ecffffff38000000"
    "04000000010000000c00000008000c00040008000800000010000000040000000100000031000000040000007469"
    "657200000000040000007465616d00000000be5254480102000044000000de02fb56a949ca0b0c00000000000600"
    "080004000600000004000000010000000c00000008000e000400080008000000010000001000000000000a000800"
    "0000000004000a00000007000000be52544801030000b00000008b2c9d82ebdf7a571000000000000a0008000000"
    "000004000a00000004000000010000001800000000001200200008000c001000140018001c000700120000000000"
    "0002010000006400000054000000440000003400000004000000010000000c00000008000c000400080008000000"
    "100000000400000002000000646200000300000061707000060000006e6f64652d310000050000007569642d3100"
    "000006000000706c616365640000040000007465616d00000000be525448010500000c010000281cbdb37db0b185"
    "2400000020003c00040008000c001000140018001c002000240028002c0030003400380020000000d8000000b000"
    "0000a4000000980000008400000078000000680000005c0000004c00000034000000280000001c00000010000000"
    "04000000010000003000000001000000010000000100000000000000020000000100000001000000040000000500"
    "0000696e646578000000060000006e6f64652d3100000200000006000000050000007569642d3200000002000000"
    "050000000a0000007765622d307765622d3100000200000005050000020000000000010002000000140000000400"
    "0000050000006f74686572000000040000007465616d00000000020000000000000000000000be52544801040000"
    "80000000b43939a13cbf43ea0c000000000006000800040006000000040000000200000040000000140000001000"
    "0c00070000000000000000000800100000000000000304000000060000006e6f64652d3100001000100007000000"
    "0000000008000c001000000000000006140000000400000006000000706c616365640000040000007465616d0000"
    "0000be52544801070000200000005891b99c257159590c0000000800140004000c00080000000800000000000000"
    "0200000000000000";

Bytes from_hex(std::string_view text) {
  Bytes bytes(text.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char* digits = text.data() + 2 * i;
    std::from_chars(digits, digits + 2, bytes[i], 16);
  }
  return bytes;
}

TEST(StreamVersion, AStreamOfTheFirstVersionIsStillRead) {
  const Bytes bytes = from_hex(kVersion1);
  MemorySource source(bytes, "s");
  Diagnostics diagnostics;
  StreamReader reader(source, diagnostics);
  std::vector<Batch> batches;
  for (Batch batch; reader.next(batch); batch = {}) batches.push_back(std::move(batch));
  for (const Error& error : diagnostics.kept()) ADD_FAILURE() << error.what();
  ASSERT_THAT(batches, SizeIs(9));
  EXPECT_EQ(batches[0].note, "version 1");
  EXPECT_EQ(batches[1].templates[0].spec->priority, 7);
  EXPECT_EQ(batches[2].cluster.nodes[0].name, "node-1");
  EXPECT_EQ(batches[3].cluster.namespaces[0].name, "team");
  ASSERT_THAT(batches[5].cluster.pods, SizeIs(1));
  EXPECT_EQ(batches[5].cluster.pods[0].name, "placed");
  EXPECT_EQ(batches[5].cluster.pods[0].node_name, "node-1");
  EXPECT_EQ(batches[5].cluster.pods[0].controller, std::nullopt);
  const PodBatch& pods = batches[6].pods;
  EXPECT_THAT(pods.names, ElementsAre("web-0", "web-1"));
  EXPECT_THAT(pods.uids, ElementsAre("uid-2", ""));
  EXPECT_THAT(pods.nominated_nodes, ElementsAre("node-1", ""));
  EXPECT_EQ(pods.namespace_of(1), "other");
  EXPECT_THAT(pods.labels, ElementsAre(std::pair("index", "0")));
  EXPECT_EQ(pods.controller_of(0), nullptr);
  ASSERT_THAT(batches[7].events, SizeIs(2));
  EXPECT_EQ(std::get<PodDeleted>(batches[7].events[0]).name, "placed");
  EXPECT_EQ(std::get<NodeDeleted>(batches[7].events[1]).name, "node-1");
  EXPECT_EQ(batches[8].kind, BatchKind::kEnd);
}

TEST(StreamVersion, WritersWriteTheNewest) {
  MemorySink sink;
  StreamWriter writer(sink);
  writer.note("a");
  writer.end();
  MemorySource source(sink.bytes(), "s");
  FrameReader frames(source);
  EXPECT_EQ(std::get<Frame>(frames.next()).version, kFrameVersion);
  EXPECT_EQ(std::get<Frame>(frames.next()).version, kFrameVersion);
}

// Valid in a frame of version `since`; in a frame of the version before, the whole frame is
// rejected.
void expect_later(FrameKind kind, const std::string& where,
                  const std::function<void(FlatBufferBuilder&)>& fill, uint8_t since = 2) {
  const auto before = static_cast<uint8_t>(since - 1);
  EXPECT_THAT(faults_of(kind, fill), IsEmpty());
  EXPECT_THAT(faults_of(kind, fill, since), IsEmpty());
  EXPECT_THAT(faults_of(kind, fill, before),
              ElementsAre(HasSubstr(where + "has a field that version " + std::to_string(before) +
                                    " of the format does not have; the frame was passed over")));
}

flatbuffers::Offset<schema::SelectorOwner> selector_owner(FlatBufferBuilder& b) {
  return schema::CreateSelectorOwnerDirect(b, schema::SelectorOwnerKind::StatefulSet, "db", "ns");
}

TEST(StreamVersion, RetiredTemplatesCameLater) {
  const auto retired = [](FlatBufferBuilder& b) {
    b.Finish(schema::CreateTemplates(b, 0, b.CreateVector(std::vector<uint32_t>{1})));
  };
  EXPECT_THAT(faults_of(FrameKind::Templates, retired, 2),
              ElementsAre(HasSubstr("has a field that version 2 of the format does not have")));
}

TEST(StreamVersion, SelectorOwnersOfAClusterCameLater) {
  expect_later(FrameKind::Cluster, "", [](FlatBufferBuilder& b) {
    const std::vector sets = {selector_owner(b)};
    b.Finish(schema::CreateCluster(b, 0, 0, 0, b.CreateVector(sets)));
  });
}

TEST(StreamVersion, ControllersOfPodsCameLater) {
  expect_later(FrameKind::Cluster, "pods[0]: ", [](FlatBufferBuilder& b) {
    const auto controller = schema::CreateControllerDirect(b, "v1", "Set", "db", "1");
    const std::vector pods = {schema::CreatePodDirect(b, 0, "ns", "p", nullptr, nullptr, nullptr,
                                                      schema::PodPhase::Unknown, nullptr, false,
                                                      controller)};
    b.Finish(schema::CreateCluster(b, 0, 0, b.CreateVector(pods)));
  });
}

TEST(StreamVersion, ColumnsOfControllersCameLater) {
  const auto pods = [](FlatBufferBuilder& b, bool with_controllers, bool with_indices) {
    const std::vector<uint32_t> ids = {0};
    const std::vector<uint16_t> indices = {0};
    const std::vector<uint8_t> lengths = {1};
    const std::vector<uint8_t> names = {'p'};
    const std::vector controllers = {schema::CreateControllerDirect(b, "v1", "Set", "db", "1")};
    const std::vector<flatbuffers::Offset<flatbuffers::String>> spaces = {b.CreateString("ns")};
    const auto ids_at = b.CreateVector(ids);
    const auto spaces_at = b.CreateVector(spaces);
    const auto lengths_at = b.CreateVector(lengths);
    const auto names_at = b.CreateVector(names);
    const auto controllers_at = b.CreateVector(controllers);
    const auto indices_at = b.CreateVector(indices);
    schema::PodsBuilder builder(b);
    builder.add_template_ids(ids_at);
    builder.add_namespaces(spaces_at);
    builder.add_name_lengths(lengths_at);
    builder.add_names(names_at);
    if (with_controllers) builder.add_controllers(controllers_at);
    if (with_indices) builder.add_controller_indices(indices_at);
    b.Finish(builder.Finish());
  };
  expect_later(FrameKind::Pods, "", [&](FlatBufferBuilder& b) { pods(b, true, false); });
  expect_later(FrameKind::Pods, "", [&](FlatBufferBuilder& b) { pods(b, false, true); });
  EXPECT_THAT(faults_of(
                  FrameKind::Pods, [&](FlatBufferBuilder& b) { pods(b, false, false); }, 1),
              IsEmpty());
}

TEST(StreamVersion, EventsOfSelectorOwnersCameLater) {
  using schema::EventKind;
  const auto with = [](const auto& make) {
    return [=](FlatBufferBuilder& b) {
      const std::vector events = {make(b)};
      b.Finish(schema::CreateEvents(b, b.CreateVector(events)));
    };
  };
  const auto added = [](FlatBufferBuilder& b) {
    return schema::CreateEventDirect(b, EventKind::SelectorOwnerAdded, 0, 0, 0, nullptr, nullptr,
                                     selector_owner(b));
  };
  expect_later(FrameKind::Events, "events[0]: ", with(added));
  const auto deleted = [](schema::SelectorOwnerKind kind) {
    return [=](FlatBufferBuilder& b) {
      return schema::CreateEventDirect(b, EventKind::SelectorOwnerDeleted, 0, 0, 0, "ns", "db", 0,
                                       kind);
    };
  };
  expect_later(FrameKind::Events, "events[0]: ", with(deleted(schema::SelectorOwnerKind::Service)));
  // An enumerator alone costs only the event, like every other that is out of range.
  EXPECT_THAT(faults_of(FrameKind::Events, with(deleted(schema::SelectorOwnerKind::None)), 1),
              ElementsAre(HasSubstr(
                  "events[0].kind: 13 is not a kind of event in version 1 of the format")));
}

TEST(StreamVersion, WhatPreemptionReadsCameLaterStill) {
  using schema::EventKind;
  const auto pod = [](bool preempted, flatbuffers::Optional<int64_t> started_at) {
    return [=](FlatBufferBuilder& b) {
      const std::vector pods = {schema::CreatePodDirect(b, 0, "ns", "p", nullptr, "n", nullptr,
                                                        schema::PodPhase::Unknown, nullptr, true, 0,
                                                        preempted, started_at)};
      b.Finish(schema::CreateCluster(b, 0, 0, b.CreateVector(pods)));
    };
  };
  expect_later(FrameKind::Cluster, "pods[0]: ", pod(true, flatbuffers::nullopt), 3);
  expect_later(FrameKind::Cluster, "pods[0]: ", pod(false, 7), 3);
  expect_later(
      FrameKind::Cluster, "pods[0]: ",
      [](FlatBufferBuilder& b) {
        const auto space = b.CreateString("ns"), name = b.CreateString("p");
        schema::PodBuilder builder(b);
        builder.add_namespace_name(space);
        builder.add_name(name);
        builder.add_created_at(7);
        const std::vector pods = {builder.Finish()};
        b.Finish(schema::CreateCluster(b, 0, 0, b.CreateVector(pods)));
      },
      3);
  const auto budget = [](FlatBufferBuilder& b) {
    return schema::CreateDisruptionBudgetDirect(b, "db", "ns");
  };
  expect_later(
      FrameKind::Cluster, "",
      [&](FlatBufferBuilder& b) {
        const std::vector budgets = {budget(b)};
        b.Finish(schema::CreateCluster(b, 0, 0, 0, 0, b.CreateVector(budgets)));
      },
      3);
  expect_later(
      FrameKind::Events, "events[0]: ",
      [&](FlatBufferBuilder& b) {
        const std::vector events = {
            schema::CreateEventDirect(b, EventKind::DisruptionBudgetAdded, 0, 0, 0, nullptr,
                                      nullptr, 0, schema::SelectorOwnerKind::None, budget(b))};
        b.Finish(schema::CreateEvents(b, b.CreateVector(events)));
      },
      3);
  const auto deleted = [](FlatBufferBuilder& b) {
    const std::vector events = {
        schema::CreateEventDirect(b, EventKind::DisruptionBudgetDeleted, 0, 0, 0, "ns", "db")};
    b.Finish(schema::CreateEvents(b, b.CreateVector(events)));
  };
  EXPECT_THAT(faults_of(FrameKind::Events, deleted, 2),
              ElementsAre(HasSubstr(
                  "events[0].kind: 16 is not a kind of event in version 2 of the format")));
}

// A new field needs an entry for its version.
TEST(StreamVersion, EveryTableHasAsManyFieldsAsItsVersionSays) {
  struct Fields {
    const flatbuffers::TypeTable* table;
    size_t in_1, in_2, in_3, in_4;
  };
  const Fields kAll[] = {
      {schema::NoteTypeTable(), 1, 1, 1, 1},
      {schema::TemplateTypeTable(), 2, 2, 2, 2},
      {schema::TemplatesTypeTable(), 1, 1, 2, 2},
      {schema::ClusterTypeTable(), 3, 4, 5, 6},
      {schema::EventTypeTable(), 6, 8, 9, 10},
      {schema::EventsTypeTable(), 1, 1, 1, 1},
      {schema::PodsTypeTable(), 14, 16, 17, 20},
      {schema::EndTypeTable(), 2, 2, 2, 2},
      {schema::PodTypeTable(), 9, 10, 13, 14},
      {schema::PodSpecTypeTable(), 16, 16, 17, 18},
      {schema::NodeTypeTable(), 7, 7, 7, 7},
      {schema::NamespaceTypeTable(), 2, 2, 2, 2},
      {schema::ContainerTypeTable(), 5, 5, 6, 6},
      {schema::LabelSelectorTypeTable(), 2, 2, 2, 2},
      {schema::ControllerTypeTable(), 4, 4, 4, 4},
      {schema::SelectorOwnerTypeTable(), 4, 4, 4, 4},
      {schema::DisruptionBudgetTypeTable(), 5, 5, 5, 5},
  };
  for (const auto& [table, in_1, in_2, in_3, in_4] : kAll) {
    EXPECT_EQ(fields_in_version(table, 1), in_1) << table->names[0];
    EXPECT_EQ(fields_in_version(table, 2), in_2) << table->names[0];
    EXPECT_EQ(fields_in_version(table, 3), in_3) << table->names[0];
    EXPECT_EQ(fields_in_version(table, 4), in_4) << table->names[0];
    EXPECT_EQ(table->num_elems, fields_in_version(table, kFrameVersion)) << table->names[0];
  }
}

}  // namespace
}  // namespace berth::ingest
