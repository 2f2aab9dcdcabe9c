// Reading a stream returns what was written.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "engine/ingest/stream/read/stream_reader.h"
#include "engine/ingest/stream/testing/stream_objects_for_tests.h"
#include "engine/ingest/stream/write/stream_writer.h"

namespace berth::ingest {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// All batches of a stream, which must have no faults.
std::vector<Batch> read_all(const MemorySink& sink, size_t piece = SIZE_MAX) {
  MemorySource source(sink.bytes(), "memory", piece);
  Diagnostics diagnostics;
  StreamReader reader(source, diagnostics);
  std::vector<Batch> batches;
  for (Batch batch; reader.next(batch); batch = {}) batches.push_back(std::move(batch));
  for (const Error& error : diagnostics.kept()) ADD_FAILURE() << error.what();
  return batches;
}

template <typename Objects>
void append_added(const Objects& objects, std::vector<Change>& to) {
  for (const auto& object : objects) to.push_back(model::added(object));
}

// The objects of all batches of the cluster.
std::vector<Change> clusters_of(const std::vector<Batch>& batches) {
  std::vector<Change> out;
  for (const Batch& batch : batches)
    if (batch.kind == BatchKind::kCluster)
      out.insert(out.end(), batch.changes.begin(), batch.changes.end());
  return out;
}

std::vector<BatchKind> kinds(const std::vector<Batch>& batches) {
  std::vector<BatchKind> out;
  for (const Batch& batch : batches) out.push_back(batch.kind);
  return out;
}

model::PodSpec round_trip(const model::PodSpec& spec) {
  MemorySink sink;
  StreamWriter writer(sink);
  writer.template_id(spec);
  writer.end();
  const auto batches = read_all(sink);
  if (batches.empty() || batches[0].templates.size() != 1) return {};
  return *batches[0].templates[0].spec;
}

TEST(Stream, ATemplateCarriesEveryFieldOfASpec) {
  const model::PodSpec spec = testing::full_spec();
  EXPECT_TRUE(round_trip(spec) == spec);
  EXPECT_TRUE(round_trip({}) == model::PodSpec{});
}

RC_GTEST_PROP(Stream, EverySpecComesBack, ()) {
  const model::PodSpec spec = testing::pod_spec();
  RC_ASSERT(round_trip(spec) == spec);
}

RC_GTEST_PROP(Stream, EveryClusterComesBack, ()) {
  const auto nodes = testing::few(testing::node);
  const auto namespaces = testing::few(testing::namespace_object);
  const auto pods = testing::few(testing::pod);
  const auto selector_owners = testing::few(testing::selector_owner);
  const auto budgets = testing::few(testing::disruption_budget);
  std::vector<Change> objects;
  for (const model::Pod& pod : pods) objects.push_back(model::added(TemplatePod::of(pod)));
  append_added(nodes, objects);
  append_added(namespaces, objects);
  append_added(selector_owners, objects);
  append_added(budgets, objects);
  MemorySink sink;
  StreamWriter writer(sink);
  writer.cluster(objects);
  writer.end();

  const std::vector<Change> read =
      clusters_of(read_all(sink, static_cast<size_t>(testing::number(1, 999))));
  RC_ASSERT(read.size() == objects.size());
  std::vector<model::Pod> pods_read;
  model::each<TemplatePod>(read, [&](const auto& pod) { pods_read.push_back(pod.pod()); });
  RC_ASSERT(testing::equal(model::objects_of<model::Node>(read), nodes));
  RC_ASSERT(testing::equal(model::objects_of<model::Namespace>(read), namespaces));
  RC_ASSERT(testing::equal(pods_read, pods));
  RC_ASSERT(testing::equal(model::objects_of<model::SelectorOwner>(read), selector_owners));
  RC_ASSERT(model::objects_of<model::DisruptionBudget>(read) == budgets);
}

struct WrittenPod {
  uint32_t template_id;
  std::string namespace_name, name, uid, nominated_node;
  std::map<std::string, std::string> labels;
  std::optional<model::Controller> controller;
  int64_t created_at = 0;
  bool operator==(const WrittenPod&) const = default;
};

WrittenPod written_pod() {
  constexpr int64_t kTimes[] = {0, 0, -5, INT64_MAX};
  return {static_cast<uint32_t>(testing::number(0, 2)),
          testing::name(),
          testing::name(),
          testing::text(),
          testing::text(),
          testing::text_by_name(),
          testing::maybe(testing::controller),
          kTimes[testing::number(0, 3)]};
}

void add(StreamWriter& writer, const WrittenPod& pod) {
  const std::vector<std::pair<std::string_view, std::string_view>> labels(pod.labels.begin(),
                                                                          pod.labels.end());
  ASSERT_TRUE(
      writer.add_pod({pod.template_id, pod.namespace_name, pod.name, pod.uid, pod.nominated_node,
                      labels, pod.controller ? &*pod.controller : nullptr, pod.created_at}));
}

std::vector<WrittenPod> pods_of(const PodBatch& batch) {
  std::vector<WrittenPod> out;
  for (size_t i = 0; i < batch.size(); ++i) {
    out.push_back({batch.template_ids[i],
                   std::string(batch.namespace_of(i)),
                   std::string(batch.names[i]),
                   batch.uids.empty() ? "" : std::string(batch.uids[i]),
                   batch.nominated_nodes.empty() ? "" : std::string(batch.nominated_nodes[i]),
                   {},
                   {},
                   batch.created_at.empty() ? 0 : batch.created_at[i]});
    if (const auto* controller = batch.controller_of(i)) out.back().controller = *controller;
    if (batch.label_ends.empty()) continue;
    for (size_t l = i == 0 ? 0 : batch.label_ends[i - 1]; l < batch.label_ends[i]; ++l) {
      out.back().labels.emplace(batch.labels[l]);
    }
  }
  return out;
}

RC_GTEST_PROP(Stream, PodsComeBackFrameByFrame, ()) {
  std::vector<std::vector<WrittenPod>> frames = testing::few([] {
    std::vector<WrittenPod> frame(static_cast<size_t>(testing::number(0, 50)));
    std::ranges::generate(frame, written_pod);
    return frame;
  });
  std::erase_if(frames, [](const auto& frame) { return frame.empty(); });
  MemorySink sink;
  StreamWriter writer(sink);
  for (int32_t i = 0; i < 3; ++i) {
    model::PodSpec spec;
    spec.priority = i;
    RC_ASSERT(writer.template_id(spec) == static_cast<uint32_t>(i));
  }
  for (const auto& frame : frames) {
    for (const WrittenPod& pod : frame) add(writer, pod);
    writer.write_pods();
  }
  writer.end();

  std::vector<std::vector<WrittenPod>> read;
  for (const Batch& batch : read_all(sink)) {
    if (batch.kind == BatchKind::kPods) read.push_back(pods_of(batch.pods));
  }
  RC_ASSERT(read == frames);
}

TEST(Stream, BatchesThatGoRoundKeepTheirViews) {
  MemorySink sink;
  StreamWriter writer(sink);
  const uint32_t id = writer.template_id({});
  for (int frame = 0; frame < 10; ++frame) {
    const std::string name = "pod-" + std::to_string(frame);
    writer.add_pod({id, "default", name, "", "", {}});
    writer.write_pods();
  }
  writer.end();
  MemorySource source(sink.bytes());
  Diagnostics diagnostics;
  StreamReader reader(source, diagnostics);
  Batch current, previous;
  std::string previous_name;
  while (reader.next(current)) {
    if (!previous_name.empty()) {
      EXPECT_EQ(previous.pods.names[0], previous_name);
    }
    std::swap(current, previous);
    previous_name = previous.kind == BatchKind::kPods ? std::string(previous.pods.names[0]) : "";
  }
}

TEST(Stream, EventsComeBackInTheirOrder) {
  model::Node node;
  node.name = "node-1";
  node.labels = {{"zone", "a"}};
  const model::Namespace space{"team", {{"a", "b"}}};
  TemplatePod pod;
  model::PodSpec spec = testing::full_spec();
  spec.node_name.clear();
  pod.spec = std::make_shared<const model::PodSpec>(spec);
  pod.namespace_name = "team";
  pod.name = "web-1";
  pod.uid = "uid-1";
  pod.node_name = "node-1";
  pod.labels = {{"app", "overlaid"}, {"pod-index", "1"}};
  pod.phase = model::PodPhase::kRunning;
  pod.nominated_node_name = "node-2";
  pod.terminating = true;
  pod.preempted = true;
  pod.ready = model::PodReady::kFalse;
  pod.created_at = -6;
  pod.started_at = -5;
  TemplatePod waiting = pod;
  waiting.node_name.clear();
  pod.controller = model::Controller{"apps/v1", "ReplicaSet", "web", "uid-web"};
  const model::SelectorOwner service{model::SelectorOwnerKind::kService, "web", "team",
                                     model::LabelSelector{{{"app", "web"}}, {}}};
  const model::SelectorOwner replicas{model::SelectorOwnerKind::kReplicaSet, "web", "team", {}};
  const model::DisruptionBudget budget{
      "web", "team", model::LabelSelector{{{"app", "web"}}, {}}, 2, {"web-1", "web-3"}};

  MemorySink sink;
  StreamWriter writer(sink);
  const model::DisruptionBudget bare{"bare", "team", {}, 0, {}};
  const std::vector<Change> events = {
      model::added(node),
      model::added(pod),
      model::modified(waiting),
      model::modified(node),
      model::finished_pod("team", "web-1"),
      model::deleted_pod("team", "web-2"),
      model::deleted(node),
      model::added(space),
      model::modified(space),
      model::deleted(space),
      model::added(service),
      model::modified(replicas),
      model::deleted(
          model::SelectorOwner{model::SelectorOwnerKind::kStatefulSet, "db", "team", {}}),
      model::added(budget),
      model::modified(bare),
      model::deleted(bare)};
  writer.events(events);
  writer.end();

  const auto batches = read_all(sink);
  ASSERT_THAT(kinds(batches),
              ElementsAre(BatchKind::kTemplates, BatchKind::kEvents, BatchKind::kEnd));
  const std::vector<Change>& read = batches[1].changes;
  ASSERT_EQ(read.size(), events.size());
  for (size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].operation, events[i].operation) << i;
    EXPECT_EQ(kind_of(read[i].object), kind_of(events[i].object)) << i;
    EXPECT_EQ(full_name(read[i].object), full_name(events[i].object)) << i;
  }
  const auto node_at = [&](size_t i) { return std::get<model::Node>(read[i].object); };
  const auto space_at = [&](size_t i) { return std::get<model::Namespace>(read[i].object); };
  const auto pod_at = [&](size_t i) { return std::get<TemplatePod>(read[i].object); };
  const auto owner_at = [&](size_t i) { return std::get<model::SelectorOwner>(read[i].object); };
  EXPECT_TRUE(testing::equal(node_at(0), node));
  EXPECT_TRUE(testing::equal(pod_at(1).pod(), pod.pod()));
  EXPECT_TRUE(testing::equal(pod_at(2).pod(), waiting.pod()));
  EXPECT_TRUE(testing::equal(node_at(3), node));
  EXPECT_TRUE(pod_at(4).finished());
  EXPECT_TRUE(testing::equal(space_at(7), space));
  EXPECT_TRUE(testing::equal(space_at(8), space));
  EXPECT_TRUE(testing::equal(owner_at(10), service));
  EXPECT_TRUE(testing::equal(owner_at(11), replicas));
  EXPECT_EQ(std::get<model::DisruptionBudget>(read[13].object), budget);
}

