// PreBind plugins that may work at the same time, by the versions of the rules.

#include <gtest/gtest.h>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using std::chrono::seconds;

class ParallelPreBindTest : public CoreTest {
 protected:
  model::PodState state() { return cluster().pod(find("wait-2-p")).state; }
};

TEST_F(ParallelPreBindTest, WaitsOfNeighboursOverlapInLaterVersions) {
  rules.set(Rule::kAnnouncedNodes, true);
  for (const bool overlap : {false, true}) {
    rules.set(Rule::kParallelPreBind, overlap);
    const std::string args = R"({"again":1000,"parallel":true}})";
    start(R"([{"schedulerName":"default-scheduler",
               "plugins":{"multiPoint":{"enabled":[{"name":"Patient"},{"name":"Neighbour"}]}},
               "pluginConfig":[{"name":"Patient","args":)" +
          args + R"(,{"name":"Neighbour","args":)" + args + "]}]");
    cluster().put_node(node("n"));
    schedule({pod("wait-2-p")});
    core->advance_to(core->now() + seconds(2));
    EXPECT_EQ(state() == model::PodState::kBound, overlap);
    core->advance_to(core->now() + seconds(2));
    EXPECT_EQ(state(), model::PodState::kBound);
  }
}

}  // namespace
}  // namespace berth::tests
