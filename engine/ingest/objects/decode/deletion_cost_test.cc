#include "engine/ingest/objects/decode/deletion_cost.h"

#include <gtest/gtest.h>

#include "engine/ingest/objects/objects_for_tests.h"
#include "engine/ingest/written/object_json.h"

namespace berth::ingest {
namespace {

// A pod with this value of the annotation.
Decoded<model::Pod> costing(const std::string& value) {
  return {decode_pod,
          "metadata:\n  name: p\n  annotations:\n    "
          "controller.kubernetes.io/pod-deletion-cost: '" +
              value + "'\n",
          Defaults::kNone};
}

TEST(DeletionCost, IsReadAndWritten) {
  const Decoded<model::Pod> pod = costing("-7");
  ASSERT_TRUE(pod.object);
  EXPECT_EQ(pod.object->spec.deletion_cost, -7);
  std::string json;
  append(*pod.object, json);
  EXPECT_NE(json.find(R"("annotations":{"controller.kubernetes.io/pod-deletion-cost":"-7"})"),
            json.npos)
      << json;
  EXPECT_EQ(costing("2147483647").object->spec.deletion_cost, 2147483647);
  EXPECT_EQ(costing("0").object->spec.deletion_cost, 0);
}

TEST(DeletionCost, ThatIsWrongIsRefused) {
  for (const char* wrong : {"", "+10", "008", "-", "2147483648", "1.5", "1 "})
    EXPECT_EQ(costing(wrong).errors.size(), 1u) << wrong;
  EXPECT_NE(costing("x").errors.at(0).find("pod-deletion-cost]: expected an integer of 32 bits"),
            std::string::npos);
}

}  // namespace
}  // namespace berth::ingest