TEST(Stream, APodsOwnLabelsStandOverItsTemplates) {
  model::PodSpec spec;
  spec.labels = {{"app", "web"}, {"tier", "front"}};
  TemplatePod pod;
  pod.spec = std::make_shared<const model::PodSpec>(spec);
  pod.labels = {{"app", "own"}, {"zzz", "1"}};
  EXPECT_THAT(pod.pod().spec.labels,
              ElementsAre(std::pair<std::string, std::string>("app", "own"),
                          std::pair<std::string, std::string>("tier", "front"),
                          std::pair<std::string, std::string>("zzz", "1")));
}

TEST(Stream, EqualSpecsAreOneTemplate) {
  MemorySink sink;
  StreamWriter writer(sink);
  const uint32_t first = writer.template_id(testing::full_spec());
  EXPECT_EQ(writer.template_id({}), first + 1);
  EXPECT_EQ(writer.template_id(testing::full_spec()), first);
  writer.end();
  EXPECT_THAT(kinds(read_all(sink)),
              ElementsAre(BatchKind::kTemplates, BatchKind::kTemplates, BatchKind::kEnd));
}

TEST(Stream, RetiresTemplatesThatWereNotUsedAndGivesTheirIdsToOthers) {
  MemorySink sink;
  StreamWriter writer(sink);
  const auto id_of = [&](int32_t priority) {
    model::PodSpec spec;
    spec.priority = priority;
    return writer.template_id(spec);
  };
  for (int32_t i = 0; i < 4; ++i) EXPECT_EQ(id_of(i), static_cast<uint32_t>(i));
  writer.retire_templates();
  EXPECT_EQ(writer.templates(), 4u);
  EXPECT_EQ(id_of(2), 2u);
  writer.retire_templates();
  EXPECT_EQ(writer.templates(), 1u);
  EXPECT_EQ(id_of(2), 2u);
  for (uint32_t id : {0u, 1u, 3u, 4u}) EXPECT_EQ(id_of(static_cast<int32_t>(10 + id)), id);
  writer.end();
  const std::vector<Batch> batches = read_all(sink);
  ASSERT_EQ(batches.size(), 4u + 1 + 4 + 1);
  EXPECT_THAT(batches[4].retired_templates, ElementsAre(3, 1, 0));
  EXPECT_EQ(batches[6].templates.at(0).spec->priority, 11);
}

