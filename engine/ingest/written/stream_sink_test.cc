#include "engine/ingest/written/stream_sink.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/ingest/written/object_writer.h"

namespace berth::ingest {
namespace {

std::string text_of(const MemorySink& sink) { return {sink.bytes().begin(), sink.bytes().end()}; }

// A node, a pod that waits with a label and a claim of its own, and a deletion.
void write_example(StreamSink& sink, bool events) {
  model::Node node;
  node.name = "n";
  model::PodSpec spec;
  spec.volumes.resize(1);
  spec.volumes[0].is_claim = true;
  PodBatch pods;
  pods.template_ids = {3};
  pods.namespace_indices = {0};
  pods.namespaces = {"space"};
  pods.names = {"p"};
  pods.label_ends = {1};
  pods.labels = {{"job-name", "j"}};
  pods.claim_ends = {1};
  pods.claims = {"c"};
  sink.note("a \"note\"");
  sink.define(std::vector{TemplateDefinition{3, std::make_shared<const model::PodSpec>(spec)}});
  sink.cluster(std::vector{model::added(node)});
  if (events) sink.events(std::vector{model::deleted_node("n")});
  sink.pods(pods);
  sink.flush();
  sink.end();
}

TEST(StreamSink, LinesHaveABookmarkAfterPods) {
  MemorySink out;
  write_example(*line_sink(out), true);
  const std::string text = text_of(out);
  EXPECT_EQ(text.find(R"({"type":"BOOKMARK","object":{"apiVersion":"v1","kind":"Pod","metadata":)"
                      R"({"annotations":{"berth/load":"a \"note\""}}}})"),
            0u)
      << text;
  const size_t added = text.find(R"({"type":"ADDED","object":{"apiVersion":"v1","kind":"Node")");
  const size_t gone = text.find(R"({"type":"DELETED","object":{"apiVersion":"v1","kind":"Node")");
  const size_t pod = text.find(R"({"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod")");
  EXPECT_TRUE(added < gone && gone < pod && pod != text.npos) << text;
  EXPECT_NE(text.find(R"("job-name":"j")", pod), text.npos) << text;
  EXPECT_NE(text.find(R"("claimName":"c")", pod), text.npos) << text;
  EXPECT_TRUE(text.ends_with(
      "\n{\"type\":\"BOOKMARK\",\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}}\n"))
      << text;
}

TEST(StreamSink, LinesAloneTellWhenThingsHappen) {
  MemorySink out;
  const auto lines = line_sink(out);
  lines->time(1'500'000'000);
  lines->events(std::vector{model::deleted_node("n"), model::deleted_node("m")});
  lines->time(0);
  lines->pods({});
  lines->end();
  const std::string text = text_of(out);
  EXPECT_EQ(text.find(R"({"type":"DELETED","time":"1.5s","object":{)"), 0u) << text;
  EXPECT_NE(text.find("\n{\"type\":\"DELETED\",\"object\":{"), text.npos) << text;
  EXPECT_NE(text.find("\n{\"type\":\"BOOKMARK\",\"time\":\"0s\",\"object\":{"), text.npos) << text;
  EXPECT_THROW(frame_sink(out)->time(0), Error);
}

TEST(StreamSink, AListTellsWhereItComesFrom) {
  MemorySink out;
  ObjectWriter list(ObjectWriter::As::kList, out);
  write_example(list, false);
  const std::string text = text_of(out);
  EXPECT_EQ(text.find(R"({"apiVersion":"v1","kind":"List","metadata":{"annotations":)"
                      R"({"berth/load":"a \"note\""}},"items":[)"
                      "\n{\"apiVersion\":\"v1\",\"kind\":\"Node\""),
            0u)
      << text;
  EXPECT_NE(text.find(",\n{\"apiVersion\":\"v1\",\"kind\":\"Pod\""), text.npos) << text;
  EXPECT_TRUE(text.ends_with("\n]}\n")) << text;
}

}  // namespace
}  // namespace berth::ingest
