// Configurations that are not read any more: what is said about each, to the letter.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/testing.h"
#include "engine/config/versions/former_names.h"

namespace berth::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<std::string> refused_former(const std::string& text) {
  return testing::faults_of([&] {
    const document::Document document = testing::parse_document(text);
    from_value(document, document.roots().front());
  });
}

std::string head(const std::string& version) {
  return "apiVersion: kubescheduler.config.k8s.io/" + version +
         "\nkind: KubeSchedulerConfiguration\n";
}

TEST(Former, VersionsSayWhichReleaseReadThem) {
  const std::map<std::string, std::string> releases = {
      {"v1alpha1", "v1.18"}, {"v1alpha2", "v1.18"}, {"v1beta1", "v1.22"}};
  for (const auto& [version, release] : releases)
    EXPECT_THAT(refused_former(head(version)),
                ElementsAre("test.yaml:1:13: apiVersion: \"kubescheduler.config.k8s.io/" + version +
                            "\" is not read: the last kube-scheduler that read it was " + release +
                            "; write \"kubescheduler.config.k8s.io/v1\"; what it has that v1 has "
                            "not is named with it"));
}

TEST(Former, FieldsAreNamedWithWhatToWrite) {
  const std::vector<std::string> faults = refused_former(head("v1alpha1") + R"(
schedulerName: a
algorithmSource: {policy: {file: {path: p}}}
hardPodAffinitySymmetricWeight: 5
disablePreemption: true
bindTimeoutSeconds: 5
healthzBindAddress: ''
leaderElection: {lockObjectNamespace: a, lockObjectName: b}
plugins: {unreserve: {}, score: {enabled: [{name: NodeLabel}]}}
pluginConfig: [{name: ServiceAffinity}]
parallelism: 7
)");
  EXPECT_THAT(
      faults,
      ElementsAre(
          HasSubstr("1:13: apiVersion: "),
          "test.yaml:4:16: schedulerName: is no field of v1: write schedulerName in profiles[0]",
          "test.yaml:5:27: algorithmSource.policy: is no field of v1: write the plugins of the "
          "policy in profiles[0]; berth config validate names them for a file with the policy",
          "test.yaml:6:33: hardPodAffinitySymmetricWeight: is no field of v1: write "
          "hardPodAffinityWeight in the arguments of InterPodAffinity",
          "test.yaml:7:20: disablePreemption: is no field of v1: if it is true, write plugins: "
          "{postFilter: {disabled: [{name: DefaultPreemption}]}} in each profile",
          "test.yaml:8:21: bindTimeoutSeconds: is no field of v1: write bindTimeoutSeconds in the "
          "arguments of VolumeBinding",
          "test.yaml:9:21: healthzBindAddress: is no field of v1: leave it out: v1 has no such "
          "address",
          "test.yaml:10:39: leaderElection.lockObjectNamespace: is no field of v1: write "
          "leaderElection.resourceNamespace",
          "test.yaml:10:58: leaderElection.lockObjectName: is no field of v1: write "
          "leaderElection.resourceName",
          "test.yaml:11:10: plugins: is no field of v1: write plugins in profiles[0]",
          "test.yaml:11:22: plugins.unreserve: is no field of v1: write the plugins at reserve",
          "test.yaml:11:51: plugins.score.enabled[0].name: plugin \"NodeLabel\" is not in v1: use "
          "NodeAffinity",
          "test.yaml:12:15: pluginConfig: is no field of v1: write pluginConfig in profiles[0]",
          "test.yaml:12:23: pluginConfig[0].name: plugin \"ServiceAffinity\" is not in v1: use "
          "InterPodAffinity"));
}

TEST(Former, PluginsOfProfilesAreNamed) {
  EXPECT_THAT(
      refused_former(head("v1beta1") + "profiles:\n- {plugins: {unreserve: {}}}\n"
                                       "- plugins: {score: {enabled: [{name: ImageLocality},"
                                       " {name: NodeResourcesMostAllocated}]}}\n"
                                       "  pluginConfig: [{name: RequestedToCapacityRatio}]\n"),
      ElementsAre(HasSubstr("apiVersion"),
                  "test.yaml:4:25: profiles[0].plugins.unreserve: is no field of v1: write the "
                  "plugins at reserve",
                  "test.yaml:5:61: profiles[1].plugins.score.enabled[1].name: plugin "
                  "\"NodeResourcesMostAllocated\" is not in v1: use the scoringStrategy of "
                  "NodeResourcesFit",
                  "test.yaml:6:25: profiles[1].pluginConfig[0].name: plugin "
                  "\"RequestedToCapacityRatio\" is not in v1: use the scoringStrategy of "
                  "NodeResourcesFit"));
}

