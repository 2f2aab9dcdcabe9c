#include "engine/ingest/objects/decode/container_run.h"

#include <gtest/gtest.h>

#include "engine/ingest/objects/objects_for_tests.h"
#include "engine/ingest/written/object_json.h"

namespace berth::ingest {
namespace {

// A pod with these annotations.
Decoded<model::Pod> annotated(const std::string& annotations) {
  return {decode_pod, "metadata:\n  name: p\n  annotations:\n" + annotations, Defaults::kNone};
}

TEST(ContainerRun, IsReadAndWritten) {
  const Decoded<model::Pod> pod =
      annotated("    berth/runs-for: 1m30s\n    berth/exit-code: '3'\n");
  ASSERT_TRUE(pod.object);
  EXPECT_EQ(pod.object->spec.run, (model::ContainerRun{90'000'000'000, 3}));
  std::string json;
  append(*pod.object, json);
  EXPECT_NE(json.find(R"("annotations":{"berth/runs-for":"1m30s","berth/exit-code":"3"})"),
            json.npos)
      << json;
  EXPECT_EQ(annotated("    berth/runs-for: 0s\n").object->spec.run, (model::ContainerRun{0, 0}));
  EXPECT_EQ(annotated("    other: x\n").object->spec.run, std::nullopt);
}

TEST(ContainerRun, ThatIsWrongIsNamedWithItsPlace) {
  const std::string duration =
      "file:4:21: metadata.annotations[berth/runs-for]: expected a duration from 0s to 87600h, "
      "such "
      "as 90s or 1h15m";
  EXPECT_EQ(annotated("    berth/runs-for: soon\n").errors, Texts({duration}));
  EXPECT_EQ(annotated("    berth/runs-for: -1s\n").errors, Texts({duration}));
  EXPECT_EQ(annotated("    berth/runs-for: 87601h\n").errors, Texts({duration}));
  EXPECT_EQ(annotated("    berth/runs-for: 1s\n    berth/exit-code: '256'\n").errors,
            Texts({"file:5:22: metadata.annotations[berth/exit-code]: expected an exit code from 0 "
                   "to 255"}));
  EXPECT_EQ(annotated("    berth/exit-code: '1'\n").errors,
            Texts({"file:4:5: metadata.annotations.berth/runs-for: is missing: without it the exit "
                   "code has no effect"}));
}

}  // namespace
}  // namespace berth::ingest
