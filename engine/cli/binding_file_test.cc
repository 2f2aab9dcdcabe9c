#include "engine/cli/binding_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "engine/base/error.h"
#include "engine/base/io.h"
#include "engine/ingest/stream_reader.h"

namespace berth::cli {
namespace {

class BindingFileTest : public ::testing::Test {
 protected:
  std::string path(const char* name) {
    return ::testing::TempDir() + "binding_file_" + std::to_string(getpid()) + name;
  }
};

TEST_F(BindingFileTest, JsonLinesAreInOrderAndEscaped) {
  std::string file = path(".jsonl");
  auto bindings = open_bindings(file);
  bindings->bind("default", "a\"b", "node-1");
  bindings->bind("kube-system", "c", "node-2");
  bindings->close();
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_EQ(text.str(),
            "{\"namespace\":\"default\",\"name\":\"a\\\"b\",\"node\":\"node-1\"}\n"
            "{\"namespace\":\"kube-system\",\"name\":\"c\",\"node\":\"node-2\"}\n");
  std::remove(file.c_str());
}

TEST_F(BindingFileTest, FramesAreReadAgainInOrder) {
  std::string file = path(".stream");
  constexpr int kBindings = 20000;  // several frames
  auto bindings = open_bindings(file);
  for (int i = 0; i < kBindings; ++i)
    bindings->bind(i % 2 == 0 ? "even" : "odd", "pod-" + std::to_string(i),
                   "node-" + std::to_string(i % 7));
  bindings->close();

  Diagnostics diagnostics;
  FileSource source(file);
  ingest::StreamReader reader(source, diagnostics);
  ingest::Batch batch;
  int next = 0;
  bool ended = false;
  while (reader.next(batch)) {
    ended = batch.kind == ingest::BatchKind::kEnd;
    if (batch.kind != ingest::BatchKind::kBindings) continue;
    for (size_t i = 0; i < batch.bindings.size(); ++i, ++next) {
      EXPECT_EQ(batch.bindings.names[i], "pod-" + std::to_string(next));
      EXPECT_EQ(batch.bindings.namespaces[i], next % 2 == 0 ? "even" : "odd");
      EXPECT_EQ(batch.bindings.nodes[i], "node-" + std::to_string(next % 7));
    }
  }
  EXPECT_EQ(next, kBindings);
  EXPECT_TRUE(ended);
  EXPECT_EQ(diagnostics.count(), 0u);
  std::remove(file.c_str());
}

TEST_F(BindingFileTest, ANameThatNoFrameHoldsIsAnError) {
  std::string file = path(".stream");
  auto bindings = open_bindings(file);
  EXPECT_THROW(bindings->bind("default", std::string(300, 'x'), "node"), Error);
  std::remove(file.c_str());
}

}  // namespace
}  // namespace berth::cli