TEST(Stream, ALargeClusterTakesSeveralFrames) {
  std::vector<model::Node> nodes(5000);
  for (size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].name = "node-" + std::to_string(i);
    nodes[i].labels = {{"kubernetes.io/hostname", nodes[i].name}, {"long", std::string(200, 'x')}};
  }
  MemorySink sink;
  StreamWriter writer(sink);
  std::vector<Change> objects;
  append_added(nodes, objects);
  writer.cluster(objects);
  writer.end();
  const std::vector<Batch> batches = read_all(sink);
  EXPECT_TRUE(testing::equal(model::objects_of<model::Node>(clusters_of(batches)), nodes));
  EXPECT_GT(batches.size(), 2u);
}

TEST(Stream, AFullFrameOfPodsSaysSo) {
  MemorySink sink;
  StreamWriter writer(sink);
  const uint32_t id = writer.template_id({});
  const std::string name(200, 'n');
  size_t added = 0;
  while (writer.add_pod({id, "default", name, "", "", {}})) ++added;
  EXPECT_GT(added, 4000u);
  writer.write_pods();
  EXPECT_TRUE(writer.add_pod({id, "default", name, "", "", {}}));
  writer.end();
  size_t read = 0;
  for (const Batch& batch : read_all(sink)) {
    if (batch.kind == BatchKind::kPods) read += batch.pods.size();
  }
  EXPECT_EQ(read, added + 1);
}

