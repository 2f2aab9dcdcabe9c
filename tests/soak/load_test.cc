#include "tests/soak/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "engine/base/error.h"
#include "engine/base/io/io.h"
#include "engine/ingest/watch/watch_stream.h"

namespace berth::soak {
namespace {

std::string play(Load& load, uint64_t pods) {
  std::string lines;
  load.begin(lines);
  while (load.pods() < pods) load.next(lines);
  return lines;
}

// "default/pod-3-1" of a line about a pod, else empty.
std::string pod_of(const std::string& line) {
  const auto text = [&](std::string_view key) {
    const size_t begin = line.find(key) + key.size();
    return line.substr(begin, line.find('"', begin) - begin);
  };
  if (line.find(R"("kind":"Pod")") == std::string::npos) return {};
  return text(R"("namespace":")") + '/' + text(R"("name":")");
}

TEST(SoakLoad, DeletesThePodsThatItAddedAndKeepsTheOthers) {
  Load load({.nodes = 3, .live = 60, .replicas = 4, .kinds = all_kinds()});
  std::istringstream lines(play(load, 600));
  std::set<std::string> there;
  uint64_t added = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string pod = pod_of(line);
    if (pod.empty()) continue;
    if (line.starts_with(R"({"type":"ADDED")")) {
      EXPECT_TRUE(there.insert(pod).second) << pod << " is added while it is there";
      ++added;
    } else {
      EXPECT_EQ(there.erase(pod), 1u) << pod << " is deleted and was not there";
    }
  }
  EXPECT_EQ(added, load.pods());
  EXPECT_EQ(there.size(), 60u);
  const Expected& expected = load.expected();
  EXPECT_EQ(expected.scheduled + expected.gated + expected.refused + expected.deleted, load.pods());
}

TEST(SoakLoad, IsWhatTheReaderTakes) {
  Load load({.nodes = 3, .live = 60, .replicas = 4, .kinds = all_kinds()});
  const std::string lines = play(load, 600);
  MemorySource source({reinterpret_cast<const uint8_t*>(lines.data()), lines.size()});
  Diagnostics diagnostics;
  ingest::WatchStream stream(source, diagnostics, true);
  size_t batches = 0;
  for (ingest::Batch batch; stream.next(batch);) ++batches;
  EXPECT_GT(batches, 1u);
  EXPECT_EQ(diagnostics.count(), 0u);
}

TEST(SoakLoad, BringsNothingNewForRecreatedPods) {
  Load load({.nodes = 3, .live = 40, .replicas = 4, .kinds = {Kind::kRecreated}});
  std::istringstream lines(play(load, 2000));
  std::set<std::string> seen;
  for (std::string line; std::getline(lines, line);) seen.insert(line);
  // Names of twelve Deployments, added and deleted, and three nodes.
  EXPECT_EQ(seen.size(), 2u * 12 * 4 + 3);
}

TEST(SoakLoad, KnowsItsKindsByName) {
  for (Kind kind : all_kinds()) EXPECT_EQ(kind_of(name_of(kind)), kind);
  try {
    kind_of("name");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                ::testing::HasSubstr(R"(there is no kind "name"; kinds are recreated)"));
  }
}

}  // namespace
}  // namespace berth::soak
