#include "engine/ingest/conversion/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/base/io/crc32c.h"
#include "engine/ingest/stream/read/stream_reader.h"
#include "engine/ingest/watch/watch_stream.h"

namespace berth::ingest {
namespace {

// A file that holds `text` as long as this object.
class TextFile {
 public:
  explicit TextFile(const std::string& text)
      : path_(testing::TempDir() + "convert_" +
              testing::UnitTest::GetInstance()->current_test_info()->name() +
              std::to_string(number_++)) {
    std::ofstream(path_) << text;
  }
  ~TextFile() { std::filesystem::remove(path_); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  static inline int number_ = 0;
  std::string path_;
};

std::string converted(const std::string& text, Conversion& conversion) {
  const TextFile file(text);
  MemorySink out;
  convert({file.path()}, out, conversion);
  return {out.bytes().begin(), out.bytes().end()};
}

std::string pod_json(const std::string& name, const std::string& more = "") {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name +
         R"(","namespace":"n"},"spec":{"containers":[{"name":"c")" + more + "}]}}";
}

TEST(Convert, ObjectsStayAsTheyAre) {
  const std::string config = R"({"kind":"ConfigMap","apiVersion":"v1","data":{"b":"1","a":1.50}})";
  Conversion conversion;
  EXPECT_EQ(converted(config, conversion),
            "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n" + config + "\n]}\n");
  EXPECT_EQ(conversion.faults.count(), 0u);
  EXPECT_TRUE(conversion.dropped.counts().empty());
}

TEST(Convert, ItemsOfAListGetItsKind) {
  Conversion conversion;
  const std::string list =
      R"({"apiVersion":"v1","kind":"NodeList","items":[{"metadata":{"name":"a"}}]})";
  EXPECT_EQ(converted(list, conversion),
            "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n"
            "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"a\"}}\n]}\n");
  conversion.format = Format::kYaml;
  EXPECT_EQ(converted(list, conversion), "apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n");
}

TEST(Convert, AKindOfAnotherGroupIsNoClaim) {
  const auto event = [](const std::string& object) {
    return R"({"type":"ADDED","object":)" + object + "}\n";
  };
  const std::string node = R"({"kind":"Node","apiVersion":"v1","metadata":{"name":"n"}})";
  const std::string other =
      R"({"kind":"PersistentVolumeClaim","apiVersion":"example.com/v1","metadata":{"name":"c"}})";
  for (const std::string& text : {event(other), event(node) + event(other)}) {
    Conversion conversion;
    EXPECT_NE(converted(text, conversion).find(other), std::string::npos);
    EXPECT_EQ(conversion.faults.count(), 0u);
  }
}

// Only frames have a limit.
TEST(Convert, APodLargerThanAFrameIsNamed) {
  std::string terms;
  for (int i = 0; i < 20'000; ++i)
    terms += std::string(i == 0 ? "" : ",") +
             R"({"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"a)" +
             std::to_string(i) + "\"}}}";
  const std::string large =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"large","namespace":"n"},"spec":{)"
      R"("containers":[{"name":"c"}],"affinity":{"podAntiAffinity":)"
      R"({"requiredDuringSchedulingIgnoredDuringExecution":[)" +
      terms + "]}}}}";
  const auto added = [](const std::string& object) {
    return R"({"type":"ADDED","object":)" + object + "}\n";
  };
  for (const std::string& text :
       {pod_json("first") + "\n" + large + "\n" + pod_json("last"),
        added(pod_json("first")) + added(large) + added(pod_json("last"))}) {
    for (const Format format : {Format::kFrames, Format::kLines}) {
      Conversion conversion;
      conversion.format = format;
      const std::string out = converted(text, conversion);
      EXPECT_NE(out.find("first"), std::string::npos);
      EXPECT_NE(out.find("last"), std::string::npos);
      EXPECT_EQ(conversion.faults.count(), format == Format::kFrames ? 1u : 0u);
      if (conversion.faults.count() == 0) continue;
      EXPECT_EQ(
          std::string(conversion.faults.kept()[0].what()).find("n/large: the pod's spec takes "),
          0u)
          << conversion.faults.kept()[0].what();
    }
  }
}

TEST(Convert, NeighboursOfAnObjectWithAFaultStay) {
  const std::string bad =
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":5},"spec":{"containers":[{"name":"c"}]}})";
  for (const Format format : {Format::kJson, Format::kYaml, Format::kLines}) {
    Conversion conversion;
    conversion.format = format;
    const std::string text =
        converted(pod_json("first") + "\n" + bad + "\n" + pod_json("last"), conversion);
    EXPECT_EQ(conversion.faults.count(), 1u);
    EXPECT_EQ(conversion.faults.kept().front().place().line, 2u);
    EXPECT_NE(text.find("first"), text.npos);
    EXPECT_NE(text.find("last"), text.npos);
  }
}

