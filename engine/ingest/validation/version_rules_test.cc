// Tests the rules for new pods in which versions differ.

#include <gtest/gtest.h>

#include <string>

#include "engine/ingest/objects/objects_for_tests.h"

namespace berth::ingest {
namespace {

// Of a pod with this spec, without file, line and column.
Texts errors_by(Validation version, const std::string& spec) {
  Diagnostics diagnostics;
  const document::Document document =
      document::Document::parse("{metadata: {name: p}, spec: {" + spec + "}}", "file", diagnostics);
  const auto pod = decode_new_pod(document.roots()[0], diagnostics, version);
  EXPECT_EQ(pod.has_value(), diagnostics.count() == 0) << spec;
  Texts errors = messages(diagnostics);
  for (std::string& error : errors) error.erase(0, error.find(": ") + 2);
  return errors;
}
Texts errors_by_1_34(const std::string& spec) { return errors_by(Validation::kNew1_34, spec); }
Texts errors_by_1_36(const std::string& spec) { return errors_by(Validation::kNew1_36, spec); }

constexpr char kRule[] = "{action: RestartAllContainers, exitCodes: {operator: In, values: [3]}}";

TEST(NewPodByVersion, RestartsOfContainersFollowTheVersion) {
  const std::string valid =
      "containers: [{name: c, restartPolicy: Never, restartPolicyRules: [" + std::string(kRule) +
      "]}], initContainers: [{name: i, restartPolicy: OnFailure}, {name: s, restartPolicy: Always, "
      "restartPolicyRules: [" +
      kRule + "]}]";
  EXPECT_EQ(errors_by_1_36(valid), Texts());
  EXPECT_EQ(errors_by_1_34(valid),
            (Texts{"spec.containers[0].restartPolicy: Forbidden: may not be set for non-init "
                   "containers",
                   "spec.initContainers[0].restartPolicy: Unsupported value: \"OnFailure\": "
                   "supported values: \"Always\""}));
  // 1.34 drops the field.
  EXPECT_EQ(errors_by_1_34("containers: [{name: c, restartPolicyRules: [{}]}]"), Texts());
}

TEST(NewPodByVersion, RestartRulesAreComplete) {
  EXPECT_EQ(errors_by_1_36("containers: [{name: c, restartPolicyRules: [{action: Stop}]}]"),
            (Texts{"spec.containers[0].restartPolicy: Required value: must specify restartPolicy "
                   "when restart rules are used",
                   "spec.containers[0].restartPolicyRules[0].action: Unsupported value: \"Stop\": "
                   "supported values: \"Restart\", \"RestartAllContainers\"",
                   "spec.containers[0].restartPolicyRules[0].exitCodes: Required value: must be "
                   "specified"}));
  EXPECT_EQ(errors_by_1_36("containers: [{name: c, restartPolicy: Sometimes}]"),
            (Texts{"spec.containers[0].restartPolicy: Unsupported value: \"Sometimes\": supported "
                   "values: \"Always\", \"Never\", \"OnFailure\""}));
  EXPECT_EQ(errors_by_1_36("containers: [{name: c, restartPolicy: Never, restartPolicyRules: "
                           "[{action: Restart, exitCodes: {operator: Is, values: [1]}}]}]"),
            (Texts{"spec.containers[0].restartPolicyRules[0].exitCodes.operator: Unsupported "
                   "value: \"Is\": supported values: \"In\", \"NotIn\""}));
  std::string many, codes = "0";
  for (int i = 0; i < 21; ++i) many += std::string(i == 0 ? "" : ", ") + kRule;
  for (int i = 0; i < 255; ++i) codes += ", 1";
  EXPECT_EQ(errors_by_1_36("containers: [{name: c, restartPolicy: Never, restartPolicyRules: [" +
                           many + "]}]"),
            (Texts{"spec.containers[0].restartPolicyRules: Too many: 21: must have at most 20 "
                   "items"}));
  EXPECT_EQ(errors_by_1_36("containers: [{name: c, restartPolicy: Never, restartPolicyRules: "
                           "[{action: Restart, exitCodes: {operator: In, values: [" +
                           codes + "]}}]}]"),
            (Texts{"spec.containers[0].restartPolicyRules[0].exitCodes.values: Too many: 256: "
                   "must have at most 255 items"}));
}

TEST(NewPodByVersion, InitContainersThatEndAreNotResizedByARestart) {
  const std::string spec =
      "containers: [{name: c}], initContainers: [{name: i, resizePolicy: [{resourceName: cpu, "
      "restartPolicy: NotRequired}, {resourceName: memory, restartPolicy: RestartContainer}]}, "
      "{name: s, restartPolicy: Always, resizePolicy: [{resourceName: cpu, restartPolicy: "
      "RestartContainer}]}]";
  EXPECT_EQ(errors_by_1_36(spec),
            (Texts{"spec.initContainers[0].resizePolicy[1].restartPolicy: Invalid value: "
                   "\"RestartContainer\": must not be set to 'RestartContainer' for non-sidecar "
                   "initContainers"}));
  EXPECT_EQ(errors_by_1_34(spec), Texts());
}

TEST(NewPodByVersion, OperatorsOfTolerationsAreNamedByTheVersion) {
  const std::string spec =
      "containers: [{name: c}], tolerations: [{key: a, operator: Lt, value: '1'}]";
  const std::string error =
      "spec.tolerations[0].operator: Unsupported value: \"Lt\": supported values: \"Equal\", "
      "\"Exists\"";
  EXPECT_EQ(errors_by_1_34(spec), Texts{error});
  EXPECT_EQ(errors_by_1_36(spec), Texts{error + ", \"Lt\", \"Gt\""});
}

}  // namespace
}  // namespace berth::ingest
