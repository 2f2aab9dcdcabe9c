// Volumes in streams: those of pods, claims of their own, objects of storage.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/schema/cluster_generated.h"
#include "engine/ingest/conversion/dropped.h"
#include "engine/ingest/stream/testing/stream_faults_for_tests.h"
#include "engine/ingest/stream/testing/stream_volumes_for_tests.h"
#include "engine/ingest/stream/write/waiting_pod.h"
#include "engine/ingest/written/object_json.h"

namespace berth::ingest {
namespace {

using ::testing::ElementsAre;
using testing::faults_of;
using testing::FlatBufferBuilder;
using testing::FrameKind;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

model::Pod pod_with(std::vector<model::PodVolume> volumes, const std::string& name) {
  model::Pod pod;
  pod.name = name;
  pod.namespace_name = "ns";
  pod.spec.volumes = std::move(volumes);
  return pod;
}

model::PodVolume claim_volume(const std::string& claim) {
  model::PodVolume volume;
  volume.is_claim = true;
  volume.claim = claim;
  return volume;
}

void put(const model::Pod& whole, StreamWriter& writer) {
  const TemplatePod pod = split(whole);
  const std::vector<std::string_view> claims(pod.claims.begin(), pod.claims.end());
  ASSERT_TRUE(writer.add_pod({.template_id = writer.template_id(*pod.spec),
                              .namespace_name = pod.namespace_name,
                              .name = pod.name,
                              .uid = {},
                              .nominated_node = {},
                              .labels = {},
                              .claims = claims}));
}

std::vector<Batch> batches_of(const MemorySink& sink) {
  MemorySource source(sink.bytes(), "memory");
  Diagnostics diagnostics;
  StreamReader reader(source, diagnostics);
  std::vector<Batch> batches;
  for (Batch batch; reader.next(batch); batch = {}) batches.push_back(std::move(batch));
  for (const Error& error : diagnostics.kept()) ADD_FAILURE() << error.what();
  return batches;
}

RC_GTEST_PROP(StreamVolumes, OfPodsComeBack, ()) {
  const model::Pod placed = pod_with(testing::few(testing::pod_volume), "placed");
  const model::Pod waiting = pod_with(testing::few(testing::pod_volume), "waiting");
  MemorySink sink;
  StreamWriter writer(sink);
  writer.cluster(std::vector{model::added(TemplatePod::of(placed))});
  put(waiting, writer);
  writer.end();
  model::PodSpec read;
  for (const Batch& batch : batches_of(sink)) {
    if (batch.kind == BatchKind::kTemplates) read = *batch.templates[0].spec;
    if (batch.kind == BatchKind::kCluster)
      RC_ASSERT(std::get<TemplatePod>(batch.changes.at(0).object).pod().spec.volumes ==
                placed.spec.volumes);
    if (batch.kind != BatchKind::kPods) continue;
    if (const auto claims = batch.pods.claims_of(0); !claims.empty()) put_claims(read, claims);
    RC_ASSERT(read.volumes == waiting.spec.volumes);
  }
}

RC_GTEST_PROP(StreamVolumes, ObjectsOfStorageComeBack, ()) {
  const std::vector<model::VolumeObject> objects = testing::few(testing::volume_object);
  const model::VolumeObject other = testing::volume_object();
  MemorySink sink;
  StreamWriter writer(sink);
  std::vector<Change> cluster;
  for (const model::VolumeObject& object : objects) cluster.push_back(model::added(object));
  writer.cluster(cluster);
  const std::vector<Change> events = {model::added(other), model::modified(other),
                                      model::deleted(other)};
  writer.events(events);
  writer.end();
  std::vector<Change> read;
  for (const Batch& batch : batches_of(sink)) {
    if (batch.kind == BatchKind::kCluster)
      read.insert(read.end(), batch.changes.begin(), batch.changes.end());
    if (batch.kind != BatchKind::kEvents) continue;
    RC_ASSERT(batch.changes.size() == events.size());
    for (size_t i = 0; i < events.size(); ++i) {
      RC_ASSERT(batch.changes[i].operation == events[i].operation);
      RC_ASSERT(std::get<model::VolumeObject>(batch.changes[i].object) == other);
    }
  }
  RC_ASSERT(model::objects_of<model::VolumeObject>(read) == objects);
}

RC_GTEST_PROP(StreamVolumes, PodGroupsComeBack, ()) {
  const model::PodGroup group = testing::pod_group();
  const std::vector<Change> changes = {model::added(group)};
  MemorySink sink;
  StreamWriter writer(sink);
  writer.cluster(changes);
  writer.events(changes);
  writer.end();
  size_t read = 0;
  for (const Batch& batch : batches_of(sink))
    for (const Change& change : batch.changes) {
      RC_ASSERT(std::get<model::PodGroup>(change.object) == group);
      ++read;
    }
  RC_ASSERT(read == 2u);
}

TEST(StreamVolumes, EvictionsComeBackAsEvents) {
  const model::EvictionRequest request{"web-1", "team", 7, true, "u-1", "42"};
  MemorySink sink;
  StreamWriter writer(sink);
  writer.events(std::vector{model::added(request)});
  writer.end();
  const std::vector<Batch> batches = batches_of(sink);
  ASSERT_EQ(batches.at(0).kind, BatchKind::kEvents);
  ASSERT_EQ(batches[0].changes.size(), 1u);
  EXPECT_EQ(std::get<model::EvictionRequest>(batches[0].changes[0].object), request);
}

// The table of held fields follows the readers: what is written is held.
RC_GTEST_PROP(StreamVolumes, StreamsHoldTheFieldsOfStorage, ()) {
  const model::VolumeObject object = testing::volume_object();
  std::string json;
  append(object, json);
  Diagnostics diagnostics;
  const auto document = document::Document::parse(json, "", diagnostics);
  Dropped dropped(false, Workloads::kMixed);
  dropped.inspect(document.roots()[0], kind_of(object));
  RC_ASSERT(dropped.counts().empty());
  json.clear();
  append(pod_with(testing::few(testing::pod_volume), "p"), json);
  const auto pod = document::Document::parse(json, "", diagnostics);
  dropped.inspect(pod.roots()[0], "Pod");
  RC_ASSERT(dropped.counts().empty());
}

// As the pods of a StatefulSet.
TEST(StreamVolumes, PodsThatDifferInTheirClaimsShareATemplate) {
  MemorySink sink;
  StreamWriter writer(sink);
  for (const char* claim : {"data-0", "data-1"})
    put(pod_with({claim_volume(claim)}, claim), writer);
  put(pod_with({}, "bare"), writer);
  writer.end();
  EXPECT_EQ(writer.templates(), 2u);
  const std::vector<Batch> batches = batches_of(sink);
  const PodBatch& pods = batches.at(2).pods;
  EXPECT_THAT(pods.claims_of(0), ElementsAre("data-0"));
  EXPECT_THAT(pods.claims_of(1), ElementsAre("data-1"));
  EXPECT_THAT(pods.claims_of(2), IsEmpty());
}

TEST(StreamVolumes, PodsWithoutThemCostNothing) {
  const auto size_of = [](const std::vector<std::string>& names) {
    MemorySink sink;
    StreamWriter writer(sink);
    for (const std::string& name : names) put(pod_with({}, name), writer);
    writer.end();
    const std::vector<Batch> batches = batches_of(sink);
    EXPECT_THAT(batches.at(1).pods.claim_ends, IsEmpty());
    return sink.bytes().size();
  };
  // A template, a namespace index, and the length and bytes of a name.
  EXPECT_LE(size_of({"a", "b", "c", "d"}) - size_of({"a", "b"}), 2u * (4 + 2 + 1 + 1) + 8);
}

// A stream with one object of storage for each text.
std::vector<std::string> faults_of_storage(const std::vector<std::string>& texts) {
  return faults_of(FrameKind::Cluster, [&](FlatBufferBuilder& b) {
    b.Finish(schema::CreateCluster(b, 0, 0, 0, 0, 0, b.CreateVectorOfStrings(texts)));
  });
}

TEST(StreamVolumes, FaultsOfStorageTellTheirPlaces) {
  const std::string driver = R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver",)";
  const std::string good = driver + R"("metadata":{"name":"d"}})";
  EXPECT_THAT(faults_of_storage({good}), IsEmpty());
  EXPECT_THAT(
      faults_of_storage({good, driver, "{kind: CSIDriver}", R"({"kind":"Pod","apiVersion":"v1"})",
                         driver + R"("metadata":{"name":7}})", driver + R"("metadata":{}})",
                         driver + R"("metadata":{"name":")" + std::string(256, 'n') + "\"}}",
                         good + good, "", "[]", std::string(200, '[') + std::string(200, ']'),
                         driver + "\"x\":\"\xff\"}", good}),
      ElementsAre(HasSubstr("storage_objects[1]: malformed JSON"),
                  HasSubstr("storage_objects[2]: malformed JSON"),
                  HasSubstr("storage_objects[3].kind: \"Pod\" of \"v1\" is no object of storage"),
                  HasSubstr("storage_objects[4].metadata.name: expected a string, found the number "
                            "7 (put it in quotes) (line 1, column 73 of the JSON)"),
                  HasSubstr("storage_objects[5].metadata.name: a CSIDriver needs a name"),
                  HasSubstr("storage_objects[6].metadata.name: is 256 bytes long"),
                  HasSubstr("storage_objects[7]: is not one object of JSON"),
                  HasSubstr("storage_objects[8]: is not one object of JSON"),
                  HasSubstr("storage_objects[9]: is not one object of JSON"),
                  HasSubstr("storage_objects[10]: malformed JSON"),
                  HasSubstr("storage_objects[11]: malformed JSON: not UTF-8")));
}

TEST(StreamVolumes, NeighboursOfFaultyStorageStay) {
  const std::string driver = R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver",)";
  const std::vector<std::string> texts = {driver + R"("metadata":{"name":"a"}})", "{",
                                          driver + R"("metadata":{"name":"b"}})"};
  const std::vector<uint8_t> bytes =
      testing::with_frame(FrameKind::Cluster, [&](FlatBufferBuilder& b) {
        b.Finish(schema::CreateCluster(b, 0, 0, 0, 0, 0, b.CreateVectorOfStrings(texts)));
      });
  MemorySource source(bytes, "s");
  Diagnostics diagnostics;
  StreamReader reader(source, diagnostics);
  std::vector<std::string> names;
  for (Batch batch; reader.next(batch);) {
    if (batch.kind != BatchKind::kCluster) continue;
    model::each<model::VolumeObject>(
        batch.changes, [&](const auto& object) { names.push_back(full_name(object)); });
  }
  EXPECT_THAT(names, ElementsAre("a", "b"));
  EXPECT_EQ(diagnostics.count(), 2u);  // it, and the missing end mark
}

TEST(StreamVolumes, FaultsOfAPodsVolumesTellTheirPlaces) {
  const auto faults = [](const std::vector<std::string>& texts) {
    return faults_of(FrameKind::Templates, [&](FlatBufferBuilder& b) {
      const auto volumes = b.CreateVectorOfStrings(texts);
      schema::PodSpecBuilder spec(b);
      spec.add_volumes(volumes);
      const std::vector made = {schema::CreateTemplate(b, 9, spec.Finish())};
      b.Finish(schema::CreateTemplates(b, b.CreateVector(made)));
    });
  };
  EXPECT_THAT(faults({R"({"csi":{"driver":"d"}})", R"({"emptyDir":{}})"}), IsEmpty());
  EXPECT_THAT(faults({R"({"csi":{"driver":"d"}})", R"({"rbd":{"monitors":[1]}})"}),
              ElementsAre(HasSubstr("templates[0].spec.volumes[1].rbd.monitors[0]: expected a ")));
  EXPECT_THAT(faults({"nonsense"}),
              ElementsAre(HasSubstr("templates[0].spec.volumes[0]: malformed JSON")));
}

// Pods of one frame: `counts` claims each, with these names, of a template with two.
std::vector<std::string> faults_of_claims(const std::vector<uint16_t>& counts,
                                          const std::vector<std::string>& claims) {
  MemorySink sink;
  StreamWriter writer(sink);
  model::PodSpec spec;
  spec.volumes = {claim_volume("a"), claim_volume("b")};
  const uint32_t id = writer.template_id(spec);
  FlatBufferBuilder b;
  std::vector<uint8_t> lengths, bytes;
  for (const std::string& claim : claims) {
    lengths.push_back(static_cast<uint8_t>(claim.size()));
    bytes.insert(bytes.end(), claim.begin(), claim.end());
  }
  const auto ids = b.CreateVector(std::vector<uint32_t>(counts.size(), id));
  const auto spaces = b.CreateVectorOfStrings(std::vector<std::string>{"ns"});
  const auto name_lengths = b.CreateVector(std::vector<uint8_t>(counts.size(), 1));
  const auto names = b.CreateVector(std::vector<uint8_t>(counts.size(), 'p'));
  const auto claim_counts = b.CreateVector(counts);
  const auto claim_lengths = b.CreateVector(lengths);
  const auto claim_bytes = b.CreateVector(bytes);
  schema::PodsBuilder pods(b);
  pods.add_template_ids(ids);
  pods.add_namespaces(spaces);
  pods.add_name_lengths(name_lengths);
  pods.add_names(names);
  pods.add_claim_counts(claim_counts);
  pods.add_claim_lengths(claim_lengths);
  pods.add_claims(claim_bytes);
  b.Finish(pods.Finish());
  FrameWriter(sink).write(static_cast<uint8_t>(FrameKind::Pods),
                          {b.GetBufferPointer(), b.GetSize()});
  testing::Seen seen = testing::read(sink.bytes());
  EXPECT_THAT(seen.faults.back(), HasSubstr("ends without an end mark"));
  seen.faults.pop_back();
  for (const std::string& name : seen.pods) seen.faults.push_back("pod " + name);
  return seen.faults;
}

TEST(StreamVolumes, ClaimsOfPodsAreChecked) {
  EXPECT_THAT(faults_of_claims({2, 0}, {"x", "y"}), ElementsAre("pod p", "pod p"));
  EXPECT_THAT(
      faults_of_claims({1, 2}, {"x", "y", "z"}),
      ElementsAre(HasSubstr("pods[0]: pod p: has 1 claims of its own, and its template has 2"),
                  "pod p"));
  EXPECT_THAT(faults_of_claims({2, 2}, {"x", "", "y", "z"}),
              ElementsAre(HasSubstr("pods[0]: pod p: has no claim"), "pod p"));
  EXPECT_THAT(faults_of_claims({2, 2}, {"x", "\xff", "y", "z"}),
              ElementsAre(HasSubstr("pods[0]: pod p: claim is not UTF-8"), "pod p"));
  EXPECT_THAT(faults_of_claims({2, 2}, {"x", "y", "z"}),
              ElementsAre(HasSubstr("claim_lengths: has 3 elements instead of 4")));
}

TEST(StreamVolumes, AnEvictionIsNoPartOfAClusterAndDoesNotChange) {
  const std::string request =
      R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p","namespace":"n"}})";
  EXPECT_THAT(faults_of_storage({request}),
              ElementsAre(HasSubstr("storage_objects[0]: an Eviction comes in an event of kind "
                                    "StorageObjectAdded, and nowhere else")));
  const auto faults_as = [&](schema::EventKind kind) {
    return faults_of(FrameKind::Events, [&](FlatBufferBuilder& b) {
      const auto text = b.CreateString(request);
      schema::EventBuilder builder(b);
      builder.add_kind(kind);
      builder.add_storage_object(text);
      const std::vector events = {builder.Finish()};
      b.Finish(schema::CreateEvents(b, b.CreateVector(events)));
    });
  };
  EXPECT_THAT(faults_as(schema::EventKind::StorageObjectAdded), IsEmpty());
  for (const auto kind :
       {schema::EventKind::StorageObjectUpdated, schema::EventKind::StorageObjectDeleted})
    EXPECT_THAT(faults_as(kind), ElementsAre(HasSubstr("events[0]: an Eviction comes in an ")));
}

TEST(StreamVolumes, AnEventOfStorageNeedsItsObject) {
  EXPECT_THAT(faults_of(FrameKind::Events,
                        [](FlatBufferBuilder& b) {
                          schema::EventBuilder builder(b);
                          builder.add_kind(schema::EventKind::StorageObjectAdded);
                          const std::vector events = {builder.Finish()};
                          b.Finish(schema::CreateEvents(b, b.CreateVector(events)));
                        }),
              ElementsAre(HasSubstr("events[0].storage_object: is missing")));
}

}  // namespace
}  // namespace berth::ingest
