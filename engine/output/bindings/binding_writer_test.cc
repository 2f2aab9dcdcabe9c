#include "engine/output/bindings/binding_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/ingest/stream/read/stream_reader.h"

namespace berth::output {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Binding {
  std::string namespace_name, name, node;
  bool operator==(const Binding&) const = default;
};

std::string text_of(const MemorySink& sink) { return {sink.bytes().begin(), sink.bytes().end()}; }

std::string lines(const std::vector<Binding>& bindings) {
  MemorySink sink;
  const auto writer = make_binding_writer(BindingFormat::kJsonLines, sink);
  for (const Binding& b : bindings) writer->write(b.namespace_name, b.name, b.node);
  writer->finish();
  return text_of(sink);
}

std::vector<Binding> through_frames(const std::vector<Binding>& bindings, size_t flush_every) {
  MemorySink sink;
  const auto writer = make_binding_writer(BindingFormat::kFrames, sink);
  for (size_t i = 0; i < bindings.size(); ++i) {
    writer->write(bindings[i].namespace_name, bindings[i].name, bindings[i].node);
    if (i % flush_every == 0) writer->flush();
  }
  writer->finish();
  MemorySource source(sink.bytes());
  Diagnostics diagnostics;
  ingest::StreamReader reader(source, diagnostics);
  std::vector<Binding> read;
  for (ingest::Batch batch; reader.next(batch);) {
    if (batch.kind != ingest::BatchKind::kBindings) continue;
    for (size_t i = 0; i < batch.bindings.size(); ++i) {
      read.push_back({std::string(batch.bindings.namespaces[i]),
                      std::string(batch.bindings.names[i]), std::string(batch.bindings.nodes[i])});
    }
  }
  EXPECT_EQ(diagnostics.count(), 0u);
  return read;
}

TEST(BindingWriter, TheEndingOfTheNameTellsTheFormat) {
  EXPECT_EQ(binding_format("out.jsonl"), BindingFormat::kJsonLines);
  EXPECT_EQ(binding_format("out.berth"), BindingFormat::kFrames);
  EXPECT_EQ(binding_format("-"), BindingFormat::kFrames);
}

TEST(BindingWriter, ALineIsOneObject) {
  EXPECT_EQ(lines({{"default", "web-1", "node-7"}, {"kube-system", "dns", "node-8"}}),
            "{\"namespace\":\"default\",\"name\":\"web-1\",\"node\":\"node-7\"}\n"
            "{\"namespace\":\"kube-system\",\"name\":\"dns\",\"node\":\"node-8\"}\n");
}

TEST(BindingWriter, WhatJsonCannotHaveIsEscaped) {
  EXPECT_EQ(lines({{"a\"b", "c\\d", "e\nf\x01"}}),
            "{\"namespace\":\"a\\\"b\",\"name\":\"c\\\\d\",\"node\":\"e\\nf\\u0001\"}\n");
  EXPECT_EQ(lines({{"größe", "12345678\"", "\x7f"}}),
            "{\"namespace\":\"größe\",\"name\":\"12345678\\\"\",\"node\":\"\\u007f\"}\n");
  EXPECT_EQ(lines({{"a\u202eb", "\u009b", "\u2028"}}),
            "{\"namespace\":\"a\\u202eb\",\"name\":\"\\u009b\",\"node\":\"\\u2028\"}\n");
}

// Every byte at every position of a word, with different neighbours.
TEST(BindingWriter, EveryByteAtEveryPlaceIsAsTheJsonWriterHasIt) {
  for (int byte = 0; byte < 128; ++byte) {
    for (size_t place = 0; place < 20; ++place) {
      std::string name(20, place % 2 == 0 ? '!' : '#');
      name[place] = static_cast<char>(byte);
      std::string expected;
      document::append_json_string(name, expected);
      EXPECT_EQ(lines({{"n", name, "n"}}),
                "{\"namespace\":\"n\",\"name\":" + expected + ",\"node\":\"n\"}\n");
    }
  }
}

RC_GTEST_PROP(BindingWriter, LinesAreReadAgain, ()) {
  const auto text = rc::gen::string<std::string>();
  const auto bindings = *rc::gen::container<std::vector<Binding>>(
      rc::gen::map(rc::gen::tuple(text, text, text), [](const auto& t) {
        // The generator makes arbitrary bytes. Texts from ingest are valid UTF-8, so use ASCII.
        Binding b{std::get<0>(t), std::get<1>(t), std::get<2>(t)};
        for (std::string* s : {&b.namespace_name, &b.name, &b.node}) {
          for (char& c : *s) c = static_cast<char>(c & 0x7f);
        }
        return b;
      }));
  Diagnostics diagnostics;
  const auto document = document::Document::parse(lines(bindings), "lines", diagnostics);
  std::vector<Binding> read;
  for (const document::Value line : document.roots()) {
    read.push_back({std::string(line.find("namespace").as_string()),
                    std::string(line.find("name").as_string()),
                    std::string(line.find("node").as_string())});
  }
  RC_ASSERT(diagnostics.count() == 0u);
  RC_ASSERT(read == bindings);
}

RC_GTEST_PROP(BindingWriter, FramesAreReadAgain, ()) {
  const auto name =
      rc::gen::map(rc::gen::inRange(0, 20), [](int n) { return "name-" + std::to_string(n); });
  const auto bindings =
      *rc::gen::container<std::vector<Binding>>(rc::gen::construct<Binding>(name, name, name));
  RC_ASSERT(through_frames(bindings, *rc::gen::inRange<size_t>(1, 10)) == bindings);
}

TEST(BindingWriter, ManyLongBindingsTakeSeveralFrames) {
  std::vector<Binding> bindings;
  for (int i = 0; i < 3000; ++i) {
    const std::string number = std::to_string(10'000 + i);
    const std::string longest = number + std::string(250, 'x');
    bindings.push_back({longest, longest, longest});
  }
  EXPECT_EQ(through_frames(bindings, 1'000'000), bindings);
}

TEST(BindingWriter, NamesThatAFrameCannotHoldAreErrors) {
  MemorySink sink;
  const auto writer = make_binding_writer(BindingFormat::kFrames, sink);
  EXPECT_THROW(writer->write("default", std::string(256, 'x'), "node"), Error);
  EXPECT_THROW(writer->write("default", "pod", ""), Error);
}

TEST(BindingWriter, FlushMakesItVisibleAndFinishEndsIt) {
  for (const BindingFormat format : {BindingFormat::kJsonLines, BindingFormat::kFrames}) {
    MemorySink sink;
    const auto writer = make_binding_writer(format, sink);
    writer->write("default", "a", "n");
    EXPECT_THAT(sink.bytes(), IsEmpty());
    writer->flush();
    EXPECT_FALSE(sink.bytes().empty());
    const size_t size = sink.bytes().size();
    writer->flush();
    EXPECT_EQ(sink.bytes().size(), size);
  }
}

TEST(BindingWriter, AFullDiskIsAnErrorWithItsReason) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  FileSink sink("/dev/full");
  const auto writer = make_binding_writer(BindingFormat::kJsonLines, sink);
  writer->write("default", "a", "n");
  try {
    writer->finish();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/dev/full: cannot be written: No space left on device");
  }
}

}  // namespace
}  // namespace berth::output
