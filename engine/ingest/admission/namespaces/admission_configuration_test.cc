#include "engine/ingest/admission/namespaces/admission_configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/base/error.h"
#include "engine/ingest/admission/admission.h"

namespace berth::ingest {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kBoth[] = R"(apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: ImagePolicyWebhook
  path: absent.yaml
- name: PodNodeSelector
  path: selectors.yaml
- name: PodTolerationRestriction
  configuration:
    apiVersion: podtolerationrestriction.admission.k8s.io/v1alpha1
    kind: Configuration
    default: [{key: cluster, operator: Exists}]
    whitelist: [{key: cluster, operator: Exists}, {operator: Exists, effect: NoExecute}]
)";
constexpr char kSelectors[] = R"(podNodeSelectorPluginConfig:
  clusterDefaultNodeSelector: "zone=a, disk=ssd"
  team: zone=a,arch=arm
  open: ""
)";

class AdmissionConfigurationTest : public testing::Test {
 protected:
  AdmissionConfigurationTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("admission_configuration." + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~AdmissionConfigurationTest() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view text) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }
  std::string fault(std::string_view text) {
    try {
      read_admission_configuration(write("faults.yaml", text));
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }
  // Why the pod is refused; empty: it is not.
  std::string admit(model::Pod& pod, const NamespaceRules* of_namespace = nullptr) {
    OptionalPlugins plugins;
    plugins.pod_node_selector = plugins.pod_toleration_restriction = true;
    plugins.cluster = read_admission_configuration(write("both.yaml", kBoth)).rules;
    Admission admission(plugins);
    Policies policies;
    if (of_namespace != nullptr) policies.namespaces.push_back(*of_namespace);
    admission.put(policies);
    return admission.admit(pod, {}).value_or("");
  }
  static model::Pod pod_in(const std::string& namespace_name) {
    model::Pod pod;
    pod.name = "p";
    pod.namespace_name = namespace_name;
    return pod;
  }

  const std::filesystem::path folder_;
};

TEST_F(AdmissionConfigurationTest, IsReadWithTheFilesThatItNames) {
  write("selectors.yaml", kSelectors);
  const AdmissionConfiguration read = read_admission_configuration(write("both.yaml", kBoth));
  EXPECT_TRUE(read.pod_node_selector && read.pod_toleration_restriction);
  EXPECT_THAT(read.without_effect, ElementsAre("plugins[0] (ImagePolicyWebhook)"));
  EXPECT_EQ(read.rules.node_selector, (model::StringMap{{"disk", "ssd"}, {"zone", "a"}}));
  EXPECT_EQ(read.rules.allowed_labels.at("team"),
            (model::StringMap{{"arch", "arm"}, {"zone", "a"}}));
  EXPECT_EQ(read.rules.default_tolerations.size(), 1u);
  EXPECT_EQ(read.rules.allowed_tolerations.size(), 2u);
}

TEST_F(AdmissionConfigurationTest, HoldsWhereANamespaceSaysNothing) {
  write("selectors.yaml", kSelectors);
  model::Pod pod = pod_in("other");
  EXPECT_EQ(admit(pod), "");
  EXPECT_EQ(pod.spec.node_selector, (model::StringMap{{"disk", "ssd"}, {"zone", "a"}}));
  EXPECT_EQ(pod.spec.tolerations.at(0).key, "cluster");
  // Empty annotations are rules, too.
  NamespaceRules rules;
  rules.name = "other";
  rules.node_selector.emplace();
  rules.default_tolerations.emplace();
  rules.allowed_tolerations.emplace();
  pod = pod_in("other");
  pod.spec.tolerations = {{"own", "Exists", "", "NoSchedule"}};
  EXPECT_EQ(admit(pod, &rules), "");
  EXPECT_EQ(pod.spec.node_selector, model::StringMap());
  EXPECT_EQ(pod.spec.tolerations.at(0).key, "own");
}

TEST_F(AdmissionConfigurationTest, RefusesWhatItDoesNotAllow) {
  write("selectors.yaml", kSelectors);
  model::Pod pod = pod_in("other");
  pod.spec.tolerations = {{"own", "Exists", "", "NoSchedule"}};
  EXPECT_THAT(admit(pod), HasSubstr("conflict with its namespace whitelist"));
  // The default of the cluster has a label that the namespace does not allow.
  pod = pod_in("team");
  EXPECT_EQ(admit(pod),
            "pods \"p\" is forbidden: pod node label selector labels conflict with its namespace "
            "whitelist");
  NamespaceRules rules;
  rules.name = "team";
  rules.node_selector = model::StringMap{{"zone", "a"}};
  pod = pod_in("team");
  EXPECT_EQ(admit(pod, &rules), "");
  pod = pod_in("open");
  EXPECT_EQ(admit(pod), "");
}

TEST_F(AdmissionConfigurationTest, NamesItsFaults) {
  const std::string begin =
      "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n";
  EXPECT_THAT(fault("apiVersion: v1\nkind: Pod\n"),
              AllOf(HasSubstr("several faults"), HasSubstr("kind: must be \"AdmissionConf"),
                    HasSubstr("apiVersion: must be \"apiserver.config.k8s.io/v1\"")));
  EXPECT_THAT(fault(begin + "- {name: PodNodeSelector, file: x}\n"),
              HasSubstr(":4:27: plugins[0].file: is no field here; fields are name, path, "
                        "configuration"));
  EXPECT_THAT(fault(begin + "- {name: PodNodeSelector, path: absent.yaml}\n"),
              HasSubstr("absent.yaml: cannot be opened"));
  EXPECT_THAT(fault(begin + "- 5\n"), HasSubstr("plugins[0]: expected an object"));
  EXPECT_THAT(fault(begin + "- {name: PodNodeSelector, configuration: "
                            "{podNodeSelectorPluginConfig: {team: zone}}}\n"),
              HasSubstr("podNodeSelectorPluginConfig.team: invalid selector: [zone]"));
  const std::string type =
      "apiVersion: podtolerationrestriction.admission.k8s.io/v1alpha1, kind: Configuration, ";
  EXPECT_THAT(fault(begin + "- {name: PodTolerationRestriction, configuration: {" + type +
                    "whitelist: [{key: a, operator: In}]}}\n"),
              HasSubstr("configuration.whitelist[0].operator: Unsupported value: \"In\""));
  EXPECT_THAT(fault(begin + "- {name: PodTolerationRestriction, configuration: {" + type +
                    "defaults: []}}\n"),
              HasSubstr("configuration.defaults: is no field here"));
  EXPECT_THAT(fault(""), HasSubstr("expected one document, found 0"));
}

}  // namespace
}  // namespace berth::ingest