TEST(Convert, NamesEachFieldThatAStreamDoesNotHold) {
  Conversion conversion;
  conversion.format = Format::kLines;
  const std::string with = R"(,"env":[{"name":"A"}],"resources":{"requests":{"cpu":"1"}})";
  const std::string text = converted(pod_json("a", with) + pod_json("b", with), conversion);
  EXPECT_EQ(conversion.dropped.counts(),
            (std::map<std::string, uint64_t>{{"Pod.spec.containers[].env", 2}}));
  EXPECT_NE(text.find(R"("requests":{"cpu":"1"})"), text.npos);
}

TEST(Convert, WhatAdmissionReadsIsDroppedWithoutIt) {
  const std::string text =
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"spec":{"priorityClassName":"x",
          "priority":7,"containers":[{"name":"c"}]}})";
  Conversion conversion;
  conversion.format = Format::kFrames;
  converted(text, conversion);
  EXPECT_TRUE(conversion.dropped.counts().empty());
  conversion.admission = false;
  converted(text, conversion);
  EXPECT_EQ(conversion.dropped.counts().count("Pod.spec.priorityClassName"), 1u);
}

TEST(Convert, ValidatesByTheVersion) {
  const std::string text =
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"spec":{"tolerations":[
          {"key":"k","operator":"Gt","value":"1"}],"containers":[{"name":"c","image":"i"}]}})";
  const auto fault_by = [&](KubeVersion version) {
    Conversion conversion;
    conversion.format = Format::kLines;
    conversion.version = version;
    converted(text, conversion);
    return conversion.faults.count() == 0 ? "" : std::string(conversion.faults.kept()[0].what());
  };
  const std::string by_both = R"(supported values: "Equal", "Exists")";
  EXPECT_THAT(fault_by(KubeVersion::k1_36), testing::HasSubstr(by_both + R"(, "Lt", "Gt")"));
  EXPECT_THAT(fault_by(KubeVersion::k1_34), testing::EndsWith(by_both));
}

// The scheduler reads that an object is being deleted, and nothing of what its deletion waits for.
TEST(Convert, DeletionIsKeptAndFinalizersAreNamed) {
  const std::string deleted =
      R"("namespace":"n","deletionTimestamp":"2024-01-01T00:00:00Z","finalizers":["a/b"]},"spec":{)";
  const std::string container = R"("containers":[{"name":"c"}]}})", pod = R"({"kind":"Pod",)";
  const std::string begin = R"("apiVersion":"v1","metadata":{"name":)";
  const std::string objects = pod + begin + R"("placed",)" + deleted + R"("nodeName":"a",)" +
                              container + pod + begin + R"("waits",)" + deleted + container +
                              R"({"kind":"PersistentVolumeClaim",)" + begin + R"("claim",)" +
                              deleted + R"(}}{"kind":"PersistentVolume",)" + begin +
                              R"("volume",)" + deleted + R"("capacity":{"storage":"1Gi"}}})";
  for (const Format format : {Format::kLines, Format::kFrames}) {
    Conversion there;
    there.format = format;
    const std::string stream = converted(objects, there);
    EXPECT_EQ(there.faults.count(), 0u);
    EXPECT_EQ(there.dropped.counts().at("Pod.metadata.finalizers"), 2u);
    EXPECT_EQ(there.dropped.counts().at("PersistentVolumeClaim.metadata.finalizers"), 1u);
    EXPECT_EQ(there.dropped.counts().at("PersistentVolume.metadata.finalizers"), 1u);
    Conversion back;
    const std::string text = converted(stream, back);
    size_t found = 0;
    for (size_t at = 0; (at = text.find("deletionTimestamp", at)) != text.npos; ++at) ++found;
    EXPECT_EQ(found, 4u) << text;
  }
}

TEST(Convert, KindsThatNoStreamHoldsAreNamed) {
  Conversion conversion;
  conversion.format = Format::kLines;
  converted(R"({"kind":"ConfigMap","apiVersion":"v1"})" + pod_json("a"), conversion);
  EXPECT_EQ(conversion.dropped.counts(),
            (std::map<std::string, uint64_t>{{"objects of kind ConfigMap", 1}}));
}

TEST(Convert, LinesBecomeTheSameLines) {
  const std::string object = R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"a",)"
                             R"("labels":{}},"spec":{},"status":{"capacity":{},"allocatable":{}}})";
  const auto event = [](const std::string& type, const std::string& of) {
    return R"({"type":")" + type + R"(","object":)" + of + "}\n";
  };
  const std::string lines =
      event("ADDED", object) + event("MODIFIED", object) + event("DELETED", object);
  Conversion conversion;
  conversion.format = Format::kLines;
  EXPECT_EQ(converted(lines, conversion), lines);
  conversion.format = Format::kJson;
  EXPECT_NE(converted(lines, conversion).find(object), std::string::npos);
  EXPECT_EQ(conversion.faults.count(), 1u);  // files of objects have no events
}

