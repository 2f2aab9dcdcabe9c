// Plays every preset to its end.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "engine/ingest/stream/read/stream_reader.h"
#include "engine/ingest/watch/watch_stream.h"
#include "loadgen/testing.h"
#include "loadgen/workload/preset_texts.h"
#include "loadgen/workload/workload.h"

namespace berth::loadgen {
namespace {

// Opens a preset with parameters small enough to play all of it.
std::unique_ptr<Load> open_small(const Workload& workload, uint64_t seed) {
  LoadSettings settings;
  settings.seed = seed;
  for (const auto& [name, value] : workload.parameters) {
    if (name == "nodes") settings.parameters[name] = "60";
    if (name == "pods") settings.parameters[name] = "3000";
    if (name == "days") settings.parameters[name] = "2m";
    if (name == "reports") settings.parameters[name] = "3";
    if (name == "services") settings.parameters[name] = "20";
  }
  return workload.open(settings);
}

class Preset : public testing::TestWithParam<size_t> {
 protected:
  // Frames hold no times.
  std::vector<uint8_t> bytes(uint64_t seed) const {
    return stream_of(*open_small(workload_, seed), timed_);
  }

  Workload workload_ = presets()[GetParam()];
  bool timed_ = preset_texts()[GetParam()].text.find("\ntimed: true\n") != std::string_view::npos;
};

TEST_P(Preset, KeepsToWhatEveryLoadKeepsTo) {
  const Played played = play_all(*open_small(workload_, 1));
  EXPECT_EQ(played.broken, std::vector<std::string>());
  EXPECT_EQ(model::objects_of<model::Node>(played.cluster).size(), 60u);
  EXPECT_GT(played.pods.size(), 100u);
  EXPECT_LE(played.largest_step, 4096u);
}

TEST_P(Preset, GivesTheSameBytesFromTheSameSeed) {
  const std::vector<uint8_t> once = bytes(7);
  EXPECT_TRUE(once == bytes(7));
  EXPECT_FALSE(once == bytes(8));
}

TEST_P(Preset, IsReadWithoutAFault) {
  const std::vector<uint8_t> all = bytes(3);
  MemorySource source(all);
  Diagnostics diagnostics;
  std::unique_ptr<ingest::BatchSource> made;
  if (timed_) {
    made = std::make_unique<ingest::WatchStream>(source, diagnostics, false);
  } else {
    made = std::make_unique<ingest::StreamReader>(source, diagnostics,
                                                  ingest::StreamReader::OnFault::kReport);
  }
  ingest::BatchSource& reader = *made;
  ingest::Batch batch;
  uint64_t pods = 0;
  while (reader.next(batch))
    if (batch.kind == ingest::BatchKind::kPods) pods += batch.pods.size();
  for (const Error& error : diagnostics.kept()) ADD_FAILURE() << error.what();
  EXPECT_EQ(pods, play_all(*open_small(workload_, 3)).pods.size());
}

// The texts have the names, too: each test of the program starts with this, and reading the presets
// takes a second under sanitizers.
INSTANTIATE_TEST_SUITE_P(All, Preset, testing::Range(size_t{0}, preset_texts().size()),
                         [](const auto& at) {
                           std::string name(preset_texts()[at.param].name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Workloads, RefuseParametersTheyDoNotHave) {
  const Workload mixed = presets()[5];
  ASSERT_EQ(mixed.name, "mixed");
  try {
    mixed.open({.seed = 0, .parameters = {{"node", "5"}}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "workload mixed has no parameter \"node\"; it has nodes, pods, "
                 "zones");
  }
  EXPECT_THROW(mixed.open({.seed = 0, .parameters = {{"nodes", "many"}}}), Error);
}

TEST(Workloads, ThatAreNotThereAreSaidToBe) {
  Diagnostics diagnostics;
  try {
    find_workloads("nowhere.yaml", diagnostics);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("presets are batch, churn, daily, gpu, growth, mixed"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace berth::loadgen
