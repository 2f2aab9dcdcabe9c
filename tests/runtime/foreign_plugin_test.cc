// Berth's plugins have no privileges: one that is built under another id, as another file in
// another folder, makes the same decisions.

#include <gtest/gtest.h>

#include "tests/properties/trace.h"
#include "tests/runtime/folder.h"

namespace berth::tests {
namespace {

TEST(ForeignPlugin, OfTheSameSourcesDecidesTheSame) {
  PluginFolder folder;
  folder.add_shipped_but("node_resources_fit");
  folder.add_of_tests("cycle_other_fit", "something_else.so");
  runtime::Plugins foreign = folder.discover();
  const host::Found* found = foreign.discovery().find("NodeResourcesFit");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->identity.id, "org.example.another-fit");
  uint64_t scored = 0;
  for (uint64_t seed = 100; seed < 130; ++seed) {
    World world = random_world(seed, {.nodes = 40, .plain_pods = seed % 2 == 0});
    Trace ours = run(world, {}), theirs = run(world, {}, foreign);
    EXPECT_EQ(difference(ours, theirs), "");
    EXPECT_EQ(ours.hash, theirs.hash);
    scored += ours.scored;
  }
  EXPECT_GT(scored, 0u);
}

}  // namespace
}  // namespace berth::tests
