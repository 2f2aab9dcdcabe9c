// A run of what a conversion writes gets the pods and nodes that a run of its input gets.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "engine/ingest/conversion/convert.h"
#include "engine/ingest/conversion/testing/manifests_for_tests.h"
#include "engine/ingest/objects/objects_for_tests.h"
#include "engine/ingest/stream/read/stream_reader.h"
#include "engine/ingest/watch/input_format.h"
#include "engine/ingest/watch/watch_stream.h"
#include "engine/ingest/workloads/creation.h"
#include "engine/ingest/written/object_json.h"

namespace berth::ingest {
namespace {

// The objects that a run gets of an input, as JSON by kind and name, without what scheduling does
// not see.
class Seen {
 public:
  void add(model::Pod pod) {
    pod.uid.clear();
    if (pod.phase == model::PodPhase::kPending) pod.phase = model::PodPhase::kUnknown;
    for (auto* list : {&pod.spec.containers, &pod.spec.init_containers})
      for (model::Container& container : *list)
        std::erase_if(container.ports, [](const auto& port) { return port.host_port == 0; });
    std::string text;
    append(pod, text);
    EXPECT_TRUE(objects.emplace("Pod " + pod.name, text).second) << pod.name;
  }
  void add(const model::Node& node) {
    std::string text;
    append(node, text);
    EXPECT_TRUE(objects.emplace("Node " + node.name, text).second) << node.name;
  }
  void add(const model::VolumeObject& object) {
    std::string text;
    append(object, text);
    EXPECT_TRUE(objects.emplace("Claim " + full_name(object), text).second) << text;
  }

  std::map<std::string, std::string> objects;
  Texts errors;
};

void read_stream(BatchSource& batches, Seen& seen) {
  KnownTemplates templates;
  for (Batch batch; batches.next(batch);) {
    if (batch.kind == BatchKind::kTemplates) {
      templates.define(batch.templates);
    } else if (batch.kind == BatchKind::kCluster || batch.kind == BatchKind::kEvents) {
      model::each<model::Node>(batch.changes, [&](const auto& node) { seen.add(node); });
      model::each<TemplatePod>(batch.changes, [&](const auto& pod) { seen.add(pod.pod()); });
      model::each<model::VolumeObject>(batch.changes, [&](const auto& one) { seen.add(one); });
    } else if (batch.kind == BatchKind::kPods) {
      for (size_t i = 0; i < batch.pods.size(); ++i) seen.add(templates.pod(batch.pods, i));
    }
  }
}

// As `berth run --pods` reads the file.
Seen read_as_a_run_does(const std::string& path) {
  Seen seen;
  Diagnostics diagnostics;
  Creation creation([] { return std::vector<model::Node>(); }, true);
  Input input = open_input(path);
  if (input.format == InputFormat::kFrames) {
    StreamReader frames(*input.source, diagnostics);
    read_stream(frames, seen);
  } else if (input.format == InputFormat::kWatch) {
    WatchStream lines(*input.source, diagnostics, false, false, &creation, Validation::kNew1_34);
    creation.follow_nodes();
    read_stream(lines, seen);
  } else {
    Objects objects = read_objects({path}, diagnostics, Defaults::kApiServer, Workloads::kManifests,
                                   Validation::kNew1_34);
    creation.create(objects, path, diagnostics);
    model::each<model::Node>(objects.others, [&](const auto& node) { seen.add(node); });
    for (const model::Pod& pod : objects.pods) seen.add(pod);
    model::each<model::VolumeObject>(objects.others, [&](const auto& one) { seen.add(one); });
  }
  seen.errors = messages(diagnostics);
  return seen;
}

class File {
 public:
  explicit File(const std::string& ending) : path_(testing::TempDir() + "same_pods." + ending) {}
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& path() const { return path_; }
  void write(std::string_view text) const { std::ofstream(path_, std::ios::binary) << text; }

 private:
  std::string path_;
};

void convert(const std::string& from, Format format, const File& to) {
  Conversion conversion;
  conversion.format = format;
  MemorySink out;
  convert({from}, out, conversion);
  EXPECT_EQ(messages(conversion.faults), Texts());
  to.write({reinterpret_cast<const char*>(out.bytes().data()), out.bytes().size()});
}

void expect_same(const Seen& expected, const std::string& path) {
  const Seen seen = read_as_a_run_does(path);
  EXPECT_EQ(seen.errors, Texts());
  for (const auto& [name, json] : expected.objects)
    EXPECT_EQ(seen.objects.contains(name) ? seen.objects.at(name) : "nothing", json) << name;
  EXPECT_EQ(seen.objects.size(), expected.objects.size());
}

TEST(Convert, WhatIsWrittenHasTheSamePods) {
  const File input("in.json"), lines("jsonl"), frames("frames"), json("json"), yaml("yaml"),
      again("again");
  for (uint64_t seed = 1; seed <= 40 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    input.write(drawn_manifests(seed));
    const Seen expected = read_as_a_run_does(input.path());
    ASSERT_EQ(expected.errors, Texts());
    EXPECT_GE(expected.objects.size(), 15u);
    for (const auto& [format, file] : {std::pair(Format::kLines, &lines),
                                       {Format::kFrames, &frames},
                                       {Format::kJson, &json},
                                       {Format::kYaml, &yaml}}) {
      SCOPED_TRACE(file->path());
      convert(input.path(), format, *file);
      expect_same(expected, file->path());
    }
    for (const File* from : {&lines, &frames})
      for (const Format to : {Format::kLines, Format::kFrames, Format::kJson, Format::kYaml}) {
        SCOPED_TRACE("from " + from->path() + " to format " + std::to_string(int(to)));
        convert(from->path(), to, again);
        expect_same(expected, again.path());
      }
  }
}

}  // namespace
}  // namespace berth::ingest
