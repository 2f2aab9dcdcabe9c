#include "engine/ingest/written/whole_object.h"

#include <gtest/gtest.h>

#include "engine/ingest/objects/objects.h"
#include "engine/ingest/written/object_json.h"

namespace berth::ingest {
namespace {

document::Document parsed(const std::string& json) {
  Diagnostics faults;
  document::Document made = document::Document::parse(json, "test", faults);
  EXPECT_EQ(faults.count(), 0u);
  return made;
}

std::string json_of(const model::Pod& pod) {
  std::string json;
  append(pod, json);
  return json;
}

class WholePod : public testing::Test {
 protected:
  // The text that is sent of a pod to which `change` happened.
  template <typename Change>
  std::string sent(const std::string& json, Change&& change) {
    const document::Document document = parsed(json);
    Diagnostics faults;
    model::Pod pod = decode_pod(document.roots()[0], faults).value();
    const WholeObject whole = whole_pod(document.roots()[0], pod);
    EXPECT_EQ(whole.key, "default/w");
    change(pod);
    return updated(whole, json_of(pod));
  }
  std::string sent(const std::string& json) {
    return sent(json, [](model::Pod&) {});
  }
};

// As an API server has it: all defaults are there.
constexpr const char* kLive =
    R"({"metadata":{"name":"w","namespace":"default","uid":"u1","annotations":{"a":"\u00e9\n"}},)"
    R"("spec":{"containers":[{"name":"c","image":"x","env":[{"name":"A","value":"b"}],)"
    R"("resources":{"requests":{"cpu":"1000m"}}}],)"
    R"("volumes":[{"name":"s","emptyDir":{}},{"name":"d","persistentVolumeClaim":{"claimName":"x"}}]},)"
    R"("status":{"phase":"Pending","hostIP":"10.0.0.1"}})";

TEST_F(WholePod, IsSentAsItCame) {
  EXPECT_EQ(sent(kLive), document::to_json(parsed(kLive).roots()[0]));
}

TEST_F(WholePod, HasNoManagedFields) {
  const std::string live =
      R"({"metadata":{"name":"w","namespace":"default","managedFields":[{"manager":"x"}]}})";
  EXPECT_EQ(sent(live), R"({"metadata":{"name":"w","namespace":"default"}})");
}

TEST_F(WholePod, HasWhatChanged) {
  const std::string json = sent(kLive, [](model::Pod& pod) {
    pod.spec.node_name = "n1";
    pod.nominated_node_name = "n2";
    pod.spec.priority = 7;
    pod.spec.tolerations.push_back({"k", "Exists", "", ""});
    pod.phase = model::PodPhase::kRunning;
  });
  const document::Document document = parsed(json);
  const document::Value spec = document.roots()[0].find("spec");
  EXPECT_EQ(spec.find("nodeName").as_string(), "n1");
  EXPECT_EQ(spec.find("priority").as_int64(), 7);
  EXPECT_EQ(document::to_json(spec.find("tolerations")), R"([{"key":"k","operator":"Exists"}])");
  EXPECT_EQ(
      document::to_json(spec.find("volumes")),
      R"([{"name":"s","emptyDir":{}},{"name":"d","persistentVolumeClaim":{"claimName":"x"}}])");
  EXPECT_EQ(document::to_json(document.roots()[0].find("status")),
            R"({"phase":"Running","hostIP":"10.0.0.1","nominatedNodeName":"n2"})");
}

TEST_F(WholePod, HasDefaultsOfThePodsContainers) {
  const std::string json =
      sent(R"({"metadata":{"name":"w"},"spec":{"containers":[{"name":"c","tty":true,)"
           R"("resources":{"limits":{"cpu":"1000m"}}}]}})");
  const document::Document document = parsed(json);
  EXPECT_EQ(document.roots()[0].find("metadata").find("namespace").as_string(), "default");
  const document::Value container =
      *document.roots()[0].find("spec").find("containers").elements().begin();
  EXPECT_TRUE(container.find("tty").as_bool());
  EXPECT_EQ(document::to_json(container.find("resources")),
            R"({"limits":{"cpu":"1000m"},"requests":{"cpu":"1"}})");
}

TEST_F(WholePod, LosesTheNominationAndGatesThatAreGone) {
  const std::string json = sent(
      R"({"metadata":{"name":"w","namespace":"default"},"spec":{"schedulingGates":[{"name":"g"}],)"
      R"("containers":[]},"status":{"nominatedNodeName":"n2","qosClass":"Burstable"}})",
      [](model::Pod& pod) {
        pod.nominated_node_name.clear();
        pod.spec.scheduling_gates.clear();
      });
  EXPECT_EQ(json, R"({"metadata":{"name":"w","namespace":"default"},"spec":{"containers":[]},)"
                  R"("status":{"qosClass":"Burstable"}})");
}

TEST_F(WholePod, IsNotKeptBeyondTheServersLimit) {
  const std::string text(WholeObject::kMostBytes, 'x');
  const document::Document document =
      parsed(R"({"metadata":{"name":"w","annotations":{"a":")" + text + R"("}}})");
  model::Pod pod;
  pod.name = "w";
  EXPECT_FALSE(whole_pod(document.roots()[0], pod).kept());
}

TEST(WholeTemplate, GivesEachPodItsOwnMetadata) {
  const document::Document document = parsed(
      R"({"kind":"StatefulSet","metadata":{"name":"s"},"spec":{"template":{"metadata":{)"
      R"("annotations":{"a":"b"},"labels":{"app":"s"}},"spec":{"hostname":"h","containers":[)"
      R"({"name":"c","stdin":true}],"volumes":[{"name":"data","emptyDir":{}}]}}}})");
  Workload workload;
  workload.namespace_name = "default";
  workload.controller = {"apps/v1", "StatefulSet", "s", "u"};
  const WholeObject whole = whole_template(document.roots()[0], workload);
  EXPECT_EQ(whole.key, "default/StatefulSet/s");
  model::Pod pod;
  pod.name = "s-0";
  pod.namespace_name = "default";
  pod.uid = "1";
  pod.controller = workload.controller;
  pod.spec.labels = {{"app", "s"}, {"index", "0"}};
  pod.spec.containers.emplace_back().name = "c";
  model::PodVolume claim;
  claim.is_claim = true;
  claim.claim = "data-s-0";
  pod.spec.volumes.push_back(claim);
  EXPECT_EQ(
      updated(whole, json_of(pod)),
      R"({"metadata":{"annotations":{"a":"b"},"labels":{"app":"s","index":"0"},)"
      R"("namespace":"default","name":"s-0","uid":"1","ownerReferences":[{"apiVersion":"apps/v1",)"
      R"("kind":"StatefulSet","name":"s","uid":"u","controller":true}]},"spec":{"hostname":"h",)"
      R"("containers":[{"name":"c","stdin":true}],"volumes":[{"name":"data",)"
      R"("persistentVolumeClaim":{"claimName":"data-s-0"}}]}})");
}

}  // namespace
}  // namespace berth::ingest
