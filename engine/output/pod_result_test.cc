#include "engine/output/pod_result.h"

#include <gtest/gtest.h>

namespace berth::output {
namespace {

using namespace std::chrono_literals;

TEST(PodResult, OmitsWhatDoesNotApply) {
  PodResult result;
  result.namespace_name = "default";
  result.name = "a";
  result.outcome = "untried";
  result.arrived = 1500ms;
  EXPECT_EQ(to_json_line(result),
            "{\"namespace\":\"default\",\"name\":\"a\",\"outcome\":\"untried\",\"attempts\":0,"
            "\"arrived_seconds\":1.5}\n");
}

TEST(PodResult, HasScoresOfTheChosenNodeFirst) {
  PodResult result;
  result.outcome = "scheduled";
  result.node = "n";
  result.victims = {"default/a", "team/b"};
  result.attempts = 2;
  result.bound = 1ms;
  result.scores = {{"n", 250, {{"Fit", 70, 100, 2}, {"Taints", {}, 50, 1}}, {}},
                   {"m", 20, {}, {{"http://e", 20}}}};
  EXPECT_EQ(to_json_line(result),
            "{\"namespace\":\"\",\"name\":\"\",\"outcome\":\"scheduled\",\"node\":\"n\","
            "\"victims\":[\"default/a\",\"team/"
            "b\"],\"attempts\":2,\"arrived_seconds\":0.0,\"bound_seconds\":0.001,\"scores\":["
            "{\"node\":\"n\",\"total\":250,\"plugins\":{"
            "\"Fit\":{\"raw\":70,\"normalised\":100,\"weight\":2},"
            "\"Taints\":{\"normalised\":50,\"weight\":1}}},"
            "{\"node\":\"m\",\"total\":20,\"plugins\":{},\"extenders\":{\"http://e\":20}}]}\n");
}

TEST(PodResult, SaysWhyANodeHasNoScores) {
  PodResult result;
  result.outcome = "scheduled";
  result.node = "n";
  result.from_batch = true;
  EXPECT_EQ(to_json_line(result),
            "{\"namespace\":\"\",\"name\":\"\",\"outcome\":\"scheduled\",\"node\":\"n\","
            "\"attempts\":0,\"arrived_seconds\":0.0,\"from_batch\":true}\n");
}

TEST(PodResult, SaysThatAPodOfTheClusterStillTerminates) {
  PodResult result;
  result.outcome = "placed_before";
  result.node = "n";
  result.evicted_because = "Why: so";
  result.terminating = true;
  result.arrived.reset();
  EXPECT_EQ(to_json_line(result),
            "{\"namespace\":\"\",\"name\":\"\",\"outcome\":\"placed_before\",\"node\":\"n\","
            "\"evicted_because\":\"Why: so\",\"terminating\":true,\"attempts\":0}\n");
}

TEST(PodResult, SaysThatItsKubeletEndedAPod) {
  PodResult result;
  result.gone = result.failed = true;
  EXPECT_NE(to_json_line(result).find("\"gone\":true,\"phase\":\"Failed\",\"attempts\""),
            std::string::npos);
}

TEST(EvictionResult, SaysThatItIsADryRun) {
  const EvictionResult result{.namespace_name = "default",
                              .name = "a",
                              .code = 201,
                              .dry_run = true,
                              .message = {},
                              .causes = {},
                              .at = 1s};
  EXPECT_EQ(to_json_line(result),
            "{\"namespace\":\"default\",\"name\":\"a\",\"outcome\":\"eviction_allowed\","
            "\"dry_run\":true,\"code\":201,\"at_seconds\":1.0}\n");
}

TEST(DrainResult, NamesWhatIsLeft) {
  DrainResult result{.node = "n1",
                     .outcome = "drain_failed",
                     .message = "no",
                     .evicted = {"default/a"},
                     .left = {{"default/b", "Two."}, {"default/c", ""}},
                     .began = 1s,
                     .ended = 31s};
  EXPECT_EQ(to_json_line(result),
            "{\"node\":\"n1\",\"outcome\":\"drain_failed\",\"message\":\"no\",\"evicted\":["
            "\"default/a\"],\"left\":[{\"pod\":\"default/b\",\"message\":\"Two.\"},{\"pod\":"
            "\"default/c\"}],\"began_seconds\":1.0,\"ended_seconds\":31.0}\n");
}

TEST(PodResult, IsSafeToShowAndOneLine) {
  PodResult result;
  result.message = "red \x1b[31m\nsecond\u202e";
  EXPECT_NE(to_json_line(result).find("red \\u001b[31m\\nsecond\\u202e"), std::string::npos)
      << to_json_line(result);
}

}  // namespace
}  // namespace berth::output