TEST(Former, ValuesOfAnyKindAreNoProblem) {
  for (const std::string fields :
       {"plugins: 5", "plugins: [1]", "plugins: {score: 7}", "plugins: {score: {enabled: {}}}",
        "profiles: {a: 1}", "profiles: [[[]], 5, null]", "algorithmSource: [[{policy: 1}]]",
        "pluginConfig: [{name: 5}, 7]", "leaderElection: null"})
    EXPECT_THAT(refused_former(head("v1beta1") + fields), ::testing::Not(::testing::IsEmpty()))
        << fields;
}

const char kPolicy[] = R"({
"kind": "Policy", "apiVersion": "v1",
"predicates": [
 {"name": "PodFitsResources"},
 {"name": "Mine", "argument": {"labelsPresence": {"labels": ["zone"], "presence": true}}},
 {"name": "PodFitsResource"}, 5],
"priorities": [
 {"name": "LeastRequestedPriority", "weight": 3},
 {"name": "Mine", "weight": 2, "argument": {"serviceAntiAffinity": {"label": "zone"}}},
 {"name": "Unheard", "weight": 1}],
"hardPodAffinitySymmetricWeight": 10,
"extenders": [{"urlPrefix": "http://a"}]})";

TEST(Former, APolicyNamesThePlugins) {
  EXPECT_THAT(
      refused_former(kPolicy),
      ElementsAre(
          "test.yaml:2:9: kind: a Policy is not read: the last kube-scheduler that read it was "
          "v1.22; write a KubeSchedulerConfiguration of version "
          "\"kubescheduler.config.k8s.io/v1\"; "
          "what each predicate and priority is there is named with it",
          "test.yaml:4:11: predicates[0].name: predicate \"PodFitsResources\": enable the plugin "
          "NodeResourcesFit",
          "test.yaml:5:11: predicates[1].name: predicate \"Mine\": enable the plugin NodeAffinity "
          "with the argument addedAffinity, where required terms ask for a label by Exists or "
          "DoesNotExist",
          "test.yaml:6:11: predicates[2].name: \"PodFitsResource\" is no predicate of "
          "kube-scheduler; did you mean PodFitsResources?",
          "test.yaml:6:31: predicates[3]: \"\" is no predicate of kube-scheduler",
          "test.yaml:8:11: priorities[0].name: priority \"LeastRequestedPriority\": enable the "
          "plugin NodeResourcesFit at score, whose default scoringStrategy is LeastAllocated, "
          "weight "
          "3",
          "test.yaml:9:11: priorities[1].name: priority \"Mine\": enable the plugin "
          "PodTopologySpread with the argument defaultConstraints, weight 2",
          "test.yaml:10:11: priorities[2].name: \"Unheard\" is no priority of "
          "kube-scheduler",
          "test.yaml:11:35: hardPodAffinitySymmetricWeight: is no field of v1: write "
          "hardPodAffinityWeight in the arguments of InterPodAffinity",
          "test.yaml:12:14: extenders: is no field of v1: write extenders in the "
          "KubeSchedulerConfiguration, with enableHTTPS, and httpTimeout as a text such as 5s"));
}

TEST(Former, EveryNameHasAPlugin) {
  for (const auto& [list, names] :
       {std::pair("predicates", former_predicates()), std::pair("priorities", former_priorities())})
    for (const FormerName& name : names) {
      const std::vector<std::string> faults =
          refused_former("{kind: Policy, apiVersion: v1, " + std::string(list) +
                         ": [{name: " + std::string(name.name) + "}]}");
      ASSERT_THAT(faults, SizeIs(2)) << name.name;
      EXPECT_THAT(faults[1], HasSubstr(": enable " + std::string(name.plugins)));
    }
  EXPECT_EQ(former_predicates().size(), 20u);
  EXPECT_EQ(former_priorities().size(), 16u);
}

TEST(Former, PoliciesOfOthersAreOtherKinds) {
  EXPECT_THAT(refused_former("{kind: Policy, apiVersion: audit.k8s.io/v1}"),
              ElementsAre(HasSubstr("kind: must be"), HasSubstr("apiVersion: must be")));
}

}  // namespace
}  // namespace berth::config