// Wherever it stands in a file: it happens to what is there, before pods come.
TEST(Convert, AnEvictionOfAFileHappensAfterTheClusterAndBeforePods) {
  const std::string eviction =
      R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"namespace":"n","name":"there"},)"
      R"("deleteOptions":{"gracePeriodSeconds":3}})";
  const std::string there = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"there",)"
                            R"("namespace":"n"},"spec":{"nodeName":"x","containers":[]}})";
  Conversion lines, frames;
  lines.format = Format::kLines;
  frames.format = Format::kFrames;
  const std::string text = converted(eviction + there + pod_json("comes"), lines);
  EXPECT_EQ(lines.faults.count(), 0u);
  const size_t at = text.find(R"({"type":"ADDED","object":)" + eviction);
  ASSERT_NE(at, text.npos) << text;
  EXPECT_LT(text.find("\"name\":\"there\""), at);
  EXPECT_GT(text.find("\"comes\""), at);
  const std::string stream = converted(eviction + there + pod_json("comes"), frames);
  EXPECT_EQ(frames.faults.count(), 0u);
  EXPECT_EQ(converted(stream, lines).substr(0, text.size()), text);
  lines.part = Part::kCluster;
  EXPECT_EQ(converted(eviction + there, lines).find("Eviction"), text.npos);
}

TEST(Convert, APodThatIsRefusedIsLeftOutAlone) {
  Conversion conversion;
  conversion.format = Format::kLines;
  const std::string text =
      converted(pod_json("a") + pod_json(std::string(300, 'b')) + pod_json("c"), conversion);
  EXPECT_EQ(conversion.faults.count(), 1u);
  EXPECT_NE(text.find("\"a\""), text.npos);
  EXPECT_NE(text.find("\"c\""), text.npos);
}

// Frames are read as what an API server would create; a pod that runs already may break that.
TEST(Convert, AnObjectThatAReaderOfFramesRefusesIsNamed) {
  const std::string refused =
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"old"},"spec":{"nodeName":"n",)"
      R"("containers":[{"name":"c"}],"affinity":{"podAntiAffinity":{)"
      R"("requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone",)"
      R"("labelSelector":{"matchExpressions":[{"key":"app","operator":"In",)"
      R"("values":["not a value"]}]}}]}}}})";
  Conversion conversion;
  conversion.format = Format::kFrames;
  const std::string frames = converted(refused + pod_json("a"), conversion);
  ASSERT_EQ(conversion.faults.count(), 1u);
  EXPECT_NE(std::string(conversion.faults.kept().front().what()).find("default/old"),
            std::string::npos);
  Conversion back;
  EXPECT_NE(converted(frames, back).find("\"a\""), std::string::npos);
  EXPECT_EQ(back.faults.count(), 0u);
}

// Fields that were added to the schema later leave the frames of objects without them alone.
TEST(Convert, FramesWithoutLaterFieldsAreAsBefore) {
  const std::string objects =
      R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"a","labels":{"zone":"b"}},)"
      R"("spec":{"unschedulable":true,"taints":[{"key":"k","value":"v","effect":"NoExecute"}]},)"
      R"("status":{"allocatable":{"cpu":"4"},"images":[{"names":["i"],"sizeBytes":7}]}})"
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"there","namespace":"n","uid":"u"},)"
      R"("spec":{"nodeName":"a","containers":[{"name":"c"}],)"
      R"("tolerations":[{"key":"k","operator":"Exists","effect":"NoExecute"}]},)"
      R"("status":{"phase":"Running","startTime":"2026-01-01T00:00:00Z"}})"
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"waits","namespace":"n","uid":"v"},)"
      R"("spec":{"containers":[{"name":"c"}],"tolerations":[{"operator":"Exists"}]}})";
  Conversion conversion;
  conversion.format = Format::kFrames;
  const std::string frames = converted(objects, conversion);
  EXPECT_EQ(frames.size(), 1016u);
  EXPECT_EQ(crc32c({reinterpret_cast<const uint8_t*>(frames.data()), frames.size()}), 0x342baaa2u);
}

// Pods that arrive together are decided together, whatever the stream is made of.
TEST(Convert, LinesAndTheirFramesAreCutAlike) {
  std::string lines;
  for (int i = 0; i < 4'000; ++i) {
    const std::string name = std::string(200, 'p') + std::to_string(i);
    lines += R"({"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":")" +
             name + R"(","uid":"u-)" + name +
             "\"},\"spec\":{\"containers\":[{\"name\":\"c\"}]}}}\n";
  }
  const auto sizes = [](BatchSource& source) {
    std::vector<size_t> all;
    for (Batch batch; source.next(batch);)
      if (batch.kind == BatchKind::kPods) all.push_back(batch.pods.size());
    return all;
  };
  const auto bytes = [](const std::string& text) {
    return MemorySource({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  };
  Diagnostics diagnostics;
  MemorySource of_lines = bytes(lines);
  WatchStream watch(of_lines, diagnostics, true);
  const std::vector<size_t> cut = sizes(watch);
  EXPECT_EQ(cut.size(), 2u);
  Conversion conversion;
  conversion.format = Format::kFrames;
  const std::string frames = converted(lines, conversion);
  MemorySource of_frames = bytes(frames);
  StreamReader reader(of_frames, diagnostics, StreamReader::OnFault::kStop);
  EXPECT_EQ(sizes(reader), cut);
}

}  // namespace
}  // namespace berth::ingest