TEST(Stream, PodsOfOneControllerShareIt) {
  MemorySink sink;
  StreamWriter writer(sink);
  const uint32_t id = writer.template_id({});
  const model::Controller web{"apps/v1", "ReplicaSet", "web", "1"};
  const model::Controller db{"apps/v1", "StatefulSet", "db", "2"};
  for (const auto* controller : {&db, &web, &db, static_cast<const model::Controller*>(nullptr)}) {
    ASSERT_TRUE(writer.add_pod({id, "default", "p", "", "", {}, controller}));
  }
  writer.write_pods();
  ASSERT_TRUE(writer.add_pod({id, "default", "p", "", "", {}}));
  writer.end();
  const auto batches = read_all(sink);
  EXPECT_THAT(batches[1].pods.controllers, ElementsAre(db, web));
  EXPECT_THAT(batches[1].pods.controller_indices, ElementsAre(1u, 2u, 1u, 0u));
  EXPECT_THAT(batches[2].pods.controller_indices, IsEmpty());
  EXPECT_EQ(batches[2].pods.controller_of(0), nullptr);
}

// Every pod has its own controller, and a frame must not exceed the limit.
TEST(Stream, AFrameTakesAsManyControllersAsFit) {
  MemorySink sink;
  StreamWriter writer(sink);
  const uint32_t id = writer.template_id({});
  model::Controller controller{"", "", "", ""};
  size_t added = 0;
  for (;; ++added) {
    // Use every combination of present and absent texts, because each has its own layout.
    controller.uid = std::to_string(added);
    controller.api_version = added % 2 == 0 ? "" : "v1";
    controller.kind = added % 4 < 2 ? "" : "Job";
    controller.name = added % 8 < 4 ? "" : "job";
    if (!writer.add_pod({id, "default", "p", "", "", {}, &controller})) break;
  }
  EXPECT_GT(added, 10'000u);
  writer.end();
  EXPECT_EQ(read_all(sink)[1].pods.controllers.size(), added);
}

TEST(Stream, AFrameTakesManySmallPods) {
  MemorySink sink;
  StreamWriter writer(sink);
  const uint32_t id = writer.template_id({});
  for (size_t i = 0; i < kMaxPodsPerFrame; ++i) {
    ASSERT_TRUE(writer.add_pod({id, "default", "p", "", "", {}})) << i;
  }
  EXPECT_FALSE(writer.add_pod({id, "default", "p", "", "", {}}));
  writer.end();
  EXPECT_EQ(read_all(sink)[1].pods.size(), kMaxPodsPerFrame);
}

TEST(Stream, WhatCannotBeWrittenIsAnError) {
  MemorySink sink;
  StreamWriter writer(sink);
  const std::string longest(256, 'n');
  EXPECT_THROW(writer.add_pod({0, "default", "", "", "", {}}), Error);
  EXPECT_THROW(writer.add_pod({0, "", "pod", "", "", {}}), Error);
  EXPECT_THROW(writer.add_pod({0, "default", longest, "", "", {}}), Error);
  EXPECT_THROW(writer.add_pod({0, "default", "pod", longest, "", {}}), Error);
  EXPECT_THROW(writer.note(std::string(kMaxFramePayload, 'x')), Error);
  model::PodSpec large;
  large.labels = {{"key", std::string(kMaxFramePayload, 'x')}};
  EXPECT_THROW(writer.template_id(large), Error);
}

TEST(Stream, ANoteComesBack) {
  MemorySink sink;
  StreamWriter writer(sink);
  writer.note("seed 7");
  writer.end();
  EXPECT_EQ(read_all(sink)[0].note, "seed 7");
}

}  // namespace
}  // namespace berth::ingest
