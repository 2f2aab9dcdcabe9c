// Faults that the simulation found, as short histories.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using SimulatedFaults = CoreTest;

// Seed 160: an update with status.nominatedNodeName came while the pod was being bound. The pod was
// nominated although it counted on a node already, so filters counted it twice there.
TEST_F(SimulatedFaults, AnUpdateDoesNotNominateAPodThatIsBeingBound) {
  start();
  apply(model::added(node("n")));
  model::Pod p = pod("p");
  arrive({p});
  ASSERT_TRUE(core->step());
  ASSERT_EQ(cluster().pod(find("p")).state, model::PodState::kBinding);
  p.nominated_node_name = "n";
  apply(model::modified(of_template(p)));
  EXPECT_FALSE(cluster().pod(find("p")).nominated);
  core->settle();
  EXPECT_FALSE(cluster().pod(find("p")).nominated);
  EXPECT_EQ(core->fault(), "");
}

// Seeds 37725 and 38470: a pod shrank while it was assumed, and a pod that waited for room was not
// tried again. kube-scheduler v1.34.1 does the same. updatePodInSchedulingQueue (eventhandlers.go)
// drops updates of assumed pods; the update shows when the pod is bound, as an added assigned pod
// (addPodToCache), and NodeResourcesFit has a hint for pods that leave or are scaled down alone.
TEST_F(SimulatedFaults, AnUpdateOfAnAssumedPodWakesNobody) {
  const auto cpu = [](int64_t milli) {
    return model::ResourceList{{"cpu", model::Quantity::from_milli(milli)}};
  };
  start();
  model::Node n = node("n");
  n.allocatable[0] = cpu(1000)[0];
  apply(model::added(n));
  model::Pod large = pod("large"), other = pod("other");
  large.spec.containers[0].requests = cpu(1000);
  other.spec.containers[0].requests = cpu(500);
  arrive({large});
  ASSERT_TRUE(core->step());
  arrive({other});
  ASSERT_TRUE(core->step());
  ASSERT_EQ(cluster().pod(find("large")).state, model::PodState::kBinding);

  const auto place = [&] { return core->scheduler().queue().place(find("other")); };
  ASSERT_EQ(place(), queue::Place::kUnschedulable);
  large.spec.containers[0].requests = cpu(400);
  apply(model::modified(of_template(large)));
  core->settle();
  ASSERT_EQ(cluster().pod(find("large")).state, model::PodState::kBound);
  EXPECT_EQ(place(), queue::Place::kUnschedulable);

  large.spec.node_name = "n";
  large.spec.containers[0].requests = cpu(300);
  apply(model::modified(of_template(large)));
  EXPECT_NE(place(), queue::Place::kUnschedulable);
}

}  // namespace
}  // namespace berth::tests
