#include "tests/apiserver/objects/patch.h"

#include "tests/apiserver/test/testing.h"

namespace berth::apiserver::testing {
namespace {

json::value strategic(std::string_view target, std::string_view patch) {
  json::value made = parse_object(target);
  strategic_patch(made, parse_object(patch));
  return made;
}

TEST(Patches, MergeAsRfc7386Says) {
  json::value made = parse_object(R"({"a":{"b":1,"c":2},"l":[1,2]})");
  merge_patch(made, parse_object(R"({"a":{"b":null,"d":{"e":null,"f":3}},"l":[3]})"));
  EXPECT_EQ(made, json::parse(R"({"a":{"c":2,"d":{"f":3}},"l":[3]})"));
}

TEST(Patches, MergeListsByKey) {
  EXPECT_EQ(strategic(R"({"conditions":[{"type":"A","status":"x","reason":"r"},{"type":"B"}]})",
                      R"({"$setElementOrder/conditions":[{"type":"A"},{"type":"C"}],
                          "conditions":[{"type":"A","status":"y"},{"type":"C","status":"z"}]})"),
            json::parse(R"({"conditions":[{"type":"A","status":"y","reason":"r"},{"type":"B"},
                                          {"type":"C","status":"z"}]})"));
  EXPECT_EQ(strategic(R"({"taints":[{"key":"a"},{"key":"b"}]})",
                      R"({"taints":[{"key":"a","$patch":"delete"}]})"),
            json::parse(R"({"taints":[{"key":"b"}]})"));
  EXPECT_EQ(strategic(R"({"taints":[{"key":"a"},{"key":"b"}]})",
                      R"({"taints":[{"$patch":"replace"},{"key":"c"}]})"),
            json::parse(R"({"taints":[{"key":"c"}]})"));
  EXPECT_EQ(
      strategic(R"({"ports":[{"port":1,"name":"a"}]})", R"({"ports":[{"port":1,"name":"b"}]})"),
      json::parse(R"({"ports":[{"port":1,"name":"b"}]})"));
}

TEST(Patches, ReplaceOtherLists) {
  EXPECT_EQ(strategic(R"({"tolerations":[{"key":"a"}]})", R"({"tolerations":[{"key":"b"}]})"),
            json::parse(R"({"tolerations":[{"key":"b"}]})"));
}

TEST(Patches, UniteFinalizers) {
  EXPECT_EQ(strategic(R"({"finalizers":["a","b"]})",
                      R"({"$deleteFromPrimitiveList/finalizers":["a"],"finalizers":["c","b"]})"),
            json::parse(R"({"finalizers":["b","c"]})"));
}

TEST(Patches, FollowDirectivesOfObjects) {
  EXPECT_EQ(strategic(R"({"a":{"b":1},"c":{"d":1}})",
                      R"({"a":{"$patch":"replace","x":2},"c":{"$patch":"delete"}})"),
            json::parse(R"({"a":{"x":2},"c":{}})"));
  EXPECT_EQ(strategic(R"({"a":{"b":1}})", R"({"a":null})"), json::parse("{}"));
  EXPECT_EQ(strategic(R"({"a":{"b":1,"c":2}})", R"({"a":{"$retainKeys":["c","d"],"d":3}})"),
            json::parse(R"({"a":{"c":2,"d":3}})"));
}

class PatchesOfObjects : public Server {};

TEST_F(PatchesOfObjects, AreThoseOfAScheduler) {
  add_pod("a");
  const std::string status = std::string(kPods) + "/a/status";
  const Recorded first = patch(status, R"({"status":{"nominatedNodeName":"n","conditions":[
      {"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"one"}]}})");
  EXPECT_EQ(first.status, 200);
  patch(status, R"({"status":{"$setElementOrder/conditions":[{"type":"PodScheduled"}],
                    "conditions":[{"type":"PodScheduled","message":"two"}]}})");
  const json::value pod = get(std::string(kPods) + "/a");
  EXPECT_EQ(text_at(pod, "status.nominatedNodeName"), "n");
  const json::array& conditions = pod.at("status").at("conditions").as_array();
  ASSERT_EQ(conditions.size(), 1u);
  EXPECT_EQ(text_at(conditions[0], "reason"), "Unschedulable");
  EXPECT_EQ(text_at(conditions[0], "message"), "two");
}

TEST_F(PatchesOfObjects, OfOtherFormatsAreRefused) {
  add_pod("a");
  const std::string path = std::string(kPods) + "/a";
  EXPECT_EQ(patch(path, "[]", "application/json-patch+json").status, 415);
  EXPECT_EQ(patch(path, "{}", "application/apply-patch+yaml").status, 415);
  EXPECT_EQ(patch(path, "{}", "application/merge-patch+json; charset=utf-8").status, 200);
  EXPECT_EQ(patch(path, R"({"metadata":{"resourceVersion":"1"}})").status, 409);
  EXPECT_EQ(patch(std::string(kPods) + "/b", "{}").status, 404);
}

TEST_F(PatchesOfObjects, OfCustomResourcesAreNotStrategic) {
  Options options;
  options.pod_groups = true;
  restart(options);
  const char* groups = "/apis/scheduling.x-k8s.io/v1alpha1/namespaces/default/podgroups";
  create(groups, R"({"metadata":{"name":"g"},"spec":{"minMember":2}})");
  const std::string path = std::string(groups) + "/g";
  EXPECT_EQ(patch(path, "{}").status, 415);
  const Recorded merged =
      patch(path, R"({"spec":{"minMember":3}})", "application/merge-patch+json");
  EXPECT_EQ(number_at(merged.tree(), "spec.minMember", 0), 3);
}

}  // namespace
}  // namespace berth::apiserver::testing
