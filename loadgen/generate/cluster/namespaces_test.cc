#include "loadgen/generate/cluster/namespaces.h"

#include <gtest/gtest.h>

#include <set>

namespace berth::loadgen {
namespace {

constexpr char kTeam[] = "team";

model::StringMap labels_of(const std::string& name, const std::string& team) {
  return {{"kubernetes.io/metadata.name", name}, {kTeam, team}};
}

TEST(Namespaces, HaveNumbersByEntry) {
  const std::vector<NamespaceSpec> entries = {
      {"one", 1, {{kTeam, "a"}}}, {"many", 3, {{kTeam, "b"}}}, {"last", 1, {{kTeam, "c"}}}};
  const Namespaces namespaces(entries);
  ASSERT_EQ(namespaces.count(), 5u);
  EXPECT_EQ(namespaces.name(0), "one");
  EXPECT_EQ(namespaces.name(3), "many-2");
  EXPECT_EQ(namespaces.name(4), "last");
  EXPECT_EQ(namespaces.in_turn(1, 2), 3u);
  EXPECT_EQ(namespaces.in_turn(1, 3), 1u);
  EXPECT_EQ(namespaces.in_turn(2, 7), 4u);
  std::set<uint32_t> found;
  for (uint64_t i = 0; i < 100; ++i) found.insert(namespaces.choose(1, i << 56));
  EXPECT_EQ(found, (std::set<uint32_t>{1, 2}));
  EXPECT_EQ(namespaces.choose(1, UINT64_MAX), 3u);
  EXPECT_EQ(namespaces.choose(0, UINT64_MAX), 0u);
  EXPECT_EQ(namespaces.now(0).labels, labels_of("one", "a"));
  EXPECT_EQ(namespaces.now(1).labels, labels_of("many-0", "b"));
  EXPECT_EQ(namespaces.now(3).labels, labels_of("many-2", "b"));
  EXPECT_EQ(namespaces.now(4).labels, labels_of("last", "c"));
}

TEST(Namespaces, KeepTheirChangedLabels) {
  const std::vector<NamespaceSpec> entries = {{"many", 2, {{kTeam, "a"}}}};
  Namespaces namespaces(entries);
  namespaces.set_label(1, kTeam, "b");
  namespaces.set_label(1, kTeam, "c");
  EXPECT_EQ(namespaces.now(0).labels, labels_of("many-0", "a"));
  EXPECT_EQ(namespaces.now(1).labels, labels_of("many-1", "c"));
}

}  // namespace
}  // namespace berth::loadgen
