#include "engine/framework/hints/event_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/host/calls/checked_calls.h"

namespace berth::framework {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(EventNames, AreThoseOfKubeScheduler) {
  EXPECT_THAT(event_names(BERTH_ON_NODE, BERTH_DID_ADD | BERTH_DID_UPDATE_LABEL),
              ElementsAre("Node/Add", "Node/UpdateNodeLabel"));
  EXPECT_THAT(event_names(BERTH_ON_POD_ASSIGNED, BERTH_DID_UPDATE_LABEL | BERTH_DID_UPDATE_OTHER),
              ElementsAre("AssignedPod/UpdatePodLabel", "AssignedPod/Update"));
  EXPECT_THAT(event_names(BERTH_ON_CSI_NODE, BERTH_DID_DELETE | BERTH_DID_UPDATE_OTHER),
              ElementsAre("storage.k8s.io/CSINode/Delete", "storage.k8s.io/CSINode/Update"));
  EXPECT_THAT(event_names(BERTH_ON_NODE, BERTH_DID_UPDATE_DECLARED_FEATURES),
              ElementsAre("Node/UpdateNodeDeclaredFeature"));
  EXPECT_THAT(event_names(BERTH_ON_NODE, host::Hints::kEveryAction), ElementsAre("Node/All"));
  // Updates of taints are none of pods.
  EXPECT_THAT(event_names(BERTH_ON_POD_PENDING, BERTH_DID_UPDATE_TAINT), IsEmpty());
  for (const uint32_t kind : host::Hints::kKinds) {
    ASSERT_EQ(event_names(kind, BERTH_DID_ANYTHING).size(), 1u) << kind;
    EXPECT_THAT(event_names(kind, BERTH_DID_ANYTHING)[0], HasSubstr("/All"));
  }
}

}  // namespace
}  // namespace berth::framework
