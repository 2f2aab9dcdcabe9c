#pragma once

// Streams with faults, and the reader's reports about them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "berth/schema/frame_generated.h"
#include "berth/schema/pod_stream_generated.h"
#include "engine/ingest/stream/read/stream_reader.h"
#include "engine/ingest/stream/write/stream_writer.h"

namespace berth::ingest::testing {

using flatbuffers::FlatBufferBuilder;
using schema::FrameKind;

using Bytes = std::vector<uint8_t>;

struct Seen {
  std::vector<std::string> pods;  // names
  std::vector<std::string> nodes;
  std::vector<std::string> bindings;
  std::vector<std::string> selector_owners;
  size_t events = 0;
  size_t templates = 0;
  bool end = false;
  std::vector<std::string> faults;
  StreamCounts counts;
};

inline void note(const Batch& batch, Seen& seen) {
  switch (batch.kind) {
    case BatchKind::kPods:
      for (const auto name : batch.pods.names) seen.pods.emplace_back(name);
      break;
    case BatchKind::kCluster:
      model::each<model::Node>(batch.changes,
                               [&](const auto& node) { seen.nodes.push_back(node.name); });
      model::each<model::SelectorOwner>(
          batch.changes, [&](const auto& owner) { seen.selector_owners.push_back(owner.name); });
      break;
    case BatchKind::kBindings:
      for (const auto name : batch.bindings.names) seen.bindings.emplace_back(name);
      break;
    case BatchKind::kEvents:
      seen.events += batch.changes.size();
      break;
    case BatchKind::kTemplates:
      seen.templates += batch.templates.size();
      break;
    case BatchKind::kEnd:
      seen.end = true;
      break;
    case BatchKind::kTime:
    case BatchKind::kNote:
      break;
  }
}

inline Seen read(const Bytes& bytes) {
  MemorySource source(bytes, "s");
  Diagnostics diagnostics;
  StreamReader reader(source, diagnostics);
  Seen seen;
  for (Batch batch; reader.next(batch);) note(batch, seen);
  for (const Error& error : diagnostics.kept()) seen.faults.emplace_back(error.what());
  seen.counts = reader.counts();
  return seen;
}

inline void add_pod(StreamWriter& writer, uint32_t id, std::string_view name) {
  ASSERT_TRUE(writer.add_pod({id, "default", name, "", "", {}}));
  writer.write_pods();
}

// A stream with a template, a handmade frame and a valid pod, without end mark.
inline Bytes with_frame(FrameKind kind, const std::function<void(FlatBufferBuilder&)>& fill) {
  MemorySink sink;
  StreamWriter writer(sink);
  const uint32_t id = writer.template_id({});
  FlatBufferBuilder builder;
  fill(builder);
  FrameWriter(sink).write(static_cast<uint8_t>(kind),
                          {builder.GetBufferPointer(), builder.GetSize()});
  add_pod(writer, id, "good");
  return sink.bytes();
}

// The faults reported for the handmade frame. Checks that the pod after it arrives.
inline std::vector<std::string> faults_of(FrameKind kind,
                                          const std::function<void(FlatBufferBuilder&)>& fill) {
  Seen seen = read(with_frame(kind, fill));
  EXPECT_FALSE(seen.pods.empty());
  if (!seen.pods.empty()) {
    EXPECT_EQ(seen.pods.back(), "good");
  }
  EXPECT_THAT(seen.faults.back(), ::testing::HasSubstr("ends without an end mark"));
  seen.faults.pop_back();
  return seen.faults;
}

}  // namespace berth::ingest::testing
