// Faults that the simulation found, as short histories.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/fixture.h"

namespace berth::tests {
namespace {

using SimulatedFaults = CoreTest;

// Seed 160: an update with status.nominatedNodeName came while the pod was being bound. The pod was
// nominated although it counted on a node already, so filters counted it twice there.
TEST_F(SimulatedFaults, AnUpdateDoesNotNominateAPodThatIsBeingBound) {
  start();
  apply(model::NodeAdded{node("n")});
  model::Pod p = pod("p");
  arrive({p});
  ASSERT_TRUE(core->step());
  ASSERT_EQ(cluster().pod(find("p")).state, model::PodState::kBinding);
  p.nominated_node_name = "n";
  apply(model::PodUpdated{of_template(p)});
  EXPECT_FALSE(cluster().pod(find("p")).nominated);
  core->settle();
  EXPECT_FALSE(cluster().pod(find("p")).nominated);
  EXPECT_EQ(core->fault(), "");
}

}  // namespace
}  // namespace berth::tests
