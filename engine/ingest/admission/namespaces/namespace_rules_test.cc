// The annotations of a namespace change, or refuse, the pods that are created in it.

#include "engine/ingest/admission/namespaces/namespace_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/ingest/objects/objects_for_tests.h"
#include "engine/ingest/workloads/creation.h"

namespace berth::ingest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string space(const std::string& annotations) {
  return "{apiVersion: v1, kind: Namespace, metadata: {name: team, annotations: {" + annotations +
         "}}}\n---\n";
}

std::string pod_of_team(const std::string& spec) {
  return "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: team}, spec: {" + spec +
         "containers: [{name: c}]}}\n---\n";
}

// Admits the pods of a text with both plugins.
class NamespaceRulesTest : public testing::Test {
 protected:
  Texts admit(const std::string& text, OptionalPlugins plugins = {false, true, true}) {
    Diagnostics diagnostics;
    ObjectReader reader(diagnostics, Defaults::kApiServer, Workloads::kManifests);
    reader.read_text(text, "file");
    objects_ = reader.take();
    Creation creation([] { return std::vector<model::Node>(); }, true, plugins);
    creation.create(objects_, "file", diagnostics);
    return messages(diagnostics);
  }
  const model::PodSpec& spec() const { return objects_.pods.at(0).spec; }
  std::string tolerations() const {
    std::string text;
    for (const model::Toleration& one : spec().tolerations)
      text += (text.empty() ? "" : " ") + one.key + ":" + one.effect;
    return text;
  }

  Objects objects_;
};

constexpr char kSelects[] = "scheduler.alpha.kubernetes.io/node-selector: 'zone=a, disk = ssd'";

TEST_F(NamespaceRulesTest, LabelsJoinTheNodeSelector) {
  EXPECT_EQ(admit(space(kSelects) + pod_of_team("nodeSelector: {arch: arm, zone: a}, ")), Texts());
  EXPECT_EQ(spec().node_selector,
            (model::StringMap{{"arch", "arm"}, {"disk", "ssd"}, {"zone", "a"}}));
  EXPECT_TRUE(spec().has_node_selector);
}

TEST_F(NamespaceRulesTest, WithoutThePluginsAnnotationsDoNotCount) {
  EXPECT_EQ(admit(space(kSelects) + pod_of_team("nodeSelector: {zone: b}, "), {}), Texts());
  EXPECT_EQ(spec().node_selector, (model::StringMap{{"zone", "b"}}));
}

TEST_F(NamespaceRulesTest, AnotherValueIsRefused) {
  EXPECT_THAT(admit(space(kSelects) + pod_of_team("nodeSelector: {zone: b}, ")),
              ElementsAre(HasSubstr("pods \"a\" is forbidden: pod node label selector conflicts "
                                    "with its namespace node label selector")));
}

TEST_F(NamespaceRulesTest, AMalformedSelectorRefusesThePods) {
  EXPECT_THAT(admit(space("scheduler.alpha.kubernetes.io/node-selector: 'zone'") + pod_of_team("")),
              ElementsAre(HasSubstr("pods \"a\" is forbidden: invalid selector: [zone]")));
  EXPECT_THAT(admit(space("scheduler.alpha.kubernetes.io/node-selector: '-=x'") + pod_of_team("")),
              ElementsAre(HasSubstr("invalid selector: \"-=x\": ")));
}

std::string defaults(const std::string& list) {
  return "scheduler.alpha.kubernetes.io/defaultTolerations: '" + list + "'";
}
std::string allowed(const std::string& list) {
  return "scheduler.alpha.kubernetes.io/tolerationsWhitelist: '" + list + "'";
}
constexpr char kRest[] =
    "node.kubernetes.io/not-ready:NoExecute node.kubernetes.io/unreachable:NoExecute";

TEST_F(NamespaceRulesTest, DefaultTolerationsComeFirst) {
  const std::string rules =
      defaults(R"([{"key": "team", "operator": "Exists", "effect": "NoSchedule"}])");
  EXPECT_EQ(admit(space(rules) + pod_of_team("tolerations: [{key: own, operator: Exists}], ")),
            Texts());
  EXPECT_EQ(tolerations(), "team:NoSchedule own: " + std::string(kRest));
}

TEST_F(NamespaceRulesTest, ACoveredTolerationIsLeftOut) {
  const std::string rules = defaults(R"([{"key": "x", "operator": "Exists"}])");
  EXPECT_EQ(admit(space(rules) + pod_of_team("tolerations: [{key: x, operator: Equal, value: v, "
                                             "effect: NoSchedule}], ")),
            Texts());
  EXPECT_EQ(tolerations(), "x: " + std::string(kRest));
  // A toleration of every taint covers all others.
  EXPECT_EQ(admit(space(defaults(R"([{"operator": "Exists"}])")) + pod_of_team("")), Texts());
  EXPECT_EQ(tolerations(), ":");
}

TEST_F(NamespaceRulesTest, ATolerationThatIsNotAllowedIsRefused) {
  const std::string rules = allowed(
      R"([{"key": "x", "operator": "Exists"}, {"operator": "Exists", "effect": "NoExecute"}])");
  EXPECT_EQ(
      admit(space(rules) + pod_of_team("tolerations: [{key: x, operator: Equal, value: v}], ")),
      Texts());
  EXPECT_THAT(
      admit(space(rules) + pod_of_team("tolerations: [{key: z, operator: Exists}], ")),
      ElementsAre(HasSubstr("pods \"a\" is forbidden: pod tolerations (possibly merged with "
                            "namespace default tolerations) conflict with its namespace "
                            "whitelist")));
}

TEST_F(NamespaceRulesTest, AShorterTimeIsCoveredByALongerOneAlone) {
  const std::string rules = allowed(
      R"([{"key": "x", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 10}, )"
      R"({"key": "node.kubernetes.io/not-ready", "operator": "Exists"}, )"
      R"({"key": "node.kubernetes.io/unreachable", "operator": "Exists"}])");
  const auto tolerating = [&](const std::string& seconds) {
    return admit(space(rules) + pod_of_team("tolerations: [{key: x, operator: Exists, effect: "
                                            "NoExecute" +
                                            seconds + "}], "));
  };
  EXPECT_EQ(tolerating(", tolerationSeconds: 10"), Texts());
  EXPECT_EQ(tolerating(", tolerationSeconds: 11").size(), 1u);
  EXPECT_EQ(tolerating("").size(), 1u);
}

TEST_F(NamespaceRulesTest, MalformedTolerationsRefuseThePods) {
  EXPECT_THAT(admit(space(defaults("{}")) + pod_of_team("")),
              ElementsAre(HasSubstr("expected a list of tolerations")));
  EXPECT_THAT(admit(space(defaults(R"([{"key": 1}])")) + pod_of_team("")),
              ElementsAre(HasSubstr("defaultTolerations of the namespace: ")));
  EXPECT_THAT(admit(space(allowed("[")) + pod_of_team("")),
              ElementsAre(HasSubstr("tolerationsWhitelist of the namespace: ")));
}

}  // namespace
}  // namespace berth::ingest
